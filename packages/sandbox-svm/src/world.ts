import { type FaultProxy, SandboxError } from '@svc/sandbox'
import { checked } from './address.ts'
import { Bank, slotMs, slotsPerEpoch } from './bank.ts'
import { Votes } from './commitment.ts'
import { Epochs } from './epochs.ts'
import { addressOf, sha256, tokenAddress } from './keys.ts'
import { Ledger } from './ledger.ts'
import { toBase58 } from './litesvm.ts'
import { newNonce, nonceSpace } from './nonce.ts'
import { createStakePool } from './pool/create.ts'
import { loadStakePoolProgram } from './pool/program.ts'
import { StakePools } from './pool/stake-pools.ts'
import { stakeProgram, system } from './programs.ts'
import { Queue } from './queue.ts'
import { minimumDelegation, never, stakeData, stakeReserve, withdrawerOf, withWithdrawer } from './stake-account.ts'
import { holdingOf, mintOf, newHolding, tokenSpace, withAmount, withSupply } from './tokens.ts'
import { Transactions } from './transactions.ts'
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
import { Validators } from './validators.ts'

/** Lamports delegated to a validator at the start, unless it says otherwise: a million SOL. */
const usualStake = 1_000_000_000_000_000n
/** Names of the validators that stand for the rest of the cluster. */
const clusterNames = ['cluster 1', 'cluster 2', 'cluster 3', 'cluster 4']

/** Starts the world behind the RPC: the engine, with validators for the rest of the cluster. */
export async function startWorld(options: {
  chainId: string
  genesisHash: string | undefined
  time: number | undefined
  stakePoolProgram: string | undefined
}): Promise<World> {
  const { chainId, genesisHash, time = Math.floor(Date.now() / 1000) * 1000 } = options
  const program = options.stakePoolProgram === undefined ? undefined : await loadStakePoolProgram(options.stakePoolProgram)
  return new World(chainId, genesisHash ?? toBase58(sha256(Buffer.from(`genesis of ${chainId}`))), time, program)
}

/** Everything that a Solana chain is here, apart from its wire. */
export class World {
  readonly chainId: string
  readonly genesisHash: string
  readonly bank: Bank
  readonly validators: Validators
  readonly epochs: Epochs
  readonly pools: StakePools
  readonly votes: Votes
  readonly ledger = new Ledger()
  readonly transactions: Transactions
  readonly queue: Queue
  /** True if the node lists accounts of a program; some providers do not. */
  listsAccounts = true
  /** Door of the node's WebSocket, once it is open. */
  pubsub: Pick<FaultProxy, 'fault'> | undefined
  /** Micro-lamports per compute unit that recent blocks seem to have asked. */
  unitPrice = 0
  /** Lamports that the node says are the least to be delegated. */
  minimumDelegation = minimumDelegation
  #ticked = Date.now()

  constructor(chainId: string, genesisHash: string, time: number, program: Uint8Array | undefined) {
    this.chainId = chainId
    this.genesisHash = genesisHash
    this.bank = new Bank(BigInt(time))
    this.votes = new Votes(this.bank)
    this.bank.rooted = () => this.votes.slot('finalized')
    this.validators = new Validators(this.bank)
    this.epochs = new Epochs(this.bank, this.validators)
    this.pools = new StakePools(this.bank, program)
    this.transactions = new Transactions(this.bank, this.ledger, (message, lifetime) => this.pools.replace(message, lifetime))
    this.queue = new Queue(this.transactions)
    this.bank.onEpoch = (ended) => {
      this.epochs.end(ended)
      this.pools.endEpoch()
    }
    this.bank.onBlock = () => this.epochs.endBlock()
    for (const name of clusterNames) this.validators.create(name, 500)
  }

  head(): SvmHead {
    return this.bank.head()
  }

  /** Vote accounts that stand for the rest of the cluster; they share its stake. */
  isCluster(name: string): boolean {
    return clusterNames.includes(name)
  }

  get clusterShare(): bigint {
    return this.epochs.cluster.effective / BigInt(clusterNames.length)
  }

  advanceEpochs(epochs: number): void {
    this.bank.moveTo((this.bank.epoch + BigInt(epochs)) * slotsPerEpoch)
  }

  advanceSeconds(seconds: number): void {
    // Rounded up: as much time passes as was said, or a little more.
    this.bank.moveTo(this.bank.slot + (BigInt(seconds) * 1000n + slotMs - 1n) / slotMs)
  }

  mine(blocks: number): void {
    // One by one, so that each has its hash.
    for (let index = 0; index < blocks; index++) this.bank.block(() => {})
  }

