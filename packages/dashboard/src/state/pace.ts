import type { FollowedTransaction } from '../api/transactions.ts'

/** Least and longest time between two readings of a transaction that has not ended, in milliseconds: choices of this project. */
const LEAST_MS = 2_000
const LONGEST_MS = 30_000
/** Time to wait after a reading that failed, in milliseconds: a choice of this project. */
export const FAILED_MS = 15_000
/** Time that the service takes to look, after the moment at which it wants to, in milliseconds: a choice of this project. */
const LOOK_MS = 500

/** Works out in how many milliseconds a transaction is worth reading again; null: it has ended, and never changes. @param now milliseconds since 1970 */
export function pauseOf({ ended_at, next_look_at }: Pick<FollowedTransaction, 'ended_at' | 'next_look_at'>, now: number): number | null {
  if (ended_at !== null) return null
  const due = next_look_at === null ? LONGEST_MS : Date.parse(next_look_at) - now + LOOK_MS
  return Math.min(LONGEST_MS, Math.max(LEAST_MS, due))
}
