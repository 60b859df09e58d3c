import { concat, Reader, u32, u64 } from '../bytes.ts'
import { programAddress } from '../keys.ts'
import { fromBase58, toBase58 } from '../litesvm.ts'
import type { SvmFee } from '../types.ts'

/** A fee that takes effect later: 0 none, 1 at the next update of an epoch, 2 at the one after. */
export interface FutureFee {
  readonly wait: 0 | 1 | 2
  readonly fee: SvmFee
}

/**
 * A stake pool as its account has it.
 *
 * @see https://github.com/solana-program/stake-pool program/src/state.rs, StakePool (read 2026-11-21)
 */
export interface Pool {
  readonly manager: string
  readonly staker: string
  readonly stakeDepositAuthority: string
  readonly bump: number
  readonly validatorList: string
  readonly reserve: string
  readonly mint: string
  readonly managerFee: string
  readonly tokenProgram: string
  readonly total: bigint
  readonly supply: bigint
  readonly lastUpdate: bigint
  readonly lockup: Uint8Array
  readonly epochFee: SvmFee
  readonly nextEpochFee: FutureFee
  readonly preferredDeposit: string | undefined
  readonly preferredWithdraw: string | undefined
  readonly stakeDepositFee: SvmFee
  readonly stakeWithdrawalFee: SvmFee
  readonly nextStakeWithdrawalFee: FutureFee
  readonly stakeReferral: number
  readonly solDepositAuthority: string | undefined
  readonly solDepositFee: SvmFee
  readonly solReferral: number
  readonly solWithdrawAuthority: string | undefined
  readonly solWithdrawalFee: SvmFee
  readonly nextSolWithdrawalFee: FutureFee
  readonly lastSupply: bigint
  readonly lastTotal: bigint
}

/** Bytes that are allocated for a pool. */
export const poolSpace = 611
const lockupSpace = 48
const entrySpace = 73
const listHead = 9
/** Account types, the first byte. */
const poolType = 1
const listType = 2

export const noFee: SvmFee = { numerator: 0n, denominator: 0n }
export const noFutureFee: FutureFee = { wait: 0, fee: noFee }

/** Reads a stake pool from the data of its account. @returns undefined when the data is no pool's */
export function readPool(data: Uint8Array): Pool | undefined {
  if (data.length < poolSpace || data[0] !== poolType) return undefined
  const reader = new Reader(data, 1)
  const key = () => toBase58(reader.take(32))
  const option = () => (reader.u8() === 0 ? undefined : key())
  const fee = (): SvmFee => {
    const denominator = reader.u64()
    return { denominator, numerator: reader.u64() }
  }
  const future = (): FutureFee => {
    const wait = reader.u8()
    return wait === 1 || wait === 2 ? { wait, fee: fee() } : noFutureFee
  }
  // Members are read in the order they are written here.
  return {
    manager: key(),
    staker: key(),
    stakeDepositAuthority: key(),
    bump: reader.u8(),
    validatorList: key(),
    reserve: key(),
    mint: key(),
    managerFee: key(),
    tokenProgram: key(),
    total: reader.u64(),
    supply: reader.u64(),
    lastUpdate: reader.u64(),
    lockup: reader.take(lockupSpace).slice(),
    epochFee: fee(),
    nextEpochFee: future(),
    preferredDeposit: option(),
    preferredWithdraw: option(),
    stakeDepositFee: fee(),
    stakeWithdrawalFee: fee(),
    nextStakeWithdrawalFee: future(),
    stakeReferral: reader.u8(),
    solDepositAuthority: option(),
    solDepositFee: fee(),
    solReferral: reader.u8(),
    solWithdrawAuthority: option(),
    solWithdrawalFee: fee(),
    nextSolWithdrawalFee: future(),
    lastSupply: reader.u64(),
    lastTotal: reader.u64(),
  }
}

