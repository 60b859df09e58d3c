import {
  type ChainOperation,
  type Door,
  DoorChain,
  formatUnits,
  openDoor,
  parseAmount,
  parseBlocks,
  parseChainName,
  parseStep,
  type SandboxChain,
  type Step,
} from '@svc/sandbox'
import { lifeOperations } from './life-operations.ts'
import { chainOperations } from './operations.ts'
import { genesisHashes } from './programs.ts'
import type {
  SvmAccount,
  SvmCluster,
  SvmHead,
  SvmStakeOptions,
  SvmStakePool,
  SvmStakePoolOptions,
  SvmValidator,
  SvmValidatorOptions,
} from './types.ts'
import type { World } from './world.ts'

/** A lamport is 10^-9 SOL. */
const decimals = 9

/**
 * Starts a local Solana chain on 127.0.0.1: LiteSVM in this process behind a node's JSON-RPC, and in front of it the fault proxy, which
 * is the chain's `rpcUrl`. Its WebSocket is at the next port, past the proxy.
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
  const chainId = parseChainName(options.chainId, 'mainnet-beta')
  const id = `svm:${chainId}`
  const [{ startWorld }, { rpcOf }, { openPair }] = await loadEngine()
  const world = await startWorld({
    chainId,
    genesisHash: options.genesisHash ?? genesisHashes[chainId],
    time: options.time,
    stakePoolProgram: options.stakePoolProgram ?? (process.env.SVC_STAKE_POOL_PROGRAM || undefined),
  })
  const open = (port: number) => openDoor({ ...options, port, id, engine: { answer: rpcOf(world) } })
  const { rpc: door, pubsub } = await openPair({ world, port: options.port ?? 0, name: `chain ${id}`, open })
  door.onClose(() => pubsub.close())
  return new SvmChain(chainId, door, world)
}

/** Loads the engine, only when a chain is wanted, since LiteSVM is a large native library. @throws SandboxError `ENGINE_MISSING` */
export function loadEngine() {
  return Promise.all([import('./world.ts'), import('./rpc/server.ts'), import('./rpc/pubsub.ts')])
}

/** A local Solana chain; made by `startSvmChain`. */
export class SvmChain extends DoorChain implements SandboxChain {
  readonly id: `svm:${string}`
  readonly chainId: string
  readonly operations: Readonly<Record<string, ChainOperation>>
  readonly #world: World

  constructor(chainId: string, door: Door, world: World) {
    super(door)
    this.id = `svm:${chainId}`
    this.chainId = chainId
    this.#world = world
    this.operations = { ...chainOperations(world), ...lifeOperations(world) }
  }

  /** Hash of its first block, by which clients know the cluster. */
  get genesisHash(): string {
    return this.#world.genesisHash
  }

  /** Tells whether stake pool instructions run in the real program (its file was given) or in the stand-in. */
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
    this.#world.fund(address, parseAmount(amount, decimals, 'lamports'))
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
   * Gives a wallet a stake account that no transaction made.
   *
   * @returns its address, which follows from the name
   * @throws SandboxError `INVALID_INPUT`
   */
  giveStake(options: SvmStakeOptions): string {
    return this.#world.giveStake(options)
  }

  /**
   * Gives a wallet a nonce account that no transaction made. Address and nonce follow from the name.
   *
   * @returns its address
   * @throws SandboxError `INVALID_INPUT`
   */
  giveNonce(name: string, wallet: string): string {
    return this.#world.giveNonce(name, wallet)
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
    this.#world.mine(parseBlocks(blocks))
    return this.latest()
  }

  latest(): SvmHead & Record<string, unknown> {
    return { ...this.#world.head() }
  }

  /** Makes the blocks for the real time that has passed since the chain last noticed. */
  async tick(): Promise<void> {
    this.#world.tick()
  }
}
