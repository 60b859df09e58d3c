import { type ChainOperation, maxBlocks, parseCount, parseStep, type SandboxChain, type Step, show } from '../chain.ts'
import { SandboxError } from '../error.ts'
import type { Fault } from '../fault.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { formatUnits, parseUnits } from '../units.ts'
import { chainOperations } from './operations.ts'
import { genesisHashes } from './programs.ts'
import type { RpcServer } from './rpc/server.ts'
import type { SvmAccount, SvmCluster, SvmHead, SvmStakePool, SvmStakePoolOptions, SvmValidator, SvmValidatorOptions } from './types.ts'
import type { World } from './world.ts'

/** A lamport is 10^-9 SOL. */
const decimals = 9

/**
 * Starts a local Solana chain on 127.0.0.1: LiteSVM in this process behind a node's JSON-RPC, and in front of it the fault proxy, which
 * is the chain's `rpcUrl`.
 *
 * @param options.chainId as the cluster's own: `mainnet-beta`, `devnet`
 * @param options.genesisHash what `getGenesisHash` answers. @default the real cluster's of that name; made from the name for another
 * @param options.time milliseconds since 1970 of the first block. @default now, in whole seconds
 * @param options.port of `rpcUrl`; any free one when absent
 * @param options.stakePoolProgram file of the SPL stake pool program (`solana program dump`), run instead of the stand-in.
 * @default the file that the environment variable `SVC_STAKE_POOL_PROGRAM` names, if it names one
 * @param options.log gets one line per start and end
 * @throws SandboxError `PORT_BUSY`, `INVALID_INPUT`, `ENGINE_MISSING` when LiteSVM is not installed for this platform
 */
export async function startSvmChain(options: {
  chainId: string
  genesisHash?: string
  time?: number
  port?: number
  stakePoolProgram?: string
  log?: (line: string) => void
}): Promise<SvmChain> {
  const { chainId } = options
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,49}$/.test(chainId)) {
    throw new SandboxError('INVALID_INPUT', `chainId is ${show(chainId)}: it must be letters, digits and hyphens, such as "mainnet-beta"`)
  }
  const log = options.log ?? (() => {})
  const name = `chain svm:${chainId}`
  // Only now: LiteSVM is a large native library, and most users of this package start other chains.
  const [{ startWorld }, { startRpcServer }] = await Promise.all([import('./world.ts'), import('./rpc/server.ts')])
  const world = await startWorld({
    chainId,
    genesisHash: options.genesisHash ?? genesisHashes[chainId],
    time: options.time,
    stakePoolProgram: options.stakePoolProgram ?? (process.env.SVC_STAKE_POOL_PROGRAM || undefined),
  })
  const server = await startRpcServer({ world, name })
  try {
    const proxy = await startFaultProxy({ target: server.url, port: options.port ?? 0, name })
    const chain = new SvmChain(chainId, { server, proxy, world, log })
    log(`${chain.id} listens on ${chain.rpcUrl}`)
    return chain
  } catch (error) {
    await server.close()
    throw error
  }
}

/** A local Solana chain; made by `startSvmChain`. */
export class SvmChain implements SandboxChain {
  readonly id: `svm:${string}`
  readonly chainId: string
  readonly rpcUrl: string
  readonly operations: Readonly<Record<string, ChainOperation>>
  readonly #server: RpcServer
  readonly #proxy: FaultProxy
  readonly #world: World
  readonly #log: (line: string) => void
  #closing: Promise<void> | undefined

  constructor(chainId: string, parts: { server: RpcServer; proxy: FaultProxy; world: World; log: (line: string) => void }) {
    this.id = `svm:${chainId}`
    this.chainId = chainId
    this.rpcUrl = parts.proxy.url
    this.#server = parts.server
    this.#proxy = parts.proxy
    this.#world = parts.world
    this.#log = parts.log
    this.operations = chainOperations(parts.world)
  }

  /** Hash of its first block, by which clients know the cluster. */
  get genesisHash(): string {
    return this.#world.genesisHash
  }

