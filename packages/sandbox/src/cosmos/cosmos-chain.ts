import { type ChainOperation, maxBlocks, parseCount, parseStep, type SandboxChain, type Step, show } from '../chain.ts'
import { SandboxError } from '../error.ts'
import type { Fault } from '../fault.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { formatUnits, parseUnits } from '../units.ts'
import { parseAddress } from './address.ts'
import type { BlockAround } from './app.ts'
import { ChainError } from './errors.ts'
import type { CosmosGenesis } from './genesis.ts'
import { operatorAddress } from './genesis-state.ts'
import { balanceOf, mintCoins } from './modules/bank.ts'
import { type Block, Node } from './node.ts'
import { chainOperations } from './operations.ts'
import { type RpcServer, startRpcServer } from './rpc/server.ts'

/** Length of an epoch: the family has none, so that a day stands for one. */
export const cosmosEpochSeconds = 86_400

/**
 * Starts a local Cosmos chain on 127.0.0.1: a node of ours behind CometBFT's RPC, and in front of it the fault proxy, which is the
 * chain's `rpcUrl`. It answers HTTP 503 until it is given a genesis.
 *
 * @param options.chainId as the network's own: `cosmoshub-4`
 * @param options.genesis what the chain is made of; absent when a scenario gives it later
 * @param options.time milliseconds since 1970 of the first block. @default now, in whole seconds
 * @param options.port of `rpcUrl`; any free one when absent
 * @param options.log gets one line per start and end
 * @throws SandboxError `PORT_BUSY`, `INVALID_INPUT`
 */
export async function startCosmosChain(options: {
  chainId: string
  genesis?: CosmosGenesis
  time?: number
  port?: number
  log?: (line: string) => void
}): Promise<CosmosChain> {
  const { chainId } = options
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,49}$/.test(chainId)) {
    throw new SandboxError('INVALID_INPUT', `chainId is ${show(chainId)}: it must be letters, digits and hyphens, such as "cosmoshub-4"`)
  }
  const log = options.log ?? (() => {})
  const name = `chain cosmos:${chainId}`
  let chain: CosmosChain | undefined
  const server = await startRpcServer({ node: () => chain?.node, name })
  try {
    const proxy = await startFaultProxy({ target: server.url, port: options.port ?? 0, name })
    chain = new CosmosChain(chainId, { server, proxy, log, time: options.time })
    if (options.genesis !== undefined) chain.genesis(options.genesis)
    log(`${chain.id} listens on ${chain.rpcUrl}`)
    return chain
  } catch (error) {
    await (chain === undefined ? server.close() : chain.close())
    throw error
  }
}

/** A local Cosmos chain; made by `startCosmosChain`. */
export class CosmosChain implements SandboxChain {
  readonly id: `cosmos:${string}`
  readonly chainId: string
  readonly rpcUrl: string
  readonly operations: Readonly<Record<string, ChainOperation>>
  readonly #server: RpcServer
  readonly #proxy: FaultProxy
  readonly #log: (line: string) => void
  readonly #start: number
  readonly #startedAt = Date.now()
  #advanced = 0
  #node: Node | undefined
  #closing: Promise<void> | undefined

  constructor(chainId: string, parts: { server: RpcServer; proxy: FaultProxy; log: (line: string) => void; time: number | undefined }) {
    this.id = `cosmos:${chainId}`
    this.chainId = chainId
    this.rpcUrl = parts.proxy.url
    this.#server = parts.server
    this.#proxy = parts.proxy
    this.#log = parts.log
    this.#start = parts.time ?? Math.floor(Date.now() / 1000) * 1000
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

  /** Operator address of a validator of the genesis, by its name; the first one's when absent. */
  validator(moniker?: string): string {
    const { genesis } = this.#running()
    const found = moniker === undefined ? genesis.validators[0] : genesis.validators.find((validator) => validator.moniker === moniker)
    if (found === undefined) throw new SandboxError('INVALID_INPUT', `${this.id} has no validator ${show(moniker)}`)
    return operatorAddress(this.chainId, genesis, found.moniker)
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
    const [times, seconds] = 'epochs' in checked ? [checked.epochs, cosmosEpochSeconds] : [1, checked.seconds]
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
    const units = typeof amount === 'bigint' ? amount : parseUnits(amount, genesis.decimals)
    if (units < 1n) throw new SandboxError('INVALID_INPUT', `amount is ${units} ${genesis.denom}: it must be more than zero`)
    this.makeBlock({ begin: (ctx) => mintCoins(ctx, to, units) })
    return { address: to, balance: formatUnits(await this.balance(to), genesis.decimals) }
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
    for (let made = parseCount('blocks', blocks, maxBlocks); made > 0; made--) this.#running().makeBlock()
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

  /** @throws SandboxError `INVALID_INPUT` */
  fault(fault: Fault): void {
    this.#proxy.fault(fault)
  }

  /** Ends the proxy and the node's server, and waits until both have ended. */
  close(): Promise<void> {
    this.#closing ??= Promise.all([this.#proxy.close(), this.#server.close()]).then(() => this.#log(`${this.id} is closed`))
    return this.#closing
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
