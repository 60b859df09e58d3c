import { StakeProgram, SYSVAR_CLOCK_PUBKEY, SYSVAR_STAKE_HISTORY_PUBKEY } from '@solana/web3.js'
import type { AccountState } from '@svc/kit-svm'
import { malformed } from './answers.ts'
import type { Now } from './position.ts'
import { decodeClock, decodeStakeHistory } from './sysvars.ts'

export const STAKE_PROGRAM = StakeProgram.programId.toBase58()
export const CLOCK = SYSVAR_CLOCK_PUBKEY.toBase58()
export const STAKE_HISTORY = SYSVAR_STAKE_HISTORY_PUBKEY.toBase58()
/** @see https://docs.anza.xyz/runtime/sysvars (read 2026-11-21) */
export const EPOCH_REWARDS = 'SysvarEpochRewards1111111111111111111111111'

/** The present, from the two sysvars of one slot. @throws 502 UPSTREAM_ERROR when they cannot be read */
export function nowOf(clock: AccountState | null | undefined, history: AccountState | null | undefined): Now {
  const read = { clock: clock && decodeClock(clock.data), history: history && decodeStakeHistory(history.data) }
  if (!read.clock || !read.history) throw malformed()
  return { clock: read.clock, history: read.history }
}
