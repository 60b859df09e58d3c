import { type AccountState, malformed } from '@svc/kit-svm'
import { StakeProgram, SYSVAR_CLOCK_PUBKEY, SYSVAR_STAKE_HISTORY_PUBKEY } from '@svc/solana'
import { type Clock, decodeClock, decodeEpochRewards, decodeStakeHistory, type StakeHistory } from './sysvars.ts'

export const STAKE_PROGRAM = StakeProgram.programId.toBase58()
export const CLOCK = SYSVAR_CLOCK_PUBKEY.toBase58()
export const STAKE_HISTORY = SYSVAR_STAKE_HISTORY_PUBKEY.toBase58()
/** @see https://docs.anza.xyz/runtime/sysvars (read 2026-11-21) */
export const EPOCH_REWARDS = 'SysvarEpochRewards1111111111111111111111111'

/** Owner of all of these. @see https://docs.rs/solana-sdk-ids/latest/solana_sdk_ids/sysvar/index.html (read 2026-11-22) */
const SYSVARS = 'Sysvar1111111111111111111111111111111111111'

/** Present of the chain, read in one slot. */
export interface Now {
  readonly clock: Pick<Clock, 'epoch' | 'unixTimestamp'>
  readonly history: StakeHistory
  /** True while the rewards of the last epoch are being paid out, so that no stake account can be changed. */
  readonly paying: boolean
}

/**
 * Reads the present epoch and time, and the stake history, from the sysvars of one slot.
 *
 * @param rewards undefined where it makes no difference, null where the chain has none
 * @throws 502 UPSTREAM_ERROR when they cannot be read
 */
export function nowOf(
  clock: AccountState | null | undefined,
  history: AccountState | null | undefined,
  rewards?: AccountState | null,
): Now {
  if (clock?.owner !== SYSVARS || history?.owner !== SYSVARS) throw malformed()
  const read = { clock: decodeClock(clock.data), history: decodeStakeHistory(history.data) }
  if (!read.clock || !read.history) throw malformed()
  const { epoch } = read.clock
  // Every epoch that ends is written down at once. Without the last one stake would seem to have warmed up and cooled down.
  if (epoch > 0n && !read.history.has(epoch - 1n)) throw malformed()
  return { clock: read.clock, history: read.history, paying: payingRewards(rewards ?? null) }
}

/**
 * Tells whether the chain is paying out the rewards of the last epoch.
 *
 * @param sysvar null: a chain before the end of its first epoch has none
 * @throws 502 UPSTREAM_ERROR when it cannot be read
 */
export function payingRewards(sysvar: AccountState | null): boolean {
  if (sysvar === null) return false
  const paying = sysvar.owner === SYSVARS ? decodeEpochRewards(sysvar.data) : null
  if (paying === null) throw malformed()
  return paying
}
