/** Position that an address names. */
export interface Place {
  readonly protocol: string
  /** Value for X-NETWORK. */
  readonly network: string
  readonly address: string
  /** null: that of the token, or the one that is looked at. */
  readonly account: string | null
}

/** Reads the parts after the page's own; null: it is the list. */
export function placeOf([protocol, network, address, account]: readonly string[]): Place | null {
  return protocol === undefined || network === undefined || address === undefined
    ? null
    : { protocol, network, address, account: account ?? null }
}

/** Numbers of days that a wallet's page can show. */
export const RANGES = [
  { value: '30', label: '30 d' },
  { value: '60', label: '60 d' },
  { value: '366', label: '1 y' },
] as const

/** Number of days, as the query has it. */
type Range = (typeof RANGES)[number]['value']

/** Reads the number of days that an address names; 60 when it names none. */
export function rangeOf(query: URLSearchParams): Range {
  return RANGES.find(({ value }) => value === query.get('days'))?.value ?? '60'
}

const DAY_MS = 86_400_000

/** Returns the first of so many days in UTC, of which the last is today. @param now milliseconds since 1970 */
export function firstDay(days: number, now: number): string {
  return new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10)
}