/** Writes a pool as its account holds it, in the layout that `readPool` reads. */
export function writePool(pool: Pool): Uint8Array {
  const option = (key: string | undefined) => (key === undefined ? Uint8Array.of(0) : concat([1], fromBase58(key)))
  const fee = ({ denominator, numerator }: SvmFee) => concat(u64(denominator), u64(numerator))
  const future = ({ wait, fee: later }: FutureFee) => (wait === 0 ? Uint8Array.of(0) : concat([wait], fee(later)))
  const bytes = concat(
    [poolType],
    fromBase58(pool.manager),
    fromBase58(pool.staker),
    fromBase58(pool.stakeDepositAuthority),
    [pool.bump],
    fromBase58(pool.validatorList),
    fromBase58(pool.reserve),
    fromBase58(pool.mint),
    fromBase58(pool.managerFee),
    fromBase58(pool.tokenProgram),
    u64(pool.total),
    u64(pool.supply),
    u64(pool.lastUpdate),
    pool.lockup,
    fee(pool.epochFee),
    future(pool.nextEpochFee),
    option(pool.preferredDeposit),
    option(pool.preferredWithdraw),
    fee(pool.stakeDepositFee),
    fee(pool.stakeWithdrawalFee),
    future(pool.nextStakeWithdrawalFee),
    [pool.stakeReferral],
    option(pool.solDepositAuthority),
    fee(pool.solDepositFee),
    [pool.solReferral],
    option(pool.solWithdrawAuthority),
    fee(pool.solWithdrawalFee),
    future(pool.nextSolWithdrawalFee),
    u64(pool.lastSupply),
    u64(pool.lastTotal),
  )
  const data = new Uint8Array(poolSpace)
  data.set(bytes)
  return data
}

/** An entry of the validator list. Lamports have the rent in them. */
export interface Entry {
  readonly active: bigint
  readonly transient: bigint
  readonly lastUpdate: bigint
  readonly transientSeed: bigint
  readonly unused: number
  readonly validatorSeed: number
  /** 0 active, 1 deactivating transient, 2 ready for removal. */
  readonly status: number
  readonly vote: string
}

export interface ValidatorList {
  readonly max: number
  readonly entries: readonly Entry[]
}

/** Reads a validator list from the data of its account. @returns undefined when the data is no list's */
export function readList(data: Uint8Array): ValidatorList | undefined {
  if (data.length < listHead || data[0] !== listType) return undefined
  const reader = new Reader(data, 1)
  const max = reader.u32()
  const entries = Array.from({ length: reader.u32() }, () => ({
    active: reader.u64(),
    transient: reader.u64(),
    lastUpdate: reader.u64(),
    transientSeed: reader.u64(),
    unused: reader.u32(),
    validatorSeed: reader.u32(),
    status: reader.u8(),
    vote: toBase58(reader.take(32)),
  }))
  return { max, entries }
}

/** Writes a validator list as its account holds it, with zeros for the entries that there is room for. */
export function writeList({ max, entries }: ValidatorList): Uint8Array {
  const data = new Uint8Array(listHead + entrySpace * max)
  const written = entries.map((entry) =>
    concat(
      u64(entry.active),
      u64(entry.transient),
      u64(entry.lastUpdate),
      u64(entry.transientSeed),
      u32(entry.unused),
      u32(entry.validatorSeed),
      [entry.status],
      fromBase58(entry.vote),
    ),
  )
  data.set(concat([listType], u32(max), u32(entries.length), ...written))
  return data
}

/**
 * Derives the address in whose name a pool program signs for the stake and the mint of a pool.
 *
 * @see stake-pool program/src/lib.rs `find_withdraw_authority_program_address`
 */
export function withdrawAuthority(program: string, pool: string): { address: string; bump: number } {
  return programAddress(program, [fromBase58(pool), Buffer.from('withdraw')])
}

/**
 * Derives the address that may deposit stake into a pool which names no other.
 *
 * @see stake-pool program/src/lib.rs `find_deposit_authority_program_address`
 */
export function depositAuthority(program: string, pool: string): string {
  return programAddress(program, [fromBase58(pool), Buffer.from('deposit')]).address
}

/** Derives the stake account that a pool keeps with a validator. @see stake-pool program/src/lib.rs `find_stake_program_address` */
export function validatorStake(program: string, pool: string, { vote, validatorSeed }: Pick<Entry, 'vote' | 'validatorSeed'>): string {
  const seed = validatorSeed === 0 ? [] : [u32(validatorSeed)]
  return programAddress(program, [fromBase58(vote), fromBase58(pool), ...seed]).address
}

/**
 * Derives the stake account through which a pool moves stake to a validator, and from it.
 *
 * @see stake-pool program/src/lib.rs `find_transient_stake_program_address`
 */
export function transientStake(program: string, pool: string, { vote, transientSeed }: Pick<Entry, 'vote' | 'transientSeed'>): string {
  return programAddress(program, [Buffer.from('transient'), fromBase58(vote), fromBase58(pool), u64(transientSeed)]).address
}
