import type { Bucket } from './book.ts'

/** Places that are no bucket. */
const PLACES: readonly string[] = ['wallet', 'chain', 'others', 'unknown']

/** Returns a sentence on the first fault for which no host could keep a book with these buckets; null: there is none. */
export function flawOfBuckets(buckets: readonly Bucket[]): string | null {
  if (buckets.length === 0) return 'its book has no buckets; a position has one at least.'
  for (const [index, { name, asset, kind, rounding = 0n, units }] of buckets.entries()) {
    if (!/^[a-z][a-z_]*$/.test(name)) return `bucket "${name}" of its book is not a lower-case word with underscores.`
    if (PLACES.includes(name)) return `bucket "${name}" of its book has the name of a place that is no bucket: ${PLACES.join(', ')}.`
    if (buckets.findIndex((other) => other.name === name) !== index) return `bucket "${name}" is in its book twice.`
    if (rounding < 0n) return `bucket "${name}" of its book has a rounding of ${rounding}; a bound is 0 or more.`
    if (asset === null && kind === 'worth')
      return `bucket "${name}" of its book is a worth in no asset; it names the asset that units are worth.`
    const isOfUnits = buckets.some((other) => other.name === units && other.kind === 'principal')
    if ((kind === 'worth') !== (units !== undefined) || (kind === 'worth' && !isOfUnits))
      return `bucket "${name}" of its book: \`worth\`, and nothing else, names the principal bucket of its units as \`units\`.`
  }
  return null
}
