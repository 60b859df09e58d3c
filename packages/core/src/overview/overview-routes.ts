import { errorRefs } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { percentile } from '../db/latency.ts'
import type { Counts, Outcome, Span } from '../db/request-counts.ts'
import type { Store } from '../db/store.ts'
import { type Crafts, craftName } from '../db/words.ts'
import { accountParameter, accountScope } from '../http/account-scope.ts'
import { principalOf } from '../http/request.ts'
import { operations } from '../http/session.ts'
import type { Accounts } from '../plugins/accounts.ts'
import { OverviewSchema } from './overview-wire.ts'
import { type ServiceParts, serviceState } from './service-state.ts'

/** Dependencies of the overview. */
interface OverviewParts extends ServiceParts {
  readonly store: Pick<Store, 'readCounts' | 'readAudit' | 'keyStates'>
  readonly accounts: Pick<Accounts, 'has' | 'ids'>
  readonly crafts: Crafts
}

type Window = '1h' | '24h' | '7d'
/** Number and length of the buckets of each window. */
const WINDOWS: Readonly<Record<Window, readonly [span: Span, buckets: number]>> = { '1h': [60, 60], '24h': [3600, 24], '7d': [3600, 168] }
const ALARMS = 20
const REFUSALS = 12
const EXPIRING = 20
const SOON_MS = 14 * 86_400_000

const Query = Type.Object({
  account: accountParameter,
  window: Type.Unsafe<Window>({
    type: 'string',
    enum: Object.keys(WINDOWS),
    default: '24h',
    description: 'How far back: an hour, a day, a week.',
  }),
})

/** Registers `GET /overview`: the latest figures of the audit log, the state of the keys, and for operators that of the service. */
export function registerOverview(app: FastifyInstance, parts: OverviewParts): void {
  const { store, accounts, now } = parts
  app.addSchema(OverviewSchema)
  app.get<{ Querystring: Static<typeof Query> }>(
    '/overview',
    {
      config: { credential: 'token' },
      schema: {
        ...operations,
        summary: 'What happened lately',
        description:
          'Requests by outcome, latency, refusals, crafts, alarms and keys, of an account or, for an operator, of all. Counting begins with the version that ' +
          'has this; what was recorded before is not counted. `service` is for operators.',
        querystring: Query,
        response: { 200: schemaRef('Overview'), ...errorRefs(400, 503) },
      } as object,
    },
    async (request): Promise<Static<typeof OverviewSchema>> => {
      const { window } = request.query
      const account = accountScope(request, accounts, request.query.account)
      const [span, buckets] = WINDOWS[window]
      const to = now()
      const end = Math.floor(to.getTime() / 1000 / span + 1) * span
      const from = new Date((end - buckets * span) * 1000)
      const whose = account === null ? {} : { account }
      const [counts, alarms, keys] = await Promise.all([
        store.readCounts({ span, from, to: new Date(end * 1000), ...whose }),
        store.readAudit({ ...whose, error: 'DECODE_MISMATCH', from, limit: ALARMS }),
        store.keyStates(account, { now: to, until: new Date(to.getTime() + SOON_MS), most: EXPIRING }),
      ])
      const { latency, errors, actions } = counts
      const [p50, p95] = [percentile(latency, 0.5), percentile(latency, 0.95)].map((each) => each && Math.round(each * 10) / 10)
      const crafts = actions.filter(({ protocol, action }) => parts.crafts.has(craftName(protocol, action)))
      const series = seriesOf(counts, from, span, buckets)
      const sum = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)
      return {
        window,
        from: from.toISOString(),
        to: to.toISOString(),
        bucket_seconds: span,
        series,
        totals: {
          ok: sum(series.map(({ ok }) => ok)),
          refused: sum(series.map(({ refused: refusals }) => refusals)),
          failed: sum(series.map(({ failed }) => failed)),
          crafts: sum(crafts.map(({ count }) => count)),
          broadcasts: sum(actions.filter(({ action }) => action === 'broadcast').map(({ count }) => count)),
        },
        latency_ms: typeof p50 === 'number' && typeof p95 === 'number' ? { p50, p95 } : null,
        refusals: errors.slice(0, REFUSALS).map(({ error, count }) => ({ code: error, count })),
        crafts: [...crafts],
        alarms: alarms.records.map(({ time, account, protocol, network, action, requestId }) => ({
          kind: 'DECODE_MISMATCH',
          time: time.toISOString(),
          account,
          protocol,
          network,
          action,
          request_id: requestId,
        })),
        keys: {
          active: keys.active,
          inactive: keys.inactive,
          expiring: keys.expiring.map(({ ulid, name, account, expirationDate }) => ({
            ulid,
            name,
            account,
            expires: (expirationDate ?? to).toISOString(),
          })),
        },
        service: principalOf(request).kind === 'operator' ? await serviceState(parts) : null,
      }
    },
  )
}

/** Lists every bucket, also where nothing happened. What has no end yet is in none. */
function seriesOf({ series }: Pick<Counts, 'series'>, from: Date, span: Span, buckets: number) {
  const counts = new Map<string, number>()
  for (const { since, outcome, count } of series) counts.set(`${since.getTime()} ${outcome}`, count)
  return Array.from({ length: buckets }, (_, index) => {
    const at = from.getTime() + index * span * 1000
    const of = (outcome: Outcome) => counts.get(`${at} ${outcome}`) ?? 0
    return { time: new Date(at).toISOString(), ok: of('ok'), refused: of('refused'), failed: of('failed') }
  })
}
