/**
 * Bounds of the buckets in which durations are counted, in milliseconds, each about one and a half times the one before. The triggers of both databases
 * have the same (migrations); a test compares them.
 */
export const LATENCY_MS = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200, 2000, 3000, 5000, 8000, 12000] as const

/**
 * Estimates a percentile of the answers' durations, in milliseconds, as if they were evenly spread within each bucket. null: nothing was counted.
 *
 * @param share 0.5 for the median
 */
export function percentile(buckets: readonly { readonly bucket: number; readonly count: number }[], share: number): number | null {
  const sorted = buckets.filter(({ count }) => count > 0).sort((a, b) => a.bucket - b.bucket)
  let left = sorted.reduce((sum, { count }) => sum + count, 0) * share
  for (const { bucket, count } of sorted) {
    const low = LATENCY_MS[bucket - 1] ?? 0
    // What is beyond the last bound has none above it.
    const high = LATENCY_MS[bucket] ?? low
    if (left <= count) return low + ((high - low) * left) / count
    left -= count
  }
  return null
}
