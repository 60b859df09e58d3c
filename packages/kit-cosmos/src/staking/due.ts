import type { Balance } from '@svc/contract'

/** The chain pays an exit at the end of the first block past its time; blocks of the family come every 3 to 6 s. */
const PAID_WITHIN_MS = 15_000

/**
 * Tells when a position changes next by itself: when the next exit is paid. One that is past its time and not paid yet is looked at again soon.
 *
 * @returns null where none is on its way
 */
export function stakingDue({ objects }: Balance, now: Date): Date | null {
  const times = (objects ?? []).flatMap(({ withdrawableAt }) => withdrawableAt?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.max(Math.min(...times), now.getTime()) + PAID_WITHIN_MS)
}
