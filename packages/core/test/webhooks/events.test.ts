import fc from 'fast-check'
import t from 'tap'
import { ulid } from 'ulid'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { atLeast } from '../../src/webhooks/decimal.ts'
import { createEvents, MOST_BYTES, type NewEvent } from '../../src/webhooks/events.ts'
import { onBoth } from '../support/databases.ts'

const { sql } = core()
const time = new Date('2026-11-22T12:00:00.500Z')

function event(changes: Partial<NewEvent> = {}): NewEvent {
  return {
    account: 'acme',
    type: 'transaction.included',
    subject: 'eip155:143 0x11',
    transition: ulid(),
    time,
    protocol: 'evm-three',
    data: { network: 'eip155:143', amount: 10n ** 30n },
    ...changes,
  }
}

function rig(store: Store, backlog = 1_000) {
  let woken = 0
  const events = createEvents({ store, backlog, wake: () => woken++ })
  return {
    events,
    woken: () => woken,
    emit: (...given: NewEvent[]) => events.transact((database) => events.insert(database, given)),
    async receiver(members: { account?: string; events?: string[]; protocols?: string[]; thresholds?: object; status?: string } = {}) {
      const id = ulid()
      const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
      await store.transact(({ now }) =>
        ask(sql`insert into svc_webhooks (ulid, account, url, events, protocols, rewards_threshold, status, secret_version, pepper, created_at, updated_at)
          values (${id}, ${members.account ?? 'acme'}, 'https://a.example/', ${json(members.events)}, ${json(members.protocols)},
            ${json(members.thresholds)}, ${members.status ?? 'enabled'}, 1, 'p', ${now}, ${now}) returning ulid`),
      )
      return id
    },
    queued: async (webhook: string) =>
      (
        await store.run(() =>
          ask<{
            type: string
            subject: string
          }>(sql`select e.type, e.subject, e.sequence from svc_deliveries d join svc_events e on e.id = d.event
            where d.webhook = ${webhook} order by e.sequence`),
        )
      ).map(({ type }) => type),
    bodies: () =>
      store.run(() =>
        ask<{ id: string; account: string; body: string; sequence: number }>(sql`select * from svc_events order by account, sequence`),
      ),
  }
}

await t.test('an event is written once, numbered, with the body that is sent', (t) =>
  onBoth(t, async (t, store) => {
    const { emit, bodies, woken } = rig(store)
    const one = event()
    const two = event({ type: 'transaction.final' })
    const [first] = await emit(one)
    t.match(first, { type: 'transaction.included', subject: one.subject, sequence: 1, id: /^msg_[0-9A-HJKMNP-TV-Z]{26}$/ })
    const written = await emit(one, two, event({ account: 'beta' }))
    t.match(written, [{ type: 'transaction.final' }, { account: 'beta', sequence: 1 }], 'one that is there is not written again')
    t.ok((written[0]?.sequence ?? 0) > 1)
    const rows = await bodies()
    t.equal(rows.length, 3)
    t.equal(
      rows[0]?.body,
      `{"type":"transaction.included","timestamp":"2026-11-22T12:00:00.500Z","id":"${first?.id}",` +
        '"data":{"network":"eip155:143","amount":"1000000000000000000000000000000","sequence":1}}',
    )
    t.equal(woken(), 2)
  }),
)

await t.test('an event, its fact and its deliveries are there together or not at all', (t) =>
  onBoth(t, async (t, store) => {
    const { events, receiver, queued, bodies } = rig(store)
    const webhook = await receiver()
    const change = (from: string, to: string, fails = false) =>
      events.transact(function* (database) {
        const changed = yield* ask(sql`update svc_records set value = ${to} where place = 'fact' and value = ${from} returning place`)
        if (changed.length === 0) return 'somebody else was sooner'
        yield* events.insert(database, [event()])
        if (fails) throw new Error('after all')
        return 'done'
      })
    await store.writeRecord('fact', 'state', 'pending', time)
    await t.rejects(change('pending', 'included', true), /after all/)
    t.same([await store.readRecord('fact', 'state'), await bodies(), await queued(webhook)], ['pending', [], []])
    const both = await Promise.all([change('pending', 'included'), change('pending', 'included')])
    t.same(both.toSorted(), ['done', 'somebody else was sooner'])
    t.same(await queued(webhook), ['transaction.included'])
    await t.rejects(
      events.transact((database) => events.insert(database, [event({ data: { text: 'x'.repeat(MOST_BYTES) } })])),
      RangeError,
    )
    t.equal((await bodies()).length, 1)
  }),
)

