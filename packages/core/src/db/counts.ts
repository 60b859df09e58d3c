import type { SQL } from 'drizzle-orm'
import { core } from './drizzle.ts'
import type { CountFilter, Counts, Outcome, Span } from './request-counts.ts'

const { sql } = core()

/** Runs one statement. */
type Ask = <Row>(statement: SQL) => Promise<readonly Row[]>

/** Buckets that one statement reads: for an operator with many accounts, these are some thousand rows. */
const SLICE = 6
/** Time for which the buckets of each span are kept, in seconds: somewhat longer than any request asks for. */
const KEPT: readonly (readonly [span: Span, seconds: number])[] = [
  [60, 6 * 3_600],
  [3600, 30 * 86_400],
]
/** Buckets that one statement deletes, the oldest first. */
const DELETED = 12

interface CountRow {
  readonly since: number | string
  readonly protocol: string
  readonly action: string
  readonly outcome: Outcome
  readonly error: string
  readonly count: number | string
}

/** Reads counts in slices of time. @param pause between two statements */
export async function readCounts(ask: Ask, filter: CountFilter, pause: () => Promise<void>): Promise<Counts> {
  const series = new Map<string, Counts['series'][number]>()
  const errors = new Map<string, number>()
  const actions = new Map<string, Counts['actions'][number]>()
  const latency = new Map<number, number>()
  const { span, account } = filter
  const [first, end] = [filter.from, filter.to].map((time) => time.getTime() / 1000)
  const whose = account === undefined ? sql`` : sql`and account = ${account}`
  for (let from = first ?? 0; from < (end ?? 0); from += SLICE * span) {
    const to = Math.min(from + SLICE * span, end ?? 0)
    const within = sql`span = ${span} and since >= ${from} and since < ${to} ${whose}`
    for (const row of await ask<CountRow>(sql`select since, protocol, action, outcome, error, sum(count) as count
      from svc_audit_counts where ${within} group by since, protocol, action, outcome, error having sum(count) <> 0`)) {
      const { protocol, action, outcome, error } = row
      const count = Number(row.count)
      const since = new Date(Number(row.since) * 1000)
      const point = `${row.since} ${outcome}`
      series.set(point, { since, outcome, count: count + (series.get(point)?.count ?? 0) })
      if (error !== '') errors.set(error, count + (errors.get(error) ?? 0))
      if (outcome !== 'ok' || action === '' || protocol === '') continue
      const what = `${protocol} ${action}`
      actions.set(what, { protocol, action, count: count + (actions.get(what)?.count ?? 0) })
    }
    await pause()
    for (const { bucket, count } of await ask<{ bucket: number; count: number | string }>(sql`select bucket, sum(count) as count
      from svc_audit_latencies where ${within} group by bucket having sum(count) <> 0`))
      latency.set(bucket, Number(count) + (latency.get(bucket) ?? 0))
    await pause()
  }
  return {
    series: [...series.values()],
    errors: [...errors].map(([error, count]) => ({ error, count })).sort((a, b) => b.count - a.count || (a.error < b.error ? -1 : 1)),
    actions: [...actions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each),
    latency: [...latency].map(([bucket, count]) => ({ bucket, count })),
  }
}

/** Deletes some of the counts that are past their time, the oldest first. @returns whether there is more */
export async function trimCounts(ask: Ask, now: Date): Promise<boolean> {
  let more = false
  for (const table of ['svc_audit_counts', 'svc_audit_latencies'])
    for (const [span, seconds] of KEPT) {
      const name = sql.raw(table)
      const end = Math.floor(now.getTime() / 1000) - seconds
      const [first] = await ask<{ since: number | string | null }>(sql`select min(since) as since from ${name} where span = ${span}`)
      const oldest = Number(first?.since ?? end)
      const before = Math.min(oldest + DELETED * span, end)
      if (oldest < before) await ask(sql`delete from ${name} where span = ${span} and since < ${before} returning span`)
      more ||= before < end
    }
  return more
}
