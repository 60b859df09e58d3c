import type { Balance } from '@svc/contract'

/** The chain pays an exit at the end of the first block past its time; blocks of the family come every 3 to 6 s. */
const PAID_WITHIN_MS = 15_000

/**
 * Returns the time at which a position next changes by itself: when the next exit is paid. For an exit that is past its time and not paid yet, that is soon.
 *
 * @returns null where none is on its way
 */
export function stakingDue({ objects }: Balance, now: Date): Date | null {
  const times = (objects ?? []).flatMap(({ withdrawableAt }) => withdrawableAt?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.max(Math.min(...times), now.getTime()) + PAID_WITHIN_MS)
}
