import {
  type ChainEngine,
  type ChainOperation,
  type Door,
  DoorChain,
  formatUnits,
  openDoor,
  parseAmount,
  parseBlocks,
  parseChainName,
  parseFlag,
  parseStep,
  type SandboxChain,
  SandboxError,
  type Scenario,
  type Step,
  show,
} from '@svc/sandbox'
import { Node } from './node.ts'
import { rpcOf } from './rpc.ts'
import { BLOCK_MS, DECIMALS } from './units.ts'
import { type NearWallet, nearWallets, signHash } from './wallets.ts'

/** Height at which a chain begins here: that of a chain of some years. */
const FIRST_HEIGHT = 150_000_000n

/** A local NEAR chain. */
export class NearChain extends DoorChain implements SandboxChain {
  readonly id: `near:${string}`
  /** The node behind it, for tests and scenarios. */
  readonly node: Node
  readonly operations: Readonly<Record<string, ChainOperation>>

  constructor(door: Door, node: Node) {
    super(door)
    this.id = `near:${node.chainId}`
    this.node = node
    this.operations = operationsOf(node, () => this.latest())
  }

  /** Ends epochs, or lets blocks pass for so many seconds. */
  async advance(step: Step): Promise<Record<string, unknown>> {
    const checked = parseStep(step)
    if ('epochs' in checked) for (let passed = 0; passed < checked.epochs; passed++) this.node.endEpoch()
    else this.node.pass(BigInt(Math.round((checked.seconds * 1000) / BLOCK_MS)))
    return this.latest()
  }

  async mine(blocks: number): Promise<Record<string, unknown>> {
    this.node.pass(BigInt(parseBlocks(blocks)))
    return this.latest()
  }

  /** @param amount decimal text in NEAR @throws SandboxError `INVALID_INPUT` for a name that nobody has created */
  async fund(address: string, amount: bigint | string): Promise<Record<string, unknown>> {
    const balance = this.node.fund(address, parseAmount(amount, DECIMALS, 'yocto'))
    if (balance === null)
      throw new SandboxError('INVALID_INPUT', `address is ${show(address)}: it must be 64 hex digits, or an account that there is`)
    return { address, balance: formatUnits(balance, DECIMALS) }
  }

  latest(): Record<string, unknown> {
    const { height, time, epoch } = this.node
    return { block: Number(height), timestamp: Math.floor(time / 1000), epoch: Number(epoch) }
  }

  /** Lets the blocks pass for which real time has gone on. */
  async tick(): Promise<void> {
    const behind = Date.now() - this.node.time
    if (behind > BLOCK_MS) this.node.pass(BigInt(Math.floor(behind / BLOCK_MS)))
  }
}

function operationsOf(node: Node, latest: () => Record<string, unknown>): Readonly<Record<string, ChainOperation>> {
  const onOff = (means: string, set: (on: boolean) => void): ChainOperation => ({
    example: { on: true },
    members: ['on'],
    async run({ on }) {
      set(parseFlag('on', on, means))
      return latest()
    },
  })
  const times = (set: (count: number) => void): ChainOperation => ({
    example: { times: 1 },
    members: ['times'],
    async run({ times }) {
      set(times === 0 ? 0 : parseBlocks(times))
      return latest()
    },
  })
  return {
    hold: onOff('true holds transactions back, false lets those in that wait', (on) => {
      if (on) node.isHolding = true
      else node.release()
    }),
    drop: {
      example: { hash: '3RmYpWHjh32ZUuAbuewLTyYRmaGeByEbgxFUfy8Fagv6' },
      members: ['hash'],
      async run({ hash }) {
        node.waiting.delete(String(hash))
        return latest()
      },
    },
    fail: times((count) => {
      node.failing = count
    }),
    break: times((count) => {
      node.breaking = count
    }),
    pause: onOff('true lets the pools stake nothing, false lets them again', (on) => {
      for (const pool of node.pools.values()) pool.isPaused = on
    }),
    kick: onOff('true takes the pools out of the next epoch, false puts them back', (on) => {
      node.idle.clear()
      if (on) for (const pool of node.pools.keys()) node.idle.add(pool)
    }),
  }
}

/** Local NEAR chains, for scenarios. */
export const nearEngine: ChainEngine<NearChain, NearWallet> = {
  family: 'near',
  async start({ chainId, log }) {
    const node = new Node({ chainId: parseChainName(chainId, 'mainnet'), height: FIRST_HEIGHT, time: Math.floor(Date.now() / 1000) * 1000 })
    return new NearChain(await openDoor({ id: `near:${chainId}`, engine: { answer: rpcOf(node) }, log }), node)
  },
  wallets: async () => nearWallets,
  addressOf: ({ address }) => address,
  sign: (wallet, payload) => signHash(wallet, payload),
}

export type NearScenario = Scenario<NearChain, NearWallet>
