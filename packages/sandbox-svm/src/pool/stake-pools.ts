import { present, SandboxError } from '@svc/sandbox'
import type { Bank } from '../bank.ts'
import { concat, u32 } from '../bytes.ts'
import { programAddress } from '../keys.ts'
import { asAddress, fromBase58 } from '../litesvm.ts'
import type { Message } from '../message.ts'
import { upgradeableLoader } from '../programs.ts'
import { delegationOf, stakeReserve, withStake } from '../stake-account.ts'
import { holdingOf, mintOf, withAmount, withSupply } from '../tokens.ts'
import type { Replacement } from '../transactions.ts'
import type { SvmAccount, SvmFee, SvmStakePool } from '../types.ts'
import { epochFeeTokens } from './arithmetic.ts'
import { replacementOf } from './stand-in.ts'
import {
  type FutureFee,
  noFutureFee,
  type Pool,
  readList,
  readPool,
  transientStake,
  type ValidatorList,
  validatorStake,
  writeList,
  writePool,
} from './state.ts'

/** State of an account of a program. @see solana-loader-v3-interface, UpgradeableLoaderState::Program (read 2026-11-25) */
const PROGRAM_STATE = 2

/** Fee that an increase from none is measured by. @see program/src/lib.rs, WITHDRAWAL_BASELINE_FEE (read 2026-11-29) */
const BASELINE: SvmFee = { numerator: 1n, denominator: 1_000n }

/** Fees that the control port can set. */
export type PoolFee = 'solDepositFee' | 'epochFee' | 'solWithdrawalFee' | 'stakeWithdrawalFee'

interface Known {
  readonly addresses: SvmStakePool
  readonly name: string
  stale: boolean
}

/** The stake pools of a chain: whom their instructions go to, and what a cranker does for them when an epoch begins. */
export class StakePools {
  readonly kind: 'real' | 'stand-in'
  readonly #bank: Bank
  readonly #program: Uint8Array | undefined
  readonly #programs = new Set<string>()
  readonly #known = new Map<string, Known>()

  /** @param program bytes of the real program; without them its instructions go to the stand-in */
  constructor(bank: Bank, program: Uint8Array | undefined) {
    this.#bank = bank
    this.#program = program
    this.kind = program === undefined ? 'stand-in' : 'real'
  }

  get all(): Iterable<Known> {
    return this.#known.values()
  }

  find(pool: string): Known | undefined {
    return this.#known.get(pool)
  }

