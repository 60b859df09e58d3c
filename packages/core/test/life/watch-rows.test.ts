import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask, type Row, timeOrNull, type Work, type WorkDatabase } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { lookNow } from '../../src/life/chain-clocks.ts'
import { findDue, NOTHING } from '../../src/life/due.ts'
import {
  claimWatches,
  listWatches,
  postponeWatch,
  readSoon,
  savePosition,
  unwatch,
  type WatchKey,
  watchCrafted,
  watchers,
  watchRequested,
} from '../../src/life/watches.ts'
import { onBoth } from '../support/databases.ts'

const { sql } = core()
const memory = { memory: true }
const BEGIN = new Date('2026-11-25T12:00:00.000Z')
const KEY: WatchKey = { account: 'acme', protocol: 'paper', network: '1', wallet: 'p001' }
const READING = { position: '"x"', dueMs: 5_000, sweepMs: 9_000, digest: 'd', compareMs: 7_000 }

function rig(store: Store) {
  const clock = { now: BEGIN }
  const run = <T>(work: (database: WorkDatabase) => Work<T>) => store.transact(work, { now: () => clock.now })
  const options = (most = 9, afterMs = 1_000) => ({ at: clock.now, afterMs, most })
  return {
    clock,
    run,
    options,
    at: (ms: number) => {
      clock.now = new Date(BEGIN.getTime() + ms)
    },
    rows: () => run(() => ask(sql`select * from svc_watches order by account, protocol, network, wallet`)),
    async row(key: WatchKey = KEY): Promise<Row> {
      const [found] = await run(() =>
        ask(
          sql`select * from svc_watches where account = ${key.account} and protocol = ${key.protocol} and network = ${key.network} and wallet = ${key.wallet}`,
        ),
      )
      if (!found) throw new Error('it has a row')
      return found
    },
    craft: (key: WatchKey = KEY, most = 9) => run((database) => watchCrafted(database, key, options(most))),
    /** Claims the row and saves a reading, as the stream does. */
    async read(reading = READING) {
      const [watch] = await run((database) => claimWatches(database, KEY, { most: 9, leaseMs: 60_000, after: '', reason: 'due' }))
      if (!watch) throw new Error('it is due')
      return run((database) => savePosition(database, watch, reading))
    },
  }
}
/** Milliseconds after the beginning; null stays. */
const after = (value: unknown) => {
  const time = timeOrNull(value)
  return time && time.getTime() - BEGIN.getTime()
}

await t.test('each account, protocol, network and wallet has a row of its own, up to as many as the account may have', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { craft, run, rows, options } = rig(store)
      const others = [{ account: 'beta' }, { protocol: 'stone' }, { network: '2' }, { wallet: 'p002' }].map((change) => ({
        ...KEY,
        ...change,
      }))
      for (const key of [KEY, ...others]) t.equal(await craft(key), true)
      t.equal((await rows()).length, 5)
      t.equal(await craft(KEY), true, 'once more')
      t.equal((await rows()).length, 5)
      t.equal(await craft({ ...KEY, wallet: 'p003' }, 4), false, 'acme has four')
      t.equal(await craft({ ...KEY, wallet: 'p003' }, 5), true)
      t.equal(await craft({ ...KEY, account: 'beta', wallet: 'p003' }, 2), true, 'and beta one')
      const found = (change: object) => run((database) => watchers(database, { protocol: 'paper', network: '1', ...change }))
      t.same((await found({})).toSorted(), ['acme', 'beta'])
      t.same(await found({ protocol: 'stone' }), ['acme'])
      t.same(await found({ network: '2' }), ['acme'])
      await run((database) => unwatch(database, { ...KEY, network: '2' }))
      t.same(await found({ network: '2' }), [])
      t.equal(await run((database) => watchRequested(database, { ...KEY, network: '2' }, options(4))), null, 'who is back needs room, too')
      t.match(await run((database) => watchRequested(database, { ...KEY, network: '2' }, options(5))), { network: '2', origin: 'request' })
    },
    memory,
  ),
)

