import { LRUCache } from 'lru-cache'

/** Options that set for how long a kept entry stays good. */
type Ageing = Pick<LRUCache.OptionsBase<string, object, unknown>, 'ttl' | 'ttlResolution' | 'updateAgeOnGet' | 'perf'>

/**
 * Makes a cache of the `most` entries that were used last. It takes room only as it fills: with its own `max`, the cache would reserve the room of all entries at once, a
 * tenth of the cost of a start; entries of size one avoid that.
 *
 * @see https://github.com/isaacs/node-lru-cache#storage-bounds-safety (read 2026-11-22)
 */
export function lastUsed<V extends object | string>(most: number, ageing: Ageing = {}): LRUCache<string, V> {
  return new LRUCache<string, V>({ ...ageing, maxSize: most, sizeCalculation: () => 1 })
}
