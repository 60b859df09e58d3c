import type { Endpoint, Overview, Window } from '../../api/overview.ts'
import { count } from '../../text/amount.ts'
import { type NamedProtocol, networkName } from '../../text/networks.ts'
import { totalOf } from './bars.ts'

/** The windows, and what each is called. */
export const WINDOWS: readonly { readonly value: Window; readonly label: string; readonly last: string }[] = [
  { value: '1h', label: '1 hour', last: 'the last hour' },
  { value: '24h', label: '24 hours', last: 'the last 24 hours' },
  { value: '7d', label: '7 days', last: 'the last 7 days' },
]

/** Reads the window that an address names; 24 hours when it names none. */
export function windowOf(query: URLSearchParams): Window {
  return WINDOWS.find(({ value }) => value === query.get('window'))?.value ?? '24h'
}

/** Says the average number of requests in a minute: `5.8 a minute`. */
export function perMinute({ totals, from, to }: Pick<Overview, 'totals' | 'from' | 'to'>): string {
  const minutes = Math.max(1, (Date.parse(to) - Date.parse(from)) / 60_000)
  const rate = totalOf(totals) / minutes
  if (rate === 0) return 'none'
  return rate < 0.1 ? 'fewer than 0.1 a minute' : `${rate >= 100 ? count(Math.round(rate)) : rate.toFixed(1)} a minute`
}

/** Writes a part of all in percent with two decimals; a dash where all is nothing. A part that is not zero, nor all, is not shown as if it were. */
export function shareText(part: number, all: number): string {
  if (all === 0) return '–'
  const percent = (part / all) * 100
  if (part > 0 && percent < 0.01) return '< 0.01\u00a0%'
  if (part < all && percent > 99.99) return '> 99.99\u00a0%'
  return `${part === 0 ? '0' : percent.toFixed(2)}\u00a0%`
}

/** Milliseconds as they are read: `8.2 ms`, `184 ms`. */
export function msText(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : count(Math.round(ms))}\u00a0ms`
}

/** Writes an age in seconds as it is read: `40 s`, `12 min`, `3 h 20 min`, `2 d`. */
export function ageText(seconds: number): string {
  if (seconds < 60) return `${seconds}\u00a0s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}\u00a0min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)}\u00a0d`
  return minutes % 60 === 0 ? `${hours}\u00a0h` : `${hours}\u00a0h ${minutes % 60}\u00a0min`
}

const URGENCY: Readonly<Record<Endpoint['state'], number>> = { failing: 0, resting: 1, behind: 2, slow: 3, ok: 4, unused: 5 }

/** Endpoints with those first that need a look; else in the service's order. */
export function byUrgency(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.toSorted((one, other) => Math.min(3, URGENCY[one.state]) - Math.min(3, URGENCY[other.state]))
}

/** Names whose endpoint it is: protocol, network and group, as in `own · Chain mainnet (1) · rpc`. */
export function endpointName(
  { protocol, network, group }: Pick<Endpoint, 'protocol' | 'network' | 'group'>,
  protocols: readonly NamedProtocol[] = [],
): string {
  return [protocol, network === null ? null : networkName(protocols, network, protocol), group].filter((each) => each !== null).join(' · ')
}
