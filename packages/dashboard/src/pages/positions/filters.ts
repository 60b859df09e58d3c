import type { Query } from '../../api/client.ts'
import type { PositionState, StateCounts } from '../../api/positions.ts'
import { looksSecret } from '../../text/secret.ts'
import { STATE_NAMES } from './words.ts'

/** Filters, in this page's query; `q` is a part of a wallet's address. */
const MEMBERS = ['q', 'protocol', 'network', 'state'] as const

/** Rows of a part: the most that the API gives at once. */
const PART = 200

/** Filter of the positions that are looked at. */
export type Filters = Readonly<Partial<Record<(typeof MEMBERS)[number], string>>>

/** Reads the filters of an address. What is no filter does not restrict. */
export function filtersOf(query: URLSearchParams): Filters {
  const filters: Partial<Record<(typeof MEMBERS)[number], string>> = {}
  for (const name of MEMBERS) {
    const value = query.get(name)?.trim()
    if (value && !looksSecret(value)) filters[name] = value
  }
  if (!STATE_NAMES.some((name) => name === filters.state)) delete filters.state
  return filters
}

/** Writes filters as a text, which is the same for the same filters. */
export function keyOfFilters(filters: Filters): string {
  return JSON.stringify(MEMBERS.map((name) => filters[name]))
}

/** All filters off, as changes of the query. */
export const CLEARED: Readonly<Record<string, null>> = Object.fromEntries(MEMBERS.map((name) => [name, null]))

/** Writes filters as the query of GET /positions. */
export function toQuery({ q, ...filters }: Filters, account: string | null, after: string | undefined): Query {
  return { ...filters, wallet: q, account, after, limit: PART }
}

/** Counts the positions of a filter, in all states together. */
export function allOf(counts: StateCounts): number {
  return STATE_NAMES.reduce((sum, name) => sum + counts[name], 0)
}

/** States that need a look, or whose owner can do something, as far as there are any; and the one that is chosen, so that it can be taken away. */
export function tagsOf(counts: StateCounts, chosen: string | undefined): readonly PositionState[] {
  return STATE_NAMES.filter((name) => name !== 'earning' && name !== 'empty' && (counts[name] > 0 || name === chosen))
}

/** Says how many wallets there are: `12 wallets`, of a state `2 of 12 wallets`. */
export function countText(counts: StateCounts, state: string | undefined, write: (count: number) => string): string {
  const all = allOf(counts)
  const noun = all === 1 ? 'wallet' : 'wallets'
  const name = STATE_NAMES.find((each) => each === state)
  return name === undefined ? `${write(all)} ${noun}` : `${write(counts[name])} of ${write(all)} ${noun}`
}
