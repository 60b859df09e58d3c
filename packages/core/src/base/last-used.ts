import { LRUCache } from 'lru-cache'

/** Options that set for how long a kept entry stays good. */
type Ageing = Pick<LRUCache.OptionsBase<string, object, unknown>, 'ttl' | 'ttlResolution' | 'updateAgeOnGet' | 'perf'>

/**
 * The last `most` that were used. By its own `max` the cache takes the room of all of them at once, a tenth of what a start costs; with sizes of one
 * it takes room as it fills.
 *
 * @see https://github.com/isaacs/node-lru-cache#storage-bounds-safety (read 2026-11-22)
 */
export function lastUsed<V extends object | string>(most: number, ageing: Ageing = {}): LRUCache<string, V> {
  return new LRUCache<string, V>({ ...ageing, maxSize: most, sizeCalculation: () => 1 })
}
