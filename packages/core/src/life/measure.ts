import type { Labels, Metrics } from '../base/metrics.ts'
import { core } from '../db/drizzle.ts'
import { ask, timeOrNull, type Work, type WorkDatabase } from '../db/work.ts'
import type { StreamKind, StreamNote } from './follower.ts'
import { nameOf } from './networks.ts'
import type { StreamPlace } from './transactions.ts'

const { sql } = core()

/** Number of followed rows of a network. */
interface Followed extends StreamPlace {
  readonly kind: StreamKind
  readonly count: number
  /** Time at which the first row is due; null: none is. */
  readonly next: Date | null
}

/** Counts the rows that are followed, and tells when the first of them is due. */
export function* countFollowed(_database: WorkDatabase): Work<readonly Followed[]> {
  const rows = yield* ask(sql`
    select 'transactions' as kind, protocol, network, count(*) as count, min(next_at) as next from svc_transactions
      where next_at is not null group by protocol, network
    union all select 'positions' as kind, protocol, network, count(*) as count, min(due_at) as next from svc_watches
      where removed_at is null group by protocol, network
    union all select 'books' as kind, protocol, network, count(*) as count, min(next_at) as next from svc_books
      where lines > 0 group by protocol, network`)
  return rows.map(({ kind, protocol, network, count, next }) => ({
    kind: kind as StreamKind,
    protocol: String(protocol),
    network: String(network),
    count: Number(count),
    next: timeOrNull(next),
  }))
}

/** Metrics of the streams. */
interface Measure {
  /** Receives a note of one of the streams. */
  readonly seen: (kind: StreamKind, place: StreamPlace, note: StreamNote) => void
  /** Receives the counts of all streams. */
  counted(followed: readonly Followed[]): void
}

/**
 * Makes the gauges of what is followed, and of how late its looks are.
 *
 * @param now the clock that due moments are told by
 * @param places the networks that are configured: what belongs to no other is followed by nobody, and is not late
 */
export function createMeasure(metrics: Metrics, now: () => Date, places: () => readonly StreamPlace[]): Measure {
  let followed: readonly Followed[] = []
  const lags = new Map<string, readonly [Labels, number]>()
  const labels = ['kind', 'protocol', 'network']
  const labelsOf = (kind: StreamKind, { protocol, network }: StreamPlace): Labels => ({ kind, protocol, network })
  metrics.gauge(
    'svc_followed',
    'Transactions that have not ended, and wallets that are watched, as counted a minute ago.',
    () => followed.map((each) => [labelsOf(each.kind, each), each.count] as const),
    labels,
    'max',
  )
  metrics.gauge(
    'svc_followed_due_age_seconds',
    'How long the oldest row that is due has been waiting, of those that were there a minute ago.',
    () => {
      const networks = new Set(places().map(nameOf))
      return followed.flatMap((each) =>
        each.next === null || !networks.has(nameOf(each))
          ? []
          : [[labelsOf(each.kind, each), Math.max(0, (now().getTime() - each.next.getTime()) / 1000)] as const],
      )
    },
    labels,
    'max',
  )
  metrics.gauge('svc_followed_lag_seconds', 'How late the last rows that were due were taken in hand.', () => lags.values(), labels, 'max')
  return {
    seen(kind, place, { due, ok = 0, failed = 0 }) {
      if (due) {
        const lag = Math.max(0, ...due.map((at) => (at === null ? 0 : (now().getTime() - at.getTime()) / 1000)))
        lags.set(`${kind} ${nameOf(place)}`, [labelsOf(kind, place), lag])
      }
      for (const [outcome, count] of Object.entries({ ok, failed }))
        if (count > 0)
          metrics.count(
            'svc_followed_looks_total',
            'Looks at transactions and positions that are followed.',
            { ...labelsOf(kind, place), outcome },
            count,
          )
    },
    counted(match) {
      followed = match
    },
  }
}
