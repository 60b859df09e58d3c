import type { Query } from '../../api/client.ts'
import { looksSecret } from '../../text/secret.ts'
import { NAMES } from './words.ts'

/** Over which time: up to now, everything, or between two instants of the query. */
type Period = '1h' | '24h' | '7d' | '30d' | 'all' | 'custom'

/** Name of a filter, in this page's query as in the API's. */
export type Member = keyof typeof NAMES
const MEMBERS = Object.keys(NAMES) as readonly Member[]

/** Filter of the records that are looked at. They stand in the address, so that a view can be shared; a secret is never among them. */
export interface Filters extends Readonly<Partial<Record<Member, string>>> {
  /** True if reads that ended well are shown too: most of what is asked of a service, and seldom what is looked for. */
  readonly reads: boolean
  readonly period: Period
  /** ISO-8601, of a custom period; inclusive. */
  readonly from?: string
  /** ISO-8601, of a custom period; exclusive. */
  readonly to?: string
}

/** Length of each period that ends now, in milliseconds. */
const LENGTHS: Readonly<Partial<Record<Period, number>>> = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 }

/** Names of the periods after `in`, or by themselves. */
export const PERIODS: readonly { readonly value: Period; readonly label: string }[] = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: 'all', label: 'All time' },
  { value: 'custom', label: 'Dates…' },
]

/** Period that is shown when the address says nothing. */
export const DEFAULT_PERIOD: Period = '24h'

/** Reads the filters of an address. What is no filter, or no instant, does not restrict. */
export function filtersOf(query: URLSearchParams): Filters {
  const period = PERIODS.find(({ value }) => value === query.get('period'))?.value ?? DEFAULT_PERIOD
  const filters: Partial<Record<Member | 'from' | 'to', string>> = {}
  for (const name of MEMBERS) {
    const value = query.get(name)?.trim()
    if (value && !looksSecret(value)) filters[name] = value
  }
  if (period === 'custom') {
    for (const name of ['from', 'to'] as const) {
      const instant = new Date(query.get(name) ?? Number.NaN)
      if (!Number.isNaN(instant.getTime())) filters[name] = instant.toISOString()
    }
  }
  return { ...filters, period, reads: query.get('reads') === 'yes' }
}

/** Writes filters as the query of GET /audit. @param now milliseconds since 1970 */
export function toQuery(filters: Filters, account: string | null, now: number): Query {
  const { period, from, to, reads, ...members } = filters
  const length = LENGTHS[period]
  return {
    ...members,
    account,
    reads: reads ? undefined : false,
    from: length === undefined ? from : new Date(now - length).toISOString(),
    to,
  }
}

/** Writes filters and account as a text, which is the same for the same filters. */
export function keyOfFilters(filters: Filters, account: string | null): string {
  return JSON.stringify([account, filters.reads, filters.period, filters.from, filters.to, ...MEMBERS.map((name) => filters[name])])
}

/** Filters that have no field of their own, and are shown as words that can be taken away. */
export function chipsOf(filters: Filters): readonly { readonly member: Member; readonly value: string }[] {
  return MEMBERS.flatMap((member) => {
    const value = filters[member]
    return value === undefined || FIELDS.has(member) ? [] : [{ member, value }]
  })
}

const FIELDS: ReadonlySet<Member> = new Set<Member>(['q', 'protocol', 'key', 'outcome'])

/** Tells whether anything but the period restricts what is shown. */
export function isNarrowed(filters: Filters): boolean {
  return MEMBERS.some((member) => filters[member] !== undefined)
}

/** All filters off, as changes of the query; the period too. */
export const CLEARED: Readonly<Record<string, null>> = Object.fromEntries(
  [...MEMBERS, 'period', 'from', 'to', 'reads'].map((name) => [name, null]),
)