await t.test('what may have changed is read soon, and no later than it was to be', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { craft, run, row, options, read, at } = rig(store)
      await craft()
      t.match(await row(), { origin: 'craft', position: null, failures: 0, fence: 0 })
      t.equal(after((await row()).due_at), 1_000)
      at(1_000)
      t.equal(await read(), true)
      t.match(await row(), { position: '"x"', digest: 'd', failures: 0, lease_until: null })
      const times = async () => {
        const found = await row()
        return ['read_at', 'due_at', 'sweep_at', 'compare_at'].map((name) => after(found[name]))
      }
      t.same(await times(), [1_000, 6_000, 10_000, 8_000])
      await run(() => ask(sql`update svc_watches set failures = 3, lease_until = due_at returning id`))
      const { fence } = await row()
      await run((database) => readSoon(database, KEY, options(9, 2_000)))
      t.same((await times())[1], 3_000, 'sooner than planned')
      t.match(await row(), { failures: 0, lease_until: null, fence: Number(fence) + 1, position: '"x"' })
      await run((database) => readSoon(database, KEY, options(9, 8_000)))
      t.same((await times())[1], 3_000, 'never later')
      await run((database) => readSoon(database, { ...KEY, wallet: 'p009' }, options()))
      t.match(await row({ ...KEY, wallet: 'p009' }), { origin: 'transaction' })
      t.same((await times())[1], 3_000, 'and of no other wallet')
      await run((database) => unwatch(database, KEY))
      await run((database) => readSoon(database, KEY, options()))
      t.match(await row(), { due_at: null, removed_at: /./ }, 'one that was given up stays so')
    },
    memory,
  ),
)

await t.test('what is given up keeps nothing, and what is asked for again begins anew', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { craft, run, row, options, read, at, rows } = rig(store)
      await craft()
      await craft({ ...KEY, wallet: 'p002' })
      at(1_000)
      await read()
      t.match(await run((database) => watchRequested(database, KEY, options())), { origin: 'craft', position: '"x"' }, 'while it is there')
      const { fence } = await row()
      t.equal(await run((database) => unwatch(database, KEY)), true)
      t.match(await row(), {
        ...{ due_at: null, sweep_at: null, compare_at: null, digest: null, position: null, fence: Number(fence) + 1 },
      })
      t.equal(after((await row()).removed_at), 1_000)
      t.equal(await run((database) => unwatch(database, KEY)), false, 'once')
      t.match((await rows())[1], { removed_at: null })
      await run(() =>
        ask(sql`update svc_watches set failures = 4, position = '"old"', digest = 'd', compare_at = created_at, read_at = created_at, lease_until = created_at
        where wallet = 'p001' returning id`),
      )
      at(2_000)
      t.match(await run((database) => watchRequested(database, KEY, options())), { origin: 'request', failures: 0, readAt: null })
      t.match(await row(), {
        ...{ removed_at: null, position: null, digest: null, compare_at: null, read_at: null, lease_until: null, fence: Number(fence) + 2 },
      })
      t.equal(after((await row()).due_at), 3_000)
    },
    memory,
  ),
)

await t.test('a reading that could not be made is put off: what was due of it, and nothing else', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { craft, run, row, at } = rig(store)
      await craft()
      await craft({ ...KEY, wallet: 'p002' })
      for (const [due, sweep, expected] of [
        [0, 500, [60_000, 500]],
        [500, 0, [500, 60_000]],
        [0, 0, [60_000, 60_000]],
        [500, 500, [500, 500]],
      ] as const) {
        at(0)
        await run((database) =>
          ask(
            sql`update svc_watches set due_at = ${database.later(due)}, sweep_at = ${database.later(sweep)}, lease_until = null returning id`,
          ),
        )
        const before = await row()
        await run((database) => postponeWatch(database, { id: String(before.id), fence: Number(before.fence) } as never, 60_000))
        const now = await row()
        t.same([after(now.due_at), after(now.sweep_at)], expected)
        t.match(now, { failures: Number(before.failures) + 1, fence: Number(before.fence) + 1, lease_until: null })
      }
      t.match(await row({ ...KEY, wallet: 'p002' }), { failures: 0, fence: 0 })
    },
    memory,
  ),
)

await t.test('who lists sees his own, page by page, and none that was given up', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { craft, run } = rig(store)
      for (const wallet of ['p001', 'p002', 'p003']) await craft({ ...KEY, wallet })
      await craft({ ...KEY, protocol: 'stone', wallet: 'p004' })
      await craft({ ...KEY, account: 'beta' })
      await run((database) => unwatch(database, { ...KEY, wallet: 'p002' }))
      const list = (options: Partial<Parameters<typeof listWatches>[2]> = {}) =>
        run((database) => listWatches(database, 'acme', { limit: 9, ...options }))
      const all = await list()
      t.same(all.map(({ wallet }) => wallet).toSorted(), ['p001', 'p003', 'p004'])
      t.same(
        all,
        all.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      )
      t.same((await list({ limit: 2 })).length, 2)
      t.same(await list({ after: all[0]?.id }), all.slice(1), 'the one that is named is not among them')
      t.same(
        (await list({ protocol: 'stone' })).map(({ wallet }) => wallet),
        ['p004'],
      )
    },
    memory,
  ),
)