  byMint(mint: string): Known | undefined {
    return [...this.#known.values()].find(({ addresses }) => addresses.mint === mint)
  }

  /**
   * The account of a program that the stand-in answers for: to whoever looks, it is there, as the chain has it, with its code elsewhere. The engine has none.
   *
   * @returns undefined for any other address
   */
  programAt(address: string): SvmAccount | undefined {
    if (this.kind === 'real' || !this.#programs.has(address)) return undefined
    const code = programAddress(upgradeableLoader, [fromBase58(address)]).address
    const data = concat(u32(PROGRAM_STATE), fromBase58(code))
    return { lamports: this.#bank.rent(data.length), owner: upgradeableLoader, data, executable: true }
  }

  /** Has a program at this address from now on. */
  install(program: string): void {
    if (this.#programs.has(program)) return
    this.#programs.add(program)
    if (this.#program !== undefined) this.#bank.svm.addProgram(asAddress(program), this.#program)
  }

  add(name: string, addresses: SvmStakePool): void {
    this.#known.set(addresses.pool, { name, addresses, stale: false })
  }

  replace(message: Message, lifetime: Uint8Array): Replacement | undefined {
    if (this.kind === 'real') return undefined
    return replacementOf(message, lifetime, this.#programs, this.#bank)
  }

  /** At the beginning of an epoch: every pool that is not left stale is brought up to date. */
  endEpoch(): void {
    for (const { addresses, stale } of this.#known.values()) if (!stale) this.update(addresses)
  }

  /**
   * Does what the instructions of an epoch update come to: balances of the list, the total, the epoch fee for the manager, and fees
   * that take effect.
   */
  update({ pool: address, program, reserve, validatorList, managerFeeAccount, mint }: SvmStakePool): void {
    const account = this.#bank.existing(address)
    const pool = poolIn(account)
    if (pool.lastUpdate >= this.#bank.epoch) return
    const listAccount = this.#bank.existing(validatorList)
    const list = listIn(listAccount)
    const lamports = (of: string) => this.#bank.account(of)?.lamports ?? 0n
    const entries = list.entries.map((entry) => ({
      ...entry,
      active: lamports(validatorStake(program, address, entry)),
      transient: lamports(transientStake(program, address, entry)),
      lastUpdate: this.#bank.epoch,
    }))
    const staked = entries.reduce((sum, { active, transient }) => sum + active + transient, 0n)
    const total = staked + lamports(reserve) - stakeReserve
    const fee = epochFeeTokens(pool, total)
    const holding = this.#bank.account(managerFeeAccount)
    const buffer = holdingOf(holding)
    const paid = buffer?.mint === mint ? fee : 0n
    if (paid > 0n && holding !== undefined && buffer !== undefined) {
      this.#bank.setAccount(managerFeeAccount, withAmount(holding, buffer.amount + paid))
      const minted = this.#bank.existing(mint)
      this.#bank.setAccount(mint, withSupply(minted, present(mintOf(minted), `a mint at ${mint}`).supply + paid))
    }
    // Holders may have burnt some by themselves.
    const { supply } = present(mintOf(this.#bank.existing(mint)), `a mint at ${mint}`)
    const after = {
      ...withFees(pool),
      total,
      supply,
      lastUpdate: this.#bank.epoch,
      lastSupply: pool.supply,
      lastTotal: pool.total,
    }
    this.#bank.setAccount(validatorList, { ...listAccount, data: writeList({ ...list, entries }) })
    this.#bank.setAccount(address, { ...account, data: writePool(after) })
  }

  /**
   * Delegates what is in the reserve, as a staker does, all at once and effective: the total stays as it is.
   *
   * @returns lamports that were moved; 0 when the pool has no validator, or less than that in its reserve
   */
  drainReserve({ pool, program, reserve, validatorList }: SvmStakePool, lamports: bigint): bigint {
    const listAccount = this.#bank.existing(validatorList)
    const list = listIn(listAccount)
    const [first] = list.entries
    const from = this.#bank.existing(reserve)
    if (first === undefined || from.lamports - stakeReserve < lamports) return 0n
    const address = validatorStake(program, pool, first)
    const to = this.#bank.existing(address)
    const { stake } = present(delegationOf(to.data), `a delegation of ${address}`)
    this.#bank.setAccount(reserve, { ...from, lamports: from.lamports - lamports })
    this.#bank.setAccount(address, { ...to, lamports: to.lamports + lamports, data: withStake(to.data, stake + lamports) })
    const entries = list.entries.with(0, { ...first, active: first.active + lamports })
    this.#bank.setAccount(validatorList, { ...listAccount, data: writeList({ ...list, entries }) })
    return lamports
  }

  /**
   * Sets a fee as the manager does by SetFee: that of deposits of SOL counts at once, the others after the second update to come.
   *
   * @throws SandboxError `INVALID_INPUT` for what the program refuses
   * @see https://github.com/solana-program/stake-pool program/src/processor.rs, process_set_fee (read 2026-11-29)
   */
  setFee({ pool: address }: SvmStakePool, name: PoolFee, fee: SvmFee): void {
    const account = this.#bank.existing(address)
    const pool = poolIn(account)
    if (name !== 'solDepositFee' && pool.lastUpdate < this.#bank.epoch)
      throw new SandboxError('INVALID_INPUT', `pool ${address} was not brought up to date in this epoch: its fees to come cannot be set`)
    const next: FutureFee = { wait: 2, fee }
    if (name !== 'solDepositFee' && name !== 'epochFee') checkIncrease(pool[name], fee)
    const after = {
      solDepositFee: { ...pool, solDepositFee: fee },
      epochFee: { ...pool, nextEpochFee: next },
      solWithdrawalFee: { ...pool, nextSolWithdrawalFee: next },
      stakeWithdrawalFee: { ...pool, nextStakeWithdrawalFee: next },
    }
    this.#bank.setAccount(address, { ...account, data: writePool(after[name]) })
  }

  /**
   * Takes lamports of the pool's stake with its first validator away, as a slash would: the next update finds them missing.
   *
   * @returns lamports that were taken; 0 when the validator has not so many
   */
  lose({ pool, program, validatorList }: SvmStakePool, lamports: bigint): bigint {
    const [first] = listIn(this.#bank.existing(validatorList)).entries
    if (first === undefined) return 0n
    const address = validatorStake(program, pool, first)
    const from = this.#bank.existing(address)
    const { stake } = present(delegationOf(from.data), `a delegation of ${address}`)
    if (stake <= lamports) return 0n
    this.#bank.setAccount(address, { ...from, lamports: from.lamports - lamports, data: withStake(from.data, stake - lamports) })
    return lamports
  }

  /** Pool tokens out of nothing, with the lamports in the reserve that they are worth, so that the rate stays. */
  grow({ pool: address, reserve }: SvmStakePool, tokens: bigint): void {
    const account = this.#bank.existing(address)
    const pool = poolIn(account)
    const worth = pool.supply === 0n ? tokens : (tokens * pool.total + pool.supply - 1n) / pool.supply
    const reserveState = this.#bank.existing(reserve)
    this.#bank.setAccount(reserve, { ...reserveState, lamports: reserveState.lamports + worth })
    const after = { ...pool, total: pool.total + worth, supply: pool.supply + tokens }
    this.#bank.setAccount(address, { ...account, data: writePool(after) })
  }

  /** Lamports that can be taken out of the reserve at once. */
  available({ reserve }: SvmStakePool): bigint {
    return this.#bank.existing(reserve).lamports - stakeReserve
  }

  /** The pool as its account has it. */
  read({ pool }: SvmStakePool): Pool {
    return poolIn(this.#bank.existing(pool))
  }
}

/** Refuses a fee of withdrawals that is more than half as much again as the one that counts, or as a thousandth where there is none. @see program/src/state.rs, Fee::check_withdrawal (read 2026-11-29) */
function checkIncrease(fee: SvmFee, next: SvmFee): void {
  const { numerator, denominator } = fee.numerator === 0n || fee.denominator === 0n ? BASELINE : fee
  if (next.numerator * denominator * 2n <= numerator * next.denominator * 3n) return
  const text = (part: SvmFee) => `${part.numerator} of ${part.denominator}`
  throw new SandboxError(
    'INVALID_INPUT',
    `a fee of ${text(next)} is more than 3 / 2 of ${text({ numerator, denominator })}: the program refuses it`,
  )
}

function poolIn({ data }: SvmAccount): Pool {
  return present(readPool(data), 'the account of a pool')
}

function listIn({ data }: SvmAccount): ValidatorList {
  return present(readList(data), 'the validator list of a pool')
}

function withFees(pool: Pool): Pool {
  const epoch = due(pool.epochFee, pool.nextEpochFee)
  const stake = due(pool.stakeWithdrawalFee, pool.nextStakeWithdrawalFee)
  const sol = due(pool.solWithdrawalFee, pool.nextSolWithdrawalFee)
  return {
    ...pool,
    epochFee: epoch.fee,
    nextEpochFee: epoch.next,
    stakeWithdrawalFee: stake.fee,
    nextStakeWithdrawalFee: stake.next,
    solWithdrawalFee: sol.fee,
    nextSolWithdrawalFee: sol.next,
  }
}

function due(fee: SvmFee, next: FutureFee): { fee: SvmFee; next: FutureFee } {
  if (next.wait === 1) return { fee: next.fee, next: noFutureFee }
  return { fee, next: next.wait === 2 ? { ...next, wait: 1 } : next }
}
