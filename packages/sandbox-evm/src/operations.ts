import { type ChainOperation, parseCount, parseFlag, SandboxError, show } from '@svc/sandbox'

/** Most blocks that are taken back at once: anvil keeps the state of a few hundred. */
const MOST_BLOCKS = 64

/** The chain, as far as it is acted on here. */
interface Acted {
  readonly id: string
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>
  latest(): Promise<{ readonly block: number; readonly timestamp: number }>
}

/** Makes the further operations of an EVM chain, for the life of a transaction between its broadcast and its end. */
export function operationsOf(chain: Acted): Readonly<Record<string, ChainOperation>> {
  return {
    hold: {
      example: { on: true },
      members: ['on'],
      async run({ on: input = true }) {
        const on = parseFlag('on', input, 'it must be true or false')
        // One block for all that waited, and from then on one for each again.
        if (!on) await chain.rpc('evm_mine')
        await chain.rpc('evm_setAutomine', [!on])
        return { hold: on, ...(await chain.latest()) }
      },
    },
    drop: {
      example: { hash: '0x…' },
      members: ['hash'],
      async run({ hash }) {
        if (typeof hash !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(hash))
          throw new SandboxError('INVALID_INPUT', `hash is ${show(hash)}: it must be 0x and 64 hexadecimal digits`)
        if ((await chain.rpc('anvil_dropTransaction', [hash])) === null)
          throw new SandboxError('INVALID_INPUT', `no transaction ${hash} waits on ${chain.id}: one that is in a block stays there`)
        return { dropped: hash }
      },
    },
    reorganise: {
      example: { blocks: 1 },
      members: ['blocks'],
      async run({ blocks = 1 }) {
        const count = parseCount('blocks', blocks, MOST_BLOCKS)
        await chain.rpc('anvil_reorg', [count, []])
        return { reorganised: count, ...(await chain.latest()) }
      },
    },
    prune: {
      example: {},
      members: [],
      async run() {
        throw new SandboxError('NOT_SUPPORTED', `${chain.id} cannot forget: anvil looks up every transaction since its start`)
      },
    },
  }
}
