import { toHex } from '@cosmjs/encoding'
import { QueryError } from '../errors.ts'

/** The part of a request that says which page. */
export interface PageRequest {
  readonly key: Uint8Array
  readonly offset: bigint
  readonly limit: bigint
  readonly countTotal: boolean
  readonly reverse: boolean
}

const defaultLimit = 100n

/**
 * Returns one page of entries in the order of their keys, which are the bytes by which the chain keeps them.
 *
 * @see cosmos-sdk types/query: without a limit a page has 100 entries and the total is counted; by key it is never (read 2026-11-21)
 * @throws QueryError when both an offset and a key are given
 */
export function paginate<T>(
  entries: readonly (readonly [key: Uint8Array, value: T])[],
  request: PageRequest | undefined,
): { items: T[]; pagination: { nextKey: Uint8Array; total: bigint } } {
  const { key = new Uint8Array(), offset = 0n, limit = 0n, countTotal = false, reverse = false } = request ?? {}
  if (offset > 0n && key.length > 0) throw new QueryError('InvalidArgument', 'invalid request, either offset or key is expected, got both')
  const sorted = entries.map(([each, value]) => [toHex(each), value, each] as const).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const ordered = reverse ? sorted.toReversed() : sorted
  // The entry that the key names may be gone: a page begins with the first one from there.
  const place = toHex(key)
  const from = key.length > 0 ? ordered.findIndex(([each]) => (reverse ? each <= place : each >= place)) : Number(offset)
  const start = from < 0 ? ordered.length : from
  const size = Number(limit === 0n ? defaultLimit : limit)
  const counts = key.length === 0 && (limit === 0n || countTotal)
  return {
    items: ordered.slice(start, start + size).map(([, value]) => value),
    pagination: {
      nextKey: ordered[start + size]?.[2] ?? new Uint8Array(),
      total: counts ? BigInt(entries.length) : 0n,
    },
  }
}
