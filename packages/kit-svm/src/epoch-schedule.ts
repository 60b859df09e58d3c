import type { AccountState } from './accounts.ts'
import { malformed } from './rpc.ts'

/** Account that says which slots an epoch has. Its owner, and its layout: @see https://docs.rs/solana-epoch-schedule/latest/solana_epoch_schedule/struct.EpochSchedule.html (read 2026-11-28) */
export const EPOCH_SCHEDULE = 'SysvarEpochSchedu1e111111111111111111111111'
const SYSVARS = 'Sysvar1111111111111111111111111111111111111'
const SCHEDULE_BYTES = 33
/** Slots of the first epoch of a chain whose epochs double until they are whole. Same source. */
const FIRST_EPOCH_SLOTS = 32n
/** More slots than an epoch has: mainnet's have 432,000. */
const MOST_EPOCH_SLOTS = 10_000_000n

/** Division of slots into epochs. */
export interface EpochSchedule {
  /** Slots of a whole epoch. */
  readonly slots: bigint
  /** First epoch that is whole, and its first slot. */
  readonly firstEpoch: bigint
  readonly firstSlot: bigint
}

/** Reads the division of slots into epochs from its account. @throws 502 */
export function readSchedule(account: AccountState | null): EpochSchedule {
  if (account?.owner !== SYSVARS || account.data.length < SCHEDULE_BYTES) throw malformed(account)
  const [slots, firstEpoch, firstSlot] = [0, 17, 25].map((at) => account.data.readBigUInt64LE(at))
  if (slots === undefined || firstEpoch === undefined || firstSlot === undefined) throw malformed(account)
  if (slots < FIRST_EPOCH_SLOTS || slots > MOST_EPOCH_SLOTS) throw malformed(slots)
  return { slots, firstEpoch, firstSlot }
}

/** Computes the epoch of a slot. */
export function epochOf(slot: bigint, { slots, firstEpoch, firstSlot }: EpochSchedule): bigint {
  if (slot >= firstSlot) return firstEpoch + (slot - firstSlot) / slots
  let [epoch, end] = [0n, FIRST_EPOCH_SLOTS]
  while (slot >= end) [epoch, end] = [epoch + 1n, end + (FIRST_EPOCH_SLOTS << (epoch + 1n))]
  return epoch
}