await t.test('what is due of a network is told from what is due of another, and of nothing that somebody has in hand', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { craft, run, at, read } = rig(store)
      await craft()
      await craft({ ...KEY, network: '2' })
      const place = { protocol: 'paper', network: '1' }
      const due = () => run((database) => findDue(database, [place, { protocol: 'stone', network: '1' }]))
      const of = async (change: object) => {
        const [found, other] = await due()
        t.same(other, { protocol: 'stone', network: '1', ...NOTHING })
        t.same(found, { ...place, ...NOTHING, ...change })
      }
      t.same(await run((database) => findDue(database, [])), [])
      at(999)
      await of({})
      at(1_000)
      await of({ positions: true })
      await read()
      await of({})
      for (const [ms, change] of [
        [5_999, {}],
        [6_000, { positions: true }],
        [8_000, { positions: true, digests: true }],
        [10_000, { positions: true, digests: true, rereads: true }],
      ] as const) {
        at(ms)
        await of(change)
      }
      await run(() => ask(sql`update svc_watches set digest = null returning id`))
      await of({ positions: true, digests: true, sweeps: true })
      await run((database) => ask(sql`update svc_watches set lease_until = ${database.later(1)} returning id`))
      await of({})
      await run((database) => unwatch(database, KEY))
      await run(() => ask(sql`update svc_watches set lease_until = null returning id`))
      await of({})
    },
    memory,
  ),
)

await t.test('when the clock of a local chain is turned, what is followed there is looked at, and nothing elsewhere or given up', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { craft, run, row, at } = rig(store)
      const gone = { ...KEY, wallet: 'p002' }
      for (const key of [KEY, gone, { ...KEY, network: '2' }]) await craft(key)
      await run((database) => unwatch(database, gone))
      await run(() => ask(sql`update svc_watches set lease_until = created_at returning id`))
      at(500)
      const { fence } = await row()
      await run((database) => lookNow(database, '1'))
      t.match(await row(), { lease_until: null, fence: Number(fence) + 1 })
      t.equal(after((await row()).due_at), 500)
      t.match(await row(gone), { due_at: null })
      t.equal(after((await row({ ...KEY, network: '2' })).due_at), 1_000)
    },
    memory,
  ),
)

await t.test('each reason takes its own: what was never read, what is due, what has no digest, what has one', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { craft, run, at } = rig(store)
      for (const wallet of ['p001', 'p002', 'p003', 'p004']) await craft({ ...KEY, wallet })
      const change = (wallet: string, ...set: readonly ReturnType<typeof sql>[]) =>
        run(() => ask(sql`update svc_watches set ${sql.join([...set], sql`, `)} where wallet = ${wallet} returning id`))
      await change('p002', sql`read_at = created_at`)
      await change('p003', sql`due_at = null`, sql`sweep_at = created_at`)
      await change('p004', sql`due_at = null`, sql`sweep_at = created_at`, sql`digest = 'd'`)
      at(1_000)
      for (const [reason, wallets] of [
        ['first', ['p001']],
        ['sweep', ['p003']],
        ['reread', ['p004']],
        ['due', ['p001', 'p002']],
      ] as const) {
        const found = await run((database) => claimWatches(database, KEY, { most: 9, leaseMs: 60_000, after: '', reason }))
        t.same(found.map(({ wallet }) => wallet).toSorted(), wallets, reason)
        for (const other of [{ network: '2' }, { protocol: 'stone' }])
          t.same(await run((database) => claimWatches(database, { ...KEY, ...other }, { most: 9, leaseMs: 60_000, after: '', reason })), [])
        await run(() => ask(sql`update svc_watches set lease_until = null returning id`))
      }
    },
    memory,
  ),
)

await t.test('nothing is written of what was given up, whoever has it in hand', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { craft, run, at, row } = rig(store)
      await craft()
      at(1_000)
      const [watch] = await run((database) => claimWatches(database, KEY, { most: 9, leaseMs: 60_000, after: '', reason: 'due' }))
      if (!watch) throw new Error('it is due')
      await run(() => ask(sql`update svc_watches set removed_at = created_at returning id`))
      const before = await row()
      t.equal(await run((database) => savePosition(database, watch, READING)), false)
      t.same(await row(), before)
    },
    memory,
  ),
)
