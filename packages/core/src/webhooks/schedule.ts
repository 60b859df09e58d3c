/** Pauses before the attempts at a delivery, in milliseconds: none, 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 24 h, 24 h. In all 2.7 days. */
export const SCHEDULE_MS = [0, 5_000, 60_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 86_400_000, 86_400_000] as const

/** Number of attempts for a delivery. */
export const MOST_ATTEMPTS = SCHEDULE_MS.length

/** Share by which a pause is randomly longer or shorter, so that deliveries that failed together are not sent again together. */
const JITTER = 0.2
/** Longest that a receiver may put an attempt off for by Retry-After, in milliseconds. */
const LONGEST_RETRY_AFTER_MS = 86_400_000

/**
 * Computes the pause after so many attempts, in milliseconds.
 *
 * @param random from 0 to 1
 * @param retryAfterMs what the receiver asked for; obeyed up to a day
 * @returns null: that was the last one
 */
export function pauseAfter(attempts: number, random: number, retryAfterMs = 0): number | null {
  const planned = SCHEDULE_MS[attempts]
  if (planned === undefined) return null
  return Math.max(planned * (1 - JITTER + 2 * JITTER * random), Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS))
}

/**
 * Reads Retry-After, in milliseconds; null where the header says nothing that can be read.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 (read 2026-11-22)
 */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  // Of any length, as the standard has it; nobody is obeyed for longer than a day.
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1_000, LONGEST_RETRY_AFTER_MS)
  const at = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
