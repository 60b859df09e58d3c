import type { Query } from '../../api/client.ts'
import type { FollowedTransaction, TransactionPage } from '../../api/transactions.ts'
import { FEED_PAGE, type FeedKind, type FeedPage, type FeedPart } from '../../state/feed.ts'
import { looksSecret } from '../../text/secret.ts'
import { STATUSES } from './words.ts'

/** Filters, in this page's query as in the API's. */
const MEMBERS = ['q', 'protocol', 'network', 'status', 'wallet'] as const

/** Filter of the transactions that are looked at. */
export type Filters = Readonly<Partial<Record<(typeof MEMBERS)[number], string>>>

/** Reads the filters of an address. What is no filter does not restrict. */
export function filtersOf(query: URLSearchParams): Filters {
  const filters: Partial<Record<(typeof MEMBERS)[number], string>> = {}
  for (const name of MEMBERS) {
    const value = query.get(name)?.trim()
    if (value && !looksSecret(value)) filters[name] = value
  }
  if (!STATUSES.some(({ value }) => value === filters.status)) delete filters.status
  return filters
}

/** Writes filters and account as a text, which is the same for the same filters. */
export function keyOfFilters(filters: Filters, account: string | null): string {
  return JSON.stringify([account, ...MEMBERS.map((name) => filters[name])])
}

/** All filters off, as changes of the query. */
export const CLEARED: Readonly<Record<string, null>> = Object.fromEntries(MEMBERS.map((name) => [name, null]))

/** Makes the kind of feed for a list of transactions. */
export function kindOf({ status }: Filters): FeedKind<FollowedTransaction> {
  return {
    idOf: ({ id }) => id,
    timeOf: ({ first_seen }) => first_seen,
    lineOf: ({ id }) => id,
    isSame: (before, now) =>
      before.status === now.status &&
      before.certainty === now.certainty &&
      before.finality === now.finality &&
      before.differences?.length === now.differences?.length,
    fits: (row) => status === undefined || (status === 'open' ? row.ended_at === null : row.status === status),
  }
}

/**
 * Writes filters as the query of GET /transactions. Those at hand are looked at whatever their state is by now: what was pending is then shown as final, and not as
 * pending for ever.
 */
export function toQuery({ status, ...filters }: Filters, account: string | null, { newest, before }: FeedPart): Query {
  return { ...filters, status: newest ? undefined : status, account, before, limit: FEED_PAGE }
}

/** Turns an answer into a part of the list. */
export function pageOf({ transactions, next }: TransactionPage): FeedPage<FollowedTransaction> {
  return { rows: transactions, next }
}
