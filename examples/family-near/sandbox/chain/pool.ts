import { UNLOCK_EPOCHS } from './units.ts'

/** What the contract says when it refuses. */
export class Panic extends Error {}

/** What an account has with the pool. */
interface Member {
  readonly unstaked: bigint
  readonly shares: bigint
  /** Epoch from which `unstaked` can be withdrawn. */
  readonly free: bigint
}

/** State of the contract, replaced as a whole by each call, so that one that panics leaves it as it was. */
interface State {
  readonly staked: bigint
  readonly shares: bigint
  readonly members: ReadonlyMap<string, Member>
  readonly lastEpoch: bigint
  readonly lastTotal: bigint
  readonly isPaused: boolean
}

/** What the chain tells the contract. */
export interface Environment {
  readonly epoch: bigint
  /** The pool's account, with what is sent along, and with what is locked as its stake. */
  readonly total: bigint
  readonly caller: string
  readonly deposit: bigint
}

/** What a call has done besides changing the state. */
export interface Effects {
  readonly logs: readonly string[]
  /** Stake to be locked from now on; null: none is asked for. */
  readonly stake: bigint | null
  /** Yocto to be paid to the caller. */
  readonly pays: bigint
}

/** Left over by the pool's first stake, to pay for rounding. */
const GUARANTEE = 1_000_000_000_000n
const NOBODY: Member = { unstaked: 0n, shares: 0n, free: 0n }

/**
 * A staking pool, by the rules of its contract: six formulas that were run against the compiled contract, 4,000 calls of 4,000 alike, for the reference that this
 * was written from.
 *
 * @see https://github.com/near/core-contracts/tree/1c58c1f/staking-pool (read 2026-11-23)
 */
export class Pool {
  readonly owner: string
  readonly fee: { readonly numerator: number; readonly denominator: number }
  #state: State

  constructor(owner: string, balance: bigint, epoch: bigint, fee: Pool['fee']) {
    const staked = balance - GUARANTEE
    this.owner = owner
    this.fee = fee
    this.#state = { staked, shares: staked, members: new Map(), lastEpoch: epoch, lastTotal: balance, isPaused: false }
  }

  get staked(): bigint {
    return this.#state.staked
  }

  get isPaused(): boolean {
    return this.#state.isPaused
  }

  set isPaused(on: boolean) {
    this.#state = { ...this.#state, isPaused: on }
  }

  get accounts(): number {
    return this.#state.members.size
  }

  account(id: string, epoch: bigint) {
    const { unstaked, shares, free } = this.#member(id)
    return { account_id: id, unstaked_balance: String(unstaked), staked_balance: String(this.#worth(shares)), can_withdraw: free <= epoch }
  }

  /** Runs a method that changes something. @throws Panic with the contract's words, and nothing is changed */
  call(method: string, args: string, environment: Environment): Effects {
    const before = this.#state
    const logs: string[] = []
    try {
      const { restakes, pays } = this.#run(method, args, environment, logs)
      return { logs, stake: restakes && !this.#state.isPaused ? this.#state.staked : null, pays }
    } catch (error) {
      this.#state = before
      throw error
    }
  }

  #run(method: string, text: string, environment: Environment, logs: string[]): { readonly restakes: boolean; readonly pays: bigint } {
    const { caller, deposit } = environment
    const payable = method === 'deposit' || method === 'deposit_and_stake'
    if (deposit > 0n && !payable) throw new Panic(`Method ${method} doesn't accept deposit`)
    const amount = () => amountIn(text)
    const isNew = this.#ping(environment, logs)
    switch (method) {
      case 'ping':
        return { restakes: isNew, pays: 0n }
      case 'deposit':
        this.#deposit(caller, deposit, logs)
        return { restakes: isNew, pays: 0n }
      case 'deposit_and_stake':
        this.#deposit(caller, deposit, logs)
        this.#stake(caller, deposit, logs)
        return { restakes: true, pays: 0n }
      case 'stake':
        this.#stake(caller, amount(), logs)
        return { restakes: true, pays: 0n }
      case 'stake_all':
        this.#stake(caller, this.#member(caller).unstaked, logs)
        return { restakes: true, pays: 0n }
      case 'unstake':
        this.#unstake(caller, amount(), environment.epoch, logs)
        return { restakes: true, pays: 0n }
      case 'unstake_all':
        this.#unstake(caller, this.#worth(this.#member(caller).shares), environment.epoch, logs)
        return { restakes: true, pays: 0n }
      case 'withdraw':
        return { restakes: isNew, pays: this.#withdraw(caller, amount(), environment.epoch, logs) }
      case 'withdraw_all':
        return { restakes: isNew, pays: this.#withdraw(caller, this.#member(caller).unstaked, environment.epoch, logs) }
      default:
        throw new Panic('MethodNotFound')
    }
  }

  #member(id: string): Member {
    return this.#state.members.get(id) ?? NOBODY
  }

  /** An account with nothing is forgotten, as the contract does. */
  #keep(id: string, member: Member): void {
    const members = new Map(this.#state.members)
    if (member.unstaked === 0n && member.shares === 0n) members.delete(id)
    else members.set(id, member)
    this.#state = { ...this.#state, members }
  }

  #worth(shares: bigint): bigint {
    return this.#state.shares === 0n ? 0n : (this.#state.staked * shares) / this.#state.shares
  }

  #ping({ epoch, total, deposit }: Environment, logs: string[]): boolean {
    const { lastEpoch, lastTotal, staked, shares } = this.#state
    if (epoch === lastEpoch) return false
    const totalNow = total - deposit
    if (totalNow < lastTotal) throw new Panic('The new total balance should not be less than the old total balance')
    const reward = totalNow - lastTotal
    this.#state = { ...this.#state, lastEpoch: epoch, lastTotal: totalNow }
    if (reward === 0n) return true
    const fee = (reward * BigInt(this.fee.numerator)) / BigInt(this.fee.denominator)
    const own = (shares * fee) / (staked + reward - fee)
    this.#state = { ...this.#state, staked: staked + reward, shares: shares + own }
    const owner = this.#member(this.owner)
    this.#keep(this.owner, { ...owner, shares: owner.shares + own })
    logs.push(
      `Epoch ${epoch}: Contract received total rewards of ${reward} tokens. New total staked balance is ${staked + reward}. Total number of shares ${shares + own}`,
    )
    return true
  }

  #deposit(id: string, amount: bigint, logs: string[]): void {
    const member = this.#member(id)
    const unstaked = member.unstaked + amount
    this.#keep(id, { ...member, unstaked })
    this.#state = { ...this.#state, lastTotal: this.#state.lastTotal + amount }
    logs.push(`@${id} deposited ${amount}. New unstaked balance is ${unstaked}`)
  }