  /** Whether stake pool instructions run in the real program (its file was given) or in the stand-in. */
  get stakePoolProgram(): 'real' | 'stand-in' {
    return this.#world.pools.kind
  }

  /**
   * Moves the chain on. An epoch goes to the first block of the next one: rewards are paid, stake warms up and cools down, and stake
   * pools are updated. Seconds pass in slots of 350 ms, through as many epochs as they take.
   *
   * @throws SandboxError `INVALID_INPUT`
   */
  async advance(step: Step): Promise<SvmHead & Record<string, unknown>> {
    const checked = parseStep(step)
    if ('epochs' in checked) this.#world.advanceEpochs(checked.epochs)
    else this.#world.advanceSeconds(checked.seconds)
    return this.latest()
  }

  /**
   * Adds to a balance, out of nothing; as often as it is told, with the same amount too. In a block of its own.
   *
   * @param amount lamports as a bigint, or decimal text in SOL (`'1.5'`)
   * @returns the address and its balance after, as exact decimal text in SOL
   * @throws SandboxError `INVALID_INPUT` for an address that is none, an amount of zero, or one that leaves less than the rent
   */
  async fund(address: string, amount: bigint | string): Promise<{ address: string; balance: string }> {
    const lamports = typeof amount === 'bigint' ? amount : parseUnits(amount, decimals)
    if (lamports < 1n) throw new SandboxError('INVALID_INPUT', `amount is ${lamports} lamports: it must be more than zero`)
    this.#world.fund(address, lamports)
    return { address, balance: formatUnits(await this.balance(address), decimals) }
  }

  /** Lamports of an address; 0 when it has no account. */
  async balance(address: string): Promise<bigint> {
    return this.account(address)?.lamports ?? 0n
  }

  /** An account as it is now; undefined when there is none. @throws SandboxError `INVALID_INPUT` */
  account(address: string): SvmAccount | undefined {
    return this.#world.account(address)
  }

  /**
   * Writes an account past every rule. What is left out stays as it was; a new one is a wallet without data. 0 lamports remove it.
   *
   * @throws SandboxError `INVALID_INPUT`
   */
  setAccount(address: string, account: Partial<SvmAccount>): void {
    this.#world.setAccount(address, account)
  }

  /** Base units of a token that an address has in its associated token account. @throws SandboxError `INVALID_INPUT` */
  tokenBalance(owner: string, mint: string): bigint {
    return this.#world.tokenBalance(owner, mint)
  }

  /**
   * Mints tokens to an owner's associated token account, past every rule. Tokens of a pool come with the lamports in its reserve that
   * they are worth, so that its rate stays.
   *
   * @throws SandboxError `INVALID_INPUT`
   */
  mintTo(mint: string, owner: string, amount: bigint): void {
    this.#world.mintTo(mint, owner, amount)
  }

  /**
   * Makes a validator: a vote account of the real program, made by a transaction of its own.
   *
   * @throws SandboxError `INVALID_INPUT` for a name that is taken, or a commission above 10,000 basis points
   */
  async createValidator(options: SvmValidatorOptions): Promise<SvmValidator> {
    return this.#world.createValidator(options)
  }

  /** Makes a stake pool, up to date, with its reserve and its stake at work. @throws SandboxError `INVALID_INPUT` */
  async createStakePool(options: SvmStakePoolOptions): Promise<SvmStakePool> {
    return this.#world.createStakePool(options)
  }

  /**
   * Says what the rest of the cluster has staked from now on. With little of it, warm-up and cool-down take several epochs, as the chain
   * lets 9 % of the effective stake change in each.
   */
  setCluster(cluster: Partial<SvmCluster>): void {
    this.#world.setCluster(cluster)
  }

  /** Makes blocks. @returns where the chain stands */
  async mine(blocks = 1): Promise<SvmHead & Record<string, unknown>> {
    this.#world.mine(parseCount('blocks', blocks, maxBlocks))
    return this.latest()
  }

  latest(): SvmHead & Record<string, unknown> {
    return { ...this.#world.head() }
  }

  /** Makes the blocks for the real time that has passed since the chain last noticed. */
  async tick(): Promise<void> {
    this.#world.tick()
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
}
