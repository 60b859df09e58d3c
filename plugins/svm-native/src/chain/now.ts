import { type AccountState, malformed } from '@svc/kit-svm'
import { StakeProgram, SYSVAR_CLOCK_PUBKEY, SYSVAR_STAKE_HISTORY_PUBKEY } from '@svc/solana'
import { type Clock, decodeClock, decodeStakeHistory, rewardsBeingPaid, type StakeHistory } from './sysvars.ts'

export const STAKE_PROGRAM = StakeProgram.programId.toBase58()
export const CLOCK = SYSVAR_CLOCK_PUBKEY.toBase58()
export const STAKE_HISTORY = SYSVAR_STAKE_HISTORY_PUBKEY.toBase58()
/** @see https://docs.anza.xyz/runtime/sysvars (read 2026-11-21) */
export const EPOCH_REWARDS = 'SysvarEpochRewards1111111111111111111111111'

/** Owner of all of these. @see https://docs.rs/solana-sdk-ids/latest/solana_sdk_ids/sysvar/index.html (read 2026-11-22) */
const SYSVARS = 'Sysvar1111111111111111111111111111111111111'

/** What the chain says of the present, read in one slot. */
export interface Now {
  readonly clock: Clock
  readonly history: StakeHistory
  /** Whether the rewards of the last epoch are being paid out, so that no stake account can be changed. */
  readonly paying?: boolean
}

/**
 * The present, from the sysvars of one slot.
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
  if (rewards && rewards.owner !== SYSVARS) throw malformed()
  return { clock: read.clock, history: read.history, paying: rewardsBeingPaid(rewards?.data ?? null) }
}