  tick(): void {
    const passed = BigInt(Date.now() - this.#ticked) / slotMs
    if (passed <= 0n) return
    this.#ticked += Number(passed * slotMs)
    this.bank.moveTo(this.bank.slot + passed)
  }

  account(address: string): SvmAccount | undefined {
    return this.bank.account(checked(address))
  }

  setAccount(address: string, account: Partial<SvmAccount>): void {
    const before = this.account(address) ?? { lamports: 0n, owner: system, data: new Uint8Array(), executable: false }
    const after = { ...before, ...account }
    checked(after.owner)
    if (after.lamports < 0n || after.lamports >> 64n !== 0n) {
      throw new SandboxError('INVALID_INPUT', `lamports is ${after.lamports}: an account holds from 0 to 2^64 - 1`)
    }
    this.bank.block(() => this.bank.setAccount(address, after))
  }

  /** Makes somebody else the withdrawer of each stake account of a wallet, as whoever has its key can. @throws SandboxError `INVALID_INPUT` unless it is an address */
  stealStakes(wallet: unknown): { readonly accounts: readonly string[]; readonly withdrawer: string } {
    const owner = checked(wallet)
    const withdrawer = addressOf('thief')
    const targets = this.bank.accountsOf(stakeProgram).filter(({ account }) => withdrawerOf(account.data) === owner)
    this.bank.block(() => {
      for (const { address, account } of targets)
        this.bank.setAccount(address, { ...account, data: withWithdrawer(account.data, withdrawer) })
    })
    return { accounts: targets.map(({ address }) => address), withdrawer }
  }

  fund(address: string, lamports: bigint): void {
    const before = this.account(address)
    const after = (before?.lamports ?? 0n) + lamports
    const rent = this.bank.rent(before?.data.length ?? 0)
    if (after < rent) {
      const why = `an account of its size holds at least ${rent} lamports`
      throw new SandboxError('INVALID_INPUT', `${address} would have ${after} lamports: ${why}`)
    }
    this.setAccount(address, { lamports: after })
  }

  tokenBalance(owner: string, mint: string): bigint {
    return holdingOf(this.bank.account(tokenAddress(checked(owner), checked(mint))))?.amount ?? 0n
  }

  mintTo(mint: string, owner: string, amount: bigint): void {
    const minted = mintOf(this.account(mint))
    if (minted === undefined) throw new SandboxError('INVALID_INPUT', `${mint} is no mint of the token program`)
    this.bank.block(() => this.#mintTo(mint, owner, amount, minted.supply))
  }

  createValidator({ name, commissionBps, stake = usualStake }: SvmValidatorOptions): SvmValidator {
    return this.bank.block(() => {
      const { vote, identity } = this.validators.create(name, commissionBps)
      if (stake > 0n) {
        const delegation = { voter: vote, stake, activationEpoch: this.bank.epoch - 100n, deactivationEpoch: never }
        const data = stakeData(addressOf(`validator ${name} delegator`), delegation)
        const lamports = stake + stakeReserve
        this.bank.setAccount(addressOf(`validator ${name} stake`), { lamports, owner: stakeProgram, data, executable: false })
      }
      return { vote, identity }
    })
  }

  giveStake({ name, wallet, vote, amount, cooledDown }: SvmStakeOptions): string {
    const address = addressOf(`stake ${name}`)
    const deactivationEpoch = cooledDown ? this.bank.epoch - 10n : never
    const delegation = { voter: checked(vote), stake: amount, activationEpoch: this.bank.epoch - 100n, deactivationEpoch }
    const data = stakeData(checked(wallet), delegation)
    this.setAccount(address, { lamports: amount + stakeReserve, owner: stakeProgram, data })
    return address
  }

  giveNonce(name: string, wallet: string): string {
    const address = addressOf(`nonce ${name}`)
    const data = newNonce(checked(wallet), sha256(Buffer.from(`svc sandbox nonce ${name}`)))
    this.setAccount(address, { lamports: this.bank.rent(nonceSpace), owner: system, data })
    return address
  }

  createStakePool(options: SvmStakePoolOptions): SvmStakePool {
    return this.bank.block(() => createStakePool(this, options))
  }

  /** Lamports that an account holds for each of its bytes, and 128 more, at least. */
  setRent(perByte: bigint): void {
    this.bank.block(() => {
      const rent = this.bank.svm.getRent()
      rent.lamportsPerByteYear = perByte
      this.bank.svm.setRent(rent)
    })
  }

  setCluster(cluster: Partial<SvmCluster>): void {
    this.epochs.cluster = { ...this.epochs.cluster, ...cluster }
  }

  #mintTo(mint: string, owner: string, amount: bigint, supply: bigint): void {
    const address = tokenAddress(checked(owner), mint)
    const before = this.bank.account(address) ?? newHolding(mint, owner, this.bank.rent(tokenSpace))
    this.bank.setAccount(address, withAmount(before, (holdingOf(before)?.amount ?? 0n) + amount))
    this.bank.setAccount(mint, withSupply(this.bank.existing(mint), supply + amount))
    const pool = this.pools.byMint(mint)
    if (pool !== undefined) this.pools.grow(pool.addresses, amount)
  }
}
