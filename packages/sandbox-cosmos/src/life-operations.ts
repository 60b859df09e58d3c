import { type ChainOperation, formatUnits, parseUnits, SandboxError, show } from '@svc/sandbox'
import { parseAddress } from './address.ts'
import type { BlockAround } from './app.ts'
import { moduleAddress } from './modules/auth.ts'
import { send } from './modules/bank.ts'
import { type Block, type Node, txHash } from './node.ts'

/** What operations need of their chain. */
interface Chain {
  readonly id: string
  latest(): { block: number; timestamp: number }
  balance(address: string): Promise<bigint>
  makeBlock(around: BlockAround): Block
}

/** What befalls transactions after they were sent. @param running the chain's node. @throws SandboxError before its genesis */
export function lifeOperations(chain: Chain, running: () => Node): Readonly<Record<string, ChainOperation>> {
  const waiting = () => running().pending.map(txHash)
  return {
    hold: {
      example: { on: true },
      members: ['on'],
      async run({ on }) {
        if (typeof on !== 'boolean')
          throw new SandboxError('INVALID_INPUT', `on is ${show(on)}: true lets transactions wait, false puts those that do into a block`)
        const node = running()
        node.held = on
        if (!on && node.pending.length > 0) node.makeBlock()
        return { ...chain.latest(), held: on, waiting: waiting() }
      },
    },
    drop: {
      example: { hash: '…' },
      members: ['hash'],
      async run({ hash }) {
        if (typeof hash !== 'string' || !running().drop(hash.toUpperCase()))
          throw new SandboxError(
            'INVALID_INPUT',
            `hash is ${show(hash)}: it must be of a transaction that waits, as what is sent does while hold is on`,
          )
        return { ...chain.latest(), waiting: waiting() }
      },
    },
    prune: {
      example: {},
      members: [],
      async run() {
        running().prune()
        return { ...chain.latest(), lowest: Number(running().lowest) }
      },
    },
    reorganise: {
      example: {},
      members: [],
      async run() {
        throw new SandboxError('NOT_SUPPORTED', `${chain.id} never takes back a block: each is final when it is made`)
      },
    },
    take: {
      example: { address: '…1…', amount: '1.5' },
      members: ['address', 'amount'],
      async run(body) {
        const { genesis } = running()
        const address = parseAddress(body.address, genesis.prefix)
        const amount = parseUnits(body.amount, genesis.decimals)
        chain.makeBlock({ begin: (ctx) => send(ctx, address, moduleAddress(ctx.genesis, 'fee_collector'), amount) })
        return { ...chain.latest(), address, balance: formatUnits(await chain.balance(address), genesis.decimals) }
      },
    },
  }
}