await t.test('a receiver is queued what it subscribed to', (t) =>
  onBoth(t, async (t, store) => {
    const { emit, receiver, queued } = rig(store)
    const all = await receiver()
    const family = await receiver({ events: ['position.*', 'transaction.final'] })
    const protocol = await receiver({ protocols: ['hub'], thresholds: { hub: '1.5' } })
    const off = await receiver({ status: 'disabled' })
    const foreign = await receiver({ account: 'beta' })
    await emit(
      event(),
      event({ type: 'transaction.final' }),
      event({ type: 'position.rewards_claimable', protocol: 'hub', rewards: '1.49' }),
      event({ type: 'position.rewards_claimable', protocol: 'hub', rewards: '1.5' }),
      event({ type: 'position.rewards_claimable', rewards: '1.5' }),
      event({ type: 'ping', to: [family] }),
      event({ type: 'apikey.changed', protocol: undefined as never }),
    )
    t.same(await queued(all), ['transaction.included', 'transaction.final', 'apikey.changed'])
    t.same(await queued(family), ['transaction.final', 'ping'])
    t.same(await queued(protocol), ['position.rewards_claimable', 'apikey.changed'])
    t.same([await queued(off), await queued(foreign)], [[], []])
  }),
)

await t.test('a full backlog takes no more, says so, and keeps no other receiver from its events', (t) =>
  onBoth(t, async (t, store) => {
    const { emit, receiver, queued } = rig(store, 5)
    const [full, other] = [await receiver(), await receiver({ events: ['transaction.final'] })]
    await emit(...Array.from({ length: 7 }, () => event()))
    await emit(event(), event({ type: 'transaction.final' }))
    t.equal((await queued(full)).length, 5)
    t.same(await queued(other), ['transaction.final'])
    const [row] = await store.run(() => ask(sql`select missed, missed_since from svc_webhooks where ulid = ${full}`))
    t.equal(row?.missed, 4)
    t.ok(row?.missed_since)
  }),
)

await t.test('numbers are seen in their order, however many write at once', (t) =>
  onBoth(t, async (t, store, { open }) => {
    const others = [rig(store), rig(await open())]
    const seen: number[] = []
    let writing = true
    const look = async () => {
      while (writing) {
        const [last] = await store.run(() => ask<{ n: unknown }>(sql`select max(sequence) as n from svc_events where account = 'acme'`))
        const from = Number(last?.n ?? 0)
        const rows = await store.run(() =>
          ask<{ n: unknown }>(sql`select count(*) as n from svc_events where account = 'acme' and sequence <= ${from}`),
        )
        seen.push(from - Number(rows[0]?.n))
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const looking = look()
    await Promise.all(Array.from({ length: 12 }, (_, index) => others[index % 2]!.emit(event(), event(), event({ account: 'beta' }))))
    writing = false
    await looking
    t.ok(seen.length > 0)
    t.same([...new Set(seen)], [0], 'what is below the highest number that is seen, is seen')
  }),
)

t.test('decimals are compared exactly', async (t) => {
  const decimal = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 })).map(([units, scale]) => {
    const digits = units.toString().padStart(scale + 1, '0')
    const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
    return { text, value: units * 10n ** BigInt(20 - scale) }
  })
  fc.assert(fc.property(decimal, decimal, (a, b) => atLeast(a.text, b.text) === a.value >= b.value))
  for (const bad of ['', '.5', '-1', '1e3', '01', '1.']) t.throws(() => atLeast(bad, '1'), RangeError)
})
