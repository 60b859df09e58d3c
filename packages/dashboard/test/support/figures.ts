import type { Overview, Window } from '../../src/api/overview.ts'

const SPANS: Readonly<Record<Window, readonly [seconds: number, points: number]>> = { '1h': [60, 60], '24h': [3600, 24], '7d': [3600, 168] }

/** An overview as the service answers it, with as many requests as `ok` says in each stretch. Its window ends at `now`. */
export function overviewOf(window: Window, now: Date, ok: (index: number) => number, changes: Partial<Overview> = {}): Overview {
  const [seconds, points] = SPANS[window]
  const end = (Math.floor(now.getTime() / 1000 / seconds) + 1) * seconds
  const series = Array.from({ length: points }, (_, index) => ({
    time: new Date((end - (points - index) * seconds) * 1000).toISOString(),
    ok: ok(index),
    refused: ok(index) > 0 && index % 7 === 0 ? 2 : 0,
    failed: ok(index) > 0 && index === 9 ? 1 : 0,
  }))
  const sum = (outcome: 'ok' | 'refused' | 'failed') => series.reduce((total, point) => total + point[outcome], 0)
  const [first] = series
  return {
    window,
    from: first?.time ?? now.toISOString(),
    to: now.toISOString(),
    bucket_seconds: seconds,
    series,
    totals: { ok: sum('ok'), refused: sum('refused'), failed: sum('failed'), crafts: 1284, broadcasts: 1102 },
    latency_ms: sum('ok') === 0 ? null : { p50: 8.24, p95: 184.4 },
    refusals: [],
    crafts: [],
    alarms: [],
    keys: { active: 3, inactive: 1, expiring: [] },
    service: null,
    ...changes,
  }
}

/** What an operator sees of a service whose second endpoint fails. */
export function serviceOf(now: Date): NonNullable<Overview['service']> {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
  const endpoint = { protocol: 'evm-three', network: '143', group: 'rpc', position: 1, last_error: null, since: ago(90_000) }
  return {
    replica: 'node-1:4242',
    started: ago(90_000),
    endpoints: [
      { ...endpoint, host: 'rpc-1.example.net', state: 'ok', ms: 41.2 },
      { ...endpoint, position: 2, host: 'rpc-2.example.org', state: 'failing', ms: 5000, last_error: 'timeout', since: ago(240) },
      { ...endpoint, position: 3, host: 'rpc-3.example.org', state: 'resting', ms: 12, last_error: 'answered 429', since: ago(60) },
      { ...endpoint, protocol: 'hub-two', network: 'celestia', group: 'lcd', host: 'lcd.example.net', state: 'ok', ms: 88 },
      { ...endpoint, protocol: null, network: null, group: 'prices', host: 'prices.example.com', state: 'unused', ms: null, since: null },
    ],
    snapshots: [
      { protocol: 'evm-three', network: '143', age_seconds: 1_260, stale: false },
      { protocol: 'hub-two', network: 'celestia', age_seconds: 12_000, stale: true },
      { protocol: 'svm-native', network: 'mainnet-beta', age_seconds: null, stale: true },
    ],
    audit_unsaved: 0,
    following: { status: 'up', due_age_seconds: 0 },
    database: 'postgres',
    version: '1.0.0',
  }
}
