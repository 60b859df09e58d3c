import { concat, i64, Reader, u32, u64 } from './bytes.ts'
import { fromBase58, toBase58 } from './litesvm.ts'

/** u64::MAX: an epoch that is never reached. */
export const never = 0xffff_ffff_ffff_ffffn
/** Size of a stake account, and what it keeps as its reserve. @see solana-stake-interface; stake program v5.0.0 (read 2026-11-21) */
export const stakeSpace = 200
export const stakeReserve = 2_282_880n
/** Least that may be delegated. @see SIMD-0490, stake program v5.0.0 (read 2026-11-21) */
export const minimumDelegation = 1_000_000_000n

export interface Delegation {
  readonly voter: string
  readonly stake: bigint
  readonly activationEpoch: bigint
  readonly deactivationEpoch: bigint
}

/** Place of the withdrawer, behind the state, the reserve and the staker. */
const withdrawerAt = 44
const voterAt = 124
const stakeAt = 156

/** Reads the delegation of a stake account; undefined when it is not delegated. */
export function delegationOf(data: Uint8Array): Delegation | undefined {
  if (data.length < stakeSpace || new Reader(data).u32() !== 2) return undefined
  const reader = new Reader(data, voterAt)
  return { voter: toBase58(reader.take(32)), stake: reader.u64(), activationEpoch: reader.u64(), deactivationEpoch: reader.u64() }
}

/** Reads the withdrawer of a stake account; undefined when it is not initialized. */
export function withdrawerOf(data: Uint8Array): string | undefined {
  return writtenReserve(data) === undefined ? undefined : toBase58(data.slice(withdrawerAt, withdrawerAt + 32))
}

/** Writes the data of a stake account with another withdrawer. */
export function withWithdrawer(data: Uint8Array, withdrawer: string): Uint8Array {
  const changed = data.slice()
  changed.set(fromBase58(withdrawer), withdrawerAt)
  return changed
}

/** Writes the data of a stake account with another amount delegated, in lamports. */
export function withStake(data: Uint8Array, stake: bigint): Uint8Array {
  const changed = data.slice()
  changed.set(u64(stake), stakeAt)
  return changed
}

/** Reads the rent reserve that is recorded in a stake account; undefined when it is not initialized. */
export function writtenReserve(data: Uint8Array): { reserve: bigint; delegated: boolean } | undefined {
  if (data.length < stakeSpace) return undefined
  const reader = new Reader(data)
  const kind = reader.u32()
  return kind === 1 || kind === 2 ? { reserve: reader.u64(), delegated: kind === 2 } : undefined
}

/** Makes the data of a stake account with one authority for everything and no lockup. */
export function stakeData(authority: string, delegation?: Delegation): Uint8Array {
  const key = fromBase58(authority)
  const meta = concat(u64(stakeReserve), key, key, i64(0n), u64(0n), new Uint8Array(32))
  const data = new Uint8Array(stakeSpace)
  data.set(concat(u32(delegation === undefined ? 1 : 2), meta))
  if (delegation === undefined) return data
  const { voter, stake, activationEpoch, deactivationEpoch } = delegation
  // The eight bytes behind the epochs are the former warm-up rate: 0.25 as a double.
  const rate = Uint8Array.of(0, 0, 0, 0, 0, 0, 0xd0, 0x3f)
  data.set(concat(fromBase58(voter), u64(stake), u64(activationEpoch), u64(deactivationEpoch), rate), voterAt)
  return data
}
