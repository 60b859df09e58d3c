import fc from 'fast-check'
import t, { type Test } from 'tap'
import { createCredential, NO_ACCOUNT, type Store } from '../src/index.ts'
import { auditRecord } from './db/samples.ts'
import { inMemory } from './support/databases.ts'
import { peppers, serve, testStore } from './support/serve.ts'

interface Line {
  readonly kind: string
  readonly outcome: 'ok' | 'refused' | 'failed' | 'open'
  readonly count: number
  readonly protocol: string | null
  readonly action: string | null
  readonly account: string
  readonly error: { readonly code: string } | null
}

const CRAFTED = ['give', 'cheat', 'prepare', 'broadcast', 'broadcast'] as const
const ACTIONS = [...CRAFTED, 'inspect', 'track', 'watch', 'unwatch', 'resend', 'create-key', 'refuse-credential'] as const

const stores: Record<string, (t: Test) => Promise<Store>> = {
  'the embedded database': inMemory,
  ...(process.env.DATABASE_URL ? { PostgreSQL: testStore } : {}),
}

for (const [name, open] of Object.entries(stores)) {
  t.test(`the figures of the overview are the sums of what the export has, over random records in ${name}`, async (t) => {
    const { store, clock, call } = await serve(t, { state: await open(t) })
    const made = await createCredential(store, peppers, clock.now, { kind: 'operator', account: NO_ACCOUNT, name: 'alice' })
    const headers = { token: made.value }
    const kinds = new Set<string>()
    const record = fc.record({
      account: fc.constantFrom('acme', 'beta'),
      protocol: fc.constantFrom(null, 'paper'),
      action: fc.oneof(fc.constant(null), fc.constantFrom(...ACTIONS)),
      method: fc.constantFrom('GET', 'POST', 'CLI', 'LIFE'),
      route: fc.constantFrom('/api/v1/somewhere', 'unknown'),
      status: fc.constantFrom(0, 200, 301, 400, 401, 404, 429, 499, 500, 503),
      error: fc.constantFrom(null, 'SLOT_IN_USE', 'RATE_LIMITED', 'NOT_FOUND'),
      count: fc.integer({ min: 1, max: 40 }),
      ago: fc.integer({ min: 0, max: 20 * 3_600_000 }),
    })
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 30, maxLength: 60 }), async (records) => {
        // Each round has a day of its own.
        clock.now = new Date(Date.UTC(2026, 10, 21 + 2 * round++, 23, 30))
        await store.appendAudit(records.map(({ ago, ...each }) => auditRecord({ ...each, time: new Date(clock.now.getTime() - ago) })))
        for (const whose of ['', '&account=acme']) {
          const told = (await call('GET', `/api/v1/overview?window=24h${whose}`, undefined, headers)).json()
          const file = await call('GET', `/api/v1/audit/export?format=jsonl&from=${told.from}${whose}`, undefined, headers)
          const lines = file.body
            .trim()
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as Line)
          for (const { kind } of lines) kinds.add(kind)
          const requests = lines.filter(({ kind }) => kind !== 'service')
          const sum = (fits: (line: Line) => boolean) => requests.filter(fits).reduce((all, { count }) => all + count, 0)
          const crafted = ({ kind, outcome }: Line) => kind === 'craft' && outcome === 'ok'
          t.same(told.totals, {
            ok: sum(({ outcome }) => outcome === 'ok'),
            refused: sum(({ outcome }) => outcome === 'refused'),
            failed: sum(({ outcome }) => outcome === 'failed'),
            crafts: sum(crafted),
            broadcasts: sum(({ kind, outcome }) => kind === 'broadcast' && outcome === 'ok'),
          })
          for (const { code, count } of told.refusals)
            t.equal(
              count,
              sum(({ error }) => error?.code === code),
              code,
            )
          for (const { action, count } of told.crafts)
            t.equal(
              count,
              sum((line) => crafted(line) && line.action === action),
              action,
            )
        }
      }),
      { numRuns: 20 },
    )
    t.same(
      [...kinds].sort(),
      ['broadcast', 'craft', 'credential', 'other', 'prepare', 'read', 'service', 'unknown'],
      'each kind was among them',
    )
  })
}

t.test('a rate limit and a path that is not there are refusals of the customer; the limit of the dashboard is not', async (t) => {
  const { call, records, token } = await serve(t, { config: { limits: { key_per_minute: 3 } } })
  const own = { token: (await token()).value }
  for (let n = 0; n < 2; n++) await call('POST', 'action/give', { address: 'p001', amount: 1 })
  await call('POST', 'action/gvie', {})
  await call('POST', 'action/give', { address: 'p001', amount: 1 })
  await call('GET', 'nowhere')
  await call('GET', 'networks')
  await records(6)
  const told = (await call('GET', '/api/v1/overview', undefined, own)).json()
  t.match(told, { totals: { ok: 2, refused: 4, failed: 0, crafts: 2 } })
  t.same(told.refusals, [
    { code: 'RATE_LIMITED', count: 3 },
    { code: 'NOT_FOUND', count: 1 },
  ])
  for (let n = 0; n < 4; n++) await call('GET', '/api/v1/session', undefined, own)
  await records(11)
  const other = { token: (await token()).value }
  const page = (await call('GET', '/api/v1/audit?reads=false', undefined, other)).json().records as Line[]
  t.same(
    page.map(({ kind, protocol, action, error }) => [kind, protocol, action, error?.code]),
    [
      ['read', 'paper', null, 'RATE_LIMITED'],
      ['unknown', null, null, 'RATE_LIMITED'],
      ['craft', 'paper', 'give', 'RATE_LIMITED'],
      ['unknown', null, null, 'NOT_FOUND'],
      ['craft', 'paper', 'give', undefined],
      ['craft', 'paper', 'give', undefined],
    ],
  )
  t.match((await call('GET', '/api/v1/overview', undefined, other)).json(), { totals: { refused: 4 } })
})
