import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { claimLease, holdsLease, type Lease, releaseLease, renewLease } from '../../src/db/leases.ts'
import { ask, timeOf } from '../../src/db/work.ts'
import { onBoth } from '../support/databases.ts'

const { sql } = core()

/** Milliseconds by which the clock of the database's machine may differ from ours. */
const CLOCKS_MS = 5_000

await t.test('work in a transaction takes effect as a whole or not at all', (t) =>
  onBoth(t, async (t, store) => {
    const names = () => store.run(() => ask<{ place: string }>(sql`select place from svc_records where key = 'work' order by place`))
    const insert = (place: string) =>
      ask(sql`insert into svc_records (place, key, value, updated_at) values (${place}, 'work', '', ${TIME}) returning place`)
    const TIME = store.dialect === 'sqlite' ? sql`0` : sql`now()`
    const made = await store.transact(function* () {
      yield* insert('one')
      return (yield* insert('two')).length
    })
    t.equal(made, 1)
    await t.rejects(
      store.transact(function* () {
        yield* insert('three')
        throw new RangeError('by its author')
      }),
      RangeError,
      'what the work throws passes as it is',
    )
    await t.rejects(
      store.transact(function* () {
        yield* insert('four')
        yield* insert('one')
      }),
      /constraint/i,
      'and so does what the data are to blame for',
    )
    await t.rejects(
      store.transact(() => ask(sql`select * from svc_no_such_table`)),
      { code: 'DATABASE_UNAVAILABLE' },
    )
    t.same(
      (await names()).map(({ place }) => place),
      ['one', 'two'],
    )
  }),
)

await t.test('the time is in whole milliseconds, and another clock may stand for it', (t) =>
  onBoth(t, async (t, store) => {
    const then = new Date('2030-01-02T03:04:05.678Z')
    const ages = (options = {}) =>
      store.transact(function* (database) {
        const { now } = database
        yield* ask(sql`delete from svc_leases returning name`)
        yield* ask(sql`insert into svc_leases (name, owner, until, fence) values ('a', 'me', ${now}, 1) returning name`)
        yield* ask(sql`insert into svc_leases (name, owner, until, fence) values ('b', 'me', ${database.later(1_500)}, 1) returning name`)
        const found = yield* ask<{ until: unknown }>(
          sql`select until from svc_leases where until >= ${database.at(new Date(0))} order by name`,
        )
        return found.map(({ until }) => timeOf(until))
      }, options)
    t.same(await ages({ now: () => then }), [then, new Date(then.getTime() + 1_500)])
    const before = Date.now()
    const [now] = await ages()
    const within = Number(now?.getTime()) >= before - CLOCKS_MS && Number(now?.getTime()) <= Date.now() + CLOCKS_MS
    t.ok(within, `${now?.toISOString()} is between ${new Date(before).toISOString()} and the end of the question`)
  }),
)

await t.test('two transactions that wait for each other crosswise both take effect', (t) =>
  onBoth(t, async (t, store) => {
    await store.run(function* ({ now }) {
      for (const name of ['x', 'y'])
        yield* ask(sql`insert into svc_leases (name, owner, until, fence) values (${name}, '', ${now}, 0) returning name`)
    })
    const raise = (names: readonly string[]) =>
      store.transact(function* () {
        for (const name of names) {
          yield* ask(sql`update svc_leases set fence = fence + 1 where name = ${name} returning name`)
          if (store.dialect === 'postgres') yield* ask(sql`select pg_sleep(0.02)`)
        }
      })
    await Promise.all([raise(['x', 'y']), raise(['y', 'x'])])
    const found = await store.run(() => ask<{ fence: unknown }>(sql`select fence from svc_leases where name in ('x', 'y')`))
    t.same(
      found.map(({ fence }) => Number(fence)),
      [2, 2],
    )
  }),
)

await t.test('one at a time has a lease, until it lapses or is given up, and the one before can no longer write', (t) =>
  onBoth(t, async (t, store, { open }) => {
    const other = await open()
    let now = new Date('2030-01-01T00:00:00Z')
    const clock = { now: () => now }
    const claim = (by: typeof store, owner: string, ms = 30_000) =>
      by.transact((database) => claimLease(database, 'stream', owner, ms), clock)
    const holds = (lease: Lease) => store.transact((database) => holdsLease(database, lease), clock)
    const pass = (ms: number) => {
      now = new Date(now.getTime() + ms)
    }
    const all = await Promise.all([claim(store, 'a'), claim(other, 'b'), claim(store, 'c'), claim(other, 'd')])
    const won = all.filter((lease) => lease !== null)
    t.equal(won.length, 1, 'of several at once, one')
    const [first] = won as [Lease]
    t.equal(first.fence, 1)
    pass(29_999)
    t.equal(await claim(other, 'z'), null)
    t.equal(await store.transact((database) => renewLease(database, first, 30_000), clock), true)
    pass(29_999)
    t.equal(await claim(other, 'z'), null, 'renewed')
    t.equal(await holds(first), true)
    pass(1)
    t.equal(await holds(first), true, 'lapsed, and nobody else has it')
    const second = await claim(other, 'z')
    t.match(second, { owner: 'z', fence: 2 })
    t.equal(await holds(first), false)
    t.equal(await store.transact((database) => renewLease(database, first, 30_000), clock), false)
    await store.transact((database) => releaseLease(database, first), clock)
    t.equal(await claim(store, 'y'), null, 'who has lost it gives up nothing')
    await store.transact((database) => releaseLease(database, second as Lease), clock)
    t.match(await claim(store, 'y'), { owner: 'y', fence: 3 })
  }),
)

await t.test(
  "a lease that was taken while the clock was an hour ahead is nobody's when the clock is right, and one of a minute is somebody's",
  (t) =>
    onBoth(t, async (t, store) => {
      const at = (ms: number) => ({ now: () => new Date(Date.parse('2026-11-25T12:00:00Z') + ms) })
      const take = (owner: string, ms: number) => store.transact((database) => claimLease(database, 'follow', owner, 60_000), at(ms))
      const ahead = (await take('dead', 3_600_000)) as Lease
      t.ok(ahead)
      const mine = (await take('me', 0)) as Lease
      t.match(mine, { owner: 'me', fence: ahead.fence + 1 })
      t.equal(await store.transact((database) => holdsLease(database, ahead), at(0)), false, 'if it lives, it has lost it')
      t.equal(await take('another', 0), null)
      t.equal(await take('another', -60_000), null, 'also where a clock is put back by a minute')
      t.ok(await take('another', -60_001), 'beyond it nobody can tell it from a lease of the dead')
    }),
)

await t.test('nobody takes a lease while somebody writes because of it', (t) =>
  onBoth(t, async (t, store, { open }) => {
    const other = await open()
    const lease = (await store.transact((database) => claimLease(database, 'writing', 'a', 0))) as Lease
    const done: string[] = []
    const writing = store.transact(function* (database) {
      if (!(yield* holdsLease(database, lease))) throw new Error('it was lost')
      if (database.dialect === 'postgres') yield* ask(sql`select pg_sleep(0.1)`)
      done.push('written')
    })
    // On its way before it.
    await new Promise((resolve) => setImmediate(resolve))
    if (store.dialect === 'postgres') await store.run(() => ask(sql`select pg_sleep(0.03)`))
    const taken = other.transact((database) => claimLease(database, 'writing', 'b', 0)).then((found) => done.push(`taken ${found?.fence}`))
    await Promise.all([writing, taken])
    t.same(done, ['written', 'taken 2'])
  }),
)
