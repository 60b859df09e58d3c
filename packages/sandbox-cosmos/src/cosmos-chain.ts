import {
  type ChainOperation,
  type Door,
  DoorChain,
  formatUnits,
  parseAmount,
  parseBlocks,
  parseStep,
  type SandboxChain,
  SandboxError,
  type Step,
} from '@svc/sandbox'
import { parseAddress } from './address.ts'
import type { BlockAround } from './app.ts'
import { ChainError } from './errors.ts'
import type { CosmosGenesis, GenesisKeys } from './genesis.ts'
import { operatorNamed } from './genesis-state.ts'
import { balanceOf, mintCoins } from './modules/bank.ts'
import { delegate } from './modules/staking.ts'
import { type Block, Node } from './node.ts'
import { chainOperations } from './operations.ts'

/** Length of an epoch: the family has none, so that a day stands for one. */
const epochSeconds = 86_400

/** A local Cosmos chain; made by `startCosmosChain`. */
export class CosmosChain extends DoorChain implements SandboxChain {
  readonly id: `cosmos:${string}`
  readonly chainId: string
  readonly operations: Readonly<Record<string, ChainOperation>>
  readonly #start: number
  readonly #startedAt = Date.now()
  #advanced = 0
  #node: Node | undefined

  /** @param time milliseconds since 1970 of the first block */
  constructor(chainId: string, door: Door, time: number) {
    super(door)
    this.id = `cosmos:${chainId}`
    this.chainId = chainId
    this.#start = time
    this.operations = chainOperations(this)
  }

  /** The node behind it; undefined before the genesis. */
  get node(): Node | undefined {
    return this.#node
  }

  /**
   * Gives the chain its first state and its first block. For scenarios.
   *
   * @throws SandboxError `INVALID_INPUT` for a second genesis, or amounts and rates that are none
   */
  genesis(genesis: CosmosGenesis): void {
    if (this.#node !== undefined) throw new SandboxError('INVALID_INPUT', `${this.id} has a genesis already: one scenario makes the chain`)
    try {
      this.#node = new Node(this.chainId, genesis, this.#start)
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      throw new SandboxError('INVALID_INPUT', `the genesis of ${this.id} does not fit: ${cause.message}`, { cause })
    }
  }

  /** Prefix of its account addresses. */
  get prefix(): string {
    return this.#running().genesis.prefix
  }

  /** Kind of key of its accounts. */
  get keys(): GenesisKeys {
    return this.#running().genesis
  }

  /** Operator address of a validator of the genesis, by its name; the first one's when absent. */
  validator(moniker?: string): string {
    return operatorNamed(this.chainId, this.#running().genesis, moniker)
  }

  /**
   * Moves the chain's clock on. An epoch is a day, with a block at its end; seconds are one block. Rewards accrue for the time, and
   * what has waited long enough is paid.
   *
   * @returns height and time of the latest block
   * @throws SandboxError `INVALID_INPUT`
   */
  async advance(step: Step): Promise<{ block: number; timestamp: number }> {
    const checked = parseStep(step)
    const [times, seconds] = 'epochs' in checked ? [checked.epochs, epochSeconds] : [1, checked.seconds]
    for (let passed = 0; passed < times; passed++) this.#moveTime(seconds)
    return this.latest()
  }

  /**
   * Adds to a balance; the account is made if there is none. In a block of its own.
   *
   * @param amount base units as a bigint, or decimal text in native units (`'1.5'`)
   * @returns the address and its balance after, as exact decimal text in native units
   * @throws SandboxError `INVALID_INPUT`
   */
  async fund(address: string, amount: bigint | string): Promise<{ address: string; balance: string }> {
    const { genesis } = this.#running()
    const to = parseAddress(address, genesis.prefix)
    const units = parseAmount(amount, genesis.decimals, genesis.denom)
    this.makeBlock({ begin: (ctx) => mintCoins(ctx, to, units) })
    return { address: to, balance: formatUnits(await this.balance(to), genesis.decimals) }
  }

  /**
   * Delegates in an address's name, without its key. In a block of its own, and without a fee or a sequence.
   *
   * @param amount base units
   * @throws SandboxError `INVALID_INPUT` when the chain refuses it
   */
  delegate(address: string, validator: string, amount: bigint): void {
    this.makeBlock({ begin: (ctx) => delegate(ctx, parseAddress(address, ctx.genesis.prefix), validator, amount) })
  }

  /** A balance in base units, spendable or not. */
  async balance(address: string): Promise<bigint> {
    const { genesis, app } = this.#running()
    return balanceOf(app.view().state, address, genesis.denom)
  }

  /**
   * Makes blocks, at the chain's usual pace; the first takes every transaction that waits.
   *
   * @returns height and time of the latest block
   */
  async mine(blocks = 1): Promise<{ block: number; timestamp: number }> {
    for (let remaining = parseBlocks(blocks); remaining > 0; remaining--) this.#running().makeBlock()
    return this.latest()
  }

  /** Height and time (seconds since 1970) of the latest block. */
  latest(): { block: number; timestamp: number } {
    const { height, time } = this.#running().latest
    return { block: Number(height), timestamp: Math.floor(time / 1000) }
  }

  /**
   * Makes a block in which something happens that is not a transaction. For scenarios and operations.
   *
   * @throws SandboxError `INVALID_INPUT` when the chain refuses it
   */
  makeBlock(around: BlockAround): Block {
    try {
      return this.#running().makeBlock(around)
    } catch (cause) {
      if (!(cause instanceof ChainError)) throw cause
      throw new SandboxError('INVALID_INPUT', cause.message, { cause })
    }
  }

  /** Makes a block if real time, with what the chain was advanced by, has gone past the latest one. */
  async tick(): Promise<void> {
    const node = this.#running()
    const time = this.#start + this.#advanced + Date.now() - this.#startedAt
    if (time > node.latest.time) node.makeBlock({ time })
  }

  #moveTime(seconds: number): void {
    const node = this.#running()
    this.#advanced += seconds * 1000
    node.makeBlock({ time: node.latest.time + seconds * 1000 })
  }

  #running(): Node {
    if (this.#node !== undefined) return this.#node
    throw new SandboxError('NOT_SUPPORTED', `${this.id} has no genesis yet: its scenario gives it one when it is installed`)
  }
}
