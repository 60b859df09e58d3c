import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask, timeOf } from '../../src/db/work.ts'
import { createCredential, inspectState, NO_ACCOUNT, parseConfig } from '../../src/index.ts'
import { follow } from '../../src/life/transactions.ts'
import { inMemory, onBoth } from '../support/databases.ts'
import { input, peppers } from '../support/serve.ts'
import { following } from './heart.ts'
import { createScript, hashOf, inBlock, NOTHING, UNKNOWN } from './living.ts'

const { sql } = core()
const memory = { memory: true }
const SECOND = 1_000
const HOUR = 3_600 * SECOND
const YEAR = 365 * 24 * HOUR

await t.test(
  'how long the oldest that is due has been waiting is told in health, which is no worse for it, in the overview and in the metrics',
  (t) =>
    onBoth(
      t,
      async (t, state) => {
        const { call, broadcast, beat, clock, metrics, store } = await following(t, state)
        const operator = await createCredential(store, peppers, clock.now, { kind: 'operator', account: NO_ACCOUNT, name: 'alice' })
        const start = clock.now.getTime()
        const at = (ms: number) => new Date(start + ms)
        const told = async () =>
          (await call('GET', '/api/v1/overview', undefined, { token: operator.value })).json().service.following as object
        const metric = async () => (await metrics.render()).match(/^svc_followed_due_age_seconds\{kind="transactions".*/gm)
        await beat()
        t.same(await told(), { status: 'up', due_age_seconds: 0 }, 'nothing is followed')
        await broadcast('a')
        await store.run(() => ask(sql`update svc_watches set due_at = null returning id`))
        await store.run((database) =>
          ask(sql`insert into svc_transactions (id, account, protocol, network, tx_hash, origin, audit, request_id, status, finality, certainty, history,
            first_seen, next_at, looks, failures, fence)
          select 'gone', account, protocol, 'gone', 'gone', origin, audit, request_id, status, finality, certainty, history,
            first_seen, ${database.at(at(-3 * HOUR))}, 0, 0, 0 from svc_transactions returning id`),
        )
        clock.now = at(299 * SECOND)
        t.same(await told(), { status: 'up', due_age_seconds: 299 }, 'and nothing of a network that is gone')
        clock.now = at(300 * SECOND)
        t.same(await told(), { status: 'late', due_age_seconds: 300 })
        const health = await call('GET', '/api/v1/health', undefined, {})
        const message = 'Transactions or positions that are due are looked at late, or not at all.'
        t.equal(health.statusCode, 200)
        t.match(health.json(), { status: 'ok', error: {}, info: { following: { status: 'late', due_age_seconds: 300, message } } })
        clock.now = at(-HOUR)
        t.same(await told(), { status: 'up', due_age_seconds: 0 }, 'a clock that was put back makes nothing older')
        clock.now = at(300 * SECOND)
        await call('PUT', '/api/v1/watch/paper/p001')
        await store.run((database) =>
          ask(sql`update svc_transactions set next_at = ${database.at(clock.now)} where network = '1' returning id`),
        )
        await store.run((database) => ask(sql`update svc_watches set due_at = ${database.at(at(10 * SECOND))} returning id`))
        t.same(await told(), { status: 'up', due_age_seconds: 290 }, 'positions count as well')
        clock.now = at(0)
        t.same(await told(), { status: 'up', due_age_seconds: 0 }, 'what is all due later is no age below zero')
        clock.now = at(300 * SECOND)
        await beat()
        t.same(await told(), { status: 'up', due_age_seconds: 0 }, 'all is followed')
        clock.now = at(HOUR)
        await beat()
        const [series, ...others] = (await metric()) ?? []
        t.match(series, /protocol="paper",network="1"\} 0$/)
        t.same(others, [], 'nothing of a network that is gone')
        clock.now = at(HOUR + 700 * SECOND)
        t.match((await metric())?.[0], / 6\d\d(\.\d+)?$/, 'where nothing is counted any more either, it grows')
      },
      memory,
    ),
)

await t.test(
  'how late is told as not known while the database does not say, and that is no reason to send nobody any requests',
  async (t) => {
    let isAway = false
    const { call } = await following(t, await inMemory(t), {
      store: (real) => ({ ...real, run: (...given) => (isAway ? Promise.reject(new Error('away')) : real.run(...given)) }),
    })
    isAway = true
    const health = await call('GET', '/api/v1/health', undefined, {})
    t.equal(health.statusCode, 200)
    t.match(health.json(), { status: 'ok', info: { following: { status: 'unknown', due_age_seconds: null } } })
  },
)

