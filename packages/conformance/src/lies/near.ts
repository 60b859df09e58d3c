/**
 * Tells whether a whole number is near another one.
 *
 * @param percent of the lower one that the higher may be above it
 */
export function isNear(right: string, value: string, percent: bigint): boolean {
  if (!/^\d+$/.test(right) || !/^\d+$/.test(value)) return false
  const [first, second] = [BigInt(right), BigInt(value)]
  const [low, high] = first < second ? [first, second] : [second, first]
  return high * 100n <= low * (100n + percent)
}