  #stake(id: string, amount: bigint, logs: string[]): void {
    const { staked, shares } = this.#state
    if (amount <= 0n) throw new Panic('Staking amount should be positive')
    const bought = (shares * amount) / staked
    if (bought <= 0n) throw new Panic('The calculated number of "stake" shares received for staking should be positive')
    const charged = (staked * bought) / shares
    const member = this.#member(id)
    if (member.unstaked < charged) throw new Panic('Not enough unstaked balance to stake')
    const after = { ...member, unstaked: member.unstaked - charged, shares: member.shares + bought }
    this.#keep(id, after)
    this.#state = { ...this.#state, staked: staked + up(staked * bought, shares), shares: shares + bought }
    logs.push(
      `@${id} staking ${charged}. Received ${bought} new staking shares. Total ${after.unstaked} unstaked balance and ${after.shares} staking shares`,
    )
  }

  #unstake(id: string, amount: bigint, epoch: bigint, logs: string[]): void {
    const { staked, shares } = this.#state
    if (amount <= 0n) throw new Panic('Unstaking amount should be positive')
    const member = this.#member(id)
    const sold = up(shares * amount, staked)
    if (sold > member.shares) throw new Panic('Not enough staked balance to unstake')
    const received = up(staked * sold, shares)
    const after = { unstaked: member.unstaked + received, shares: member.shares - sold, free: epoch + UNLOCK_EPOCHS }
    this.#keep(id, after)
    this.#state = { ...this.#state, staked: staked - (staked * sold) / shares, shares: shares - sold }
    logs.push(
      `@${id} unstaking ${received}. Spent ${sold} staking shares. Total ${after.unstaked} unstaked balance and ${after.shares} staking shares`,
    )
  }

  #withdraw(id: string, amount: bigint, epoch: bigint, logs: string[]): bigint {
    const member = this.#member(id)
    if (amount <= 0n) throw new Panic('Withdrawal amount should be positive')
    if (member.unstaked < amount) throw new Panic('Not enough unstaked balance to withdraw')
    if (member.free > epoch) throw new Panic('The unstaked balance is not yet available due to unstaking delay')
    const unstaked = member.unstaked - amount
    this.#keep(id, { ...member, unstaked })
    this.#state = { ...this.#state, lastTotal: this.#state.lastTotal - amount }
    logs.push(`@${id} withdrawing ${amount}. New unstaked balance is ${unstaked}`)
    return amount
  }
}

function up(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

/** @throws Panic as the contract does for what is no amount in quotes */
function amountIn(text: string): bigint {
  try {
    const { amount } = JSON.parse(text) as { readonly amount?: unknown }
    if (typeof amount === 'string' && /^\d{1,39}$/.test(amount)) return BigInt(amount)
  } catch {
    // Said below.
  }
  throw new Panic('Failed to deserialize input from JSON.: Error("invalid type, expected a string", line: 1, column: 0)')
}