await t.test('svc check says how late what is due is followed, of networks that are configured', (t) =>
  onBoth(t, async (t, store, { dataDir, databaseUrl }) => {
    const config = parseConfig({ ...input, data_dir: dataDir || t.testdir(), ...(databaseUrl ? { database_url: databaseUrl } : {}) }, {})
    const found = async () => (await inspectState(config, config.data_dir, [])).find(({ part }) => part === 'following')
    t.same(await found(), { part: 'following', text: 'nothing that is followed is due', problem: false, warning: null })
    const rest = {
      unsignedHash: null,
      wallet: null,
      identity: null,
      requestId: 'r',
      sentence: null,
      promised: null,
      bounds: null,
      signed: null,
    }
    const add = (network: string, seconds: number) =>
      store.transact((database) =>
        follow(database, {
          ...{ account: 'acme', protocol: 'paper', network, txHash: `${network} ${seconds}`, origin: 'broadcast', audit: 'a', ...rest },
          firstSeen: new Date(Date.now() - seconds * SECOND),
        }),
      )
    await add('gone', 40_000)
    await add('2', -3_600)
    t.match(await found(), { text: 'nothing that is followed is due' }, 'nor what is due later')
    await add('1', 100)
    t.match(await found(), { text: /^the oldest that is due, of paper 1, has been waiting for 1\d\d s$/, problem: false, warning: null })
    await add('2', 20_000)
    t.match(await found(), {
      text: /^the oldest that is due, of paper 2, has been waiting for 200\d\d s$/,
      problem: false,
      warning: /^following: the oldest .* no instance looks at it\. Start one, with life\.follow on;/,
    })
  }),
)

await t.test('what was planned while the clock was a year ahead is followed when the clock is right', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const script = createScript()
      script.digests = (positions) => new Map(positions.map(({ address }) => [address, 'a digest']))
      script.positions.set('p001', { ...NOTHING, digest: 'a digest' })
      const { call, broadcast, beat, clock, looksAt, log } = await following(t, state, { script })
      const right = clock.now.getTime()
      await broadcast('a')
      script.transactions.set(hashOf('a'), { ...UNKNOWN, status: 'pending' })
      clock.now = new Date(right + YEAR)
      await call('PUT', '/api/v1/watch/paper/p001')
      await beat()
      t.equal(looksAt('a'), 1)
      const planned = async () =>
        (
          await state.run(() =>
            ask<Record<string, unknown>>(sql`select next_at as a, compare_at as b, sweep_at as c from svc_transactions, svc_watches`),
          )
        ).map(({ a, b, c }) => [a, b, c].map((each) => timeOf(each).getTime() - right > 300 * 24 * HOUR))
      t.same(await planned(), [[true, true, true]])
      clock.now = new Date(right + 10 * SECOND)
      await beat()
      t.same(await planned(), [[false, false, false]])
      t.equal(looksAt('a'), 2)
      t.match(
        log.filter(({ count }) => count === 3),
        [{ msg: /a clock was ahead; they are due now/ }],
      )
      script.transactions.set(hashOf('a'), inBlock('final'))
      clock.now = new Date(right + 120 * SECOND)
      await beat()
      t.match((await call('GET', `transaction/${encodeURIComponent(hashOf('a'))}`)).json(), { status: 'final' })
    },
    memory,
  ),
)

await t.test('a network that was left alone while the clock was ahead is followed when the clock is right', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, beat, clock, script, looksAt } = await following(t, state)
      const right = clock.now.getTime()
      await broadcast('a')
      script.transactions.set(hashOf('a'), new Error('no endpoint answers'))
      clock.now = new Date(right + HOUR)
      await beat()
      t.equal(looksAt('a'), 1)
      await beat()
      t.equal(looksAt('a'), 1, 'it is left alone for a while')
      clock.now = new Date(right)
      await state.run((database) =>
        ask(sql`update svc_transactions set next_at = ${database.at(clock.now)}, lease_until = null returning id`),
      )
      await beat()
      t.equal(looksAt('a'), 2)
    },
    memory,
  ),
)
