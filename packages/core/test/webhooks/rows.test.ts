import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { nextUlid } from '../../src/db/ulid.ts'
import { ask, timeOrNull, type Work, type WorkDatabase, type WorkRunner } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { type ClaimOptions, claim, nextDue } from '../../src/webhooks/claim.ts'
import { complete } from '../../src/webhooks/complete.ts'
import { createEvents } from '../../src/webhooks/events.ts'
import { readDeliveries, readEvents, replay, resend } from '../../src/webhooks/history.ts'
import { insertWebhook, listWebhooks, readWebhook, removeWebhook, rotateWebhook, updateWebhook } from '../../src/webhooks/manage.ts'
import { createWorker } from '../../src/webhooks/worker.ts'
import { onBoth } from '../support/databases.ts'

const { sql } = core()
const memory = { memory: true }
const BEGIN = new Date('2026-11-25T12:00:00.000Z')
const DAY = 86_400_000
const CLAIM: ClaimOptions = { owner: 'me', leaseMs: 30_000, most: 100, mostFailing: 50, after: '', random: 0.5 }
const after = (value: unknown) => {
  const time = timeOrNull(value)
  return time && time.getTime() - BEGIN.getTime()
}

function rig(store: Store, backlog = 1_000) {
  const clock = { now: BEGIN }
  const now = () => clock.now
  const events = createEvents({ store, backlog, wake: () => undefined, now })
  const run = <T>(work: (database: WorkDatabase) => Work<T>) => store.transact(work, { now })
  return {
    clock,
    run,
    at: (ms: number) => {
      clock.now = new Date(BEGIN.getTime() + ms)
    },
    async receiver(account = 'acme', more: object = {}, most = 9) {
      const id = nextUlid(Date.now())
      const subscription = { url: 'https://a.example/', description: null, events: null, protocols: null, rewardsThreshold: null, ...more }
      await run((database) => insertWebhook(database, { ...subscription, ulid: id, account, pepper: 'p' }, most))
      return id
    },
    emit: async (type: 'ping' | 'transaction.final' = 'transaction.final', account = 'acme', to?: readonly string[]) => {
      const [event] = await events.transact((database) =>
        events.insert(database, [
          { account, type, subject: 's', transition: nextUlid(Date.now()), time: clock.now, data: {}, ...(to && { to }) },
        ]),
      )
      return event?.id ?? ''
    },
    claim: (changes: Partial<ClaimOptions> = {}) => run((database) => claim(database, { ...CLAIM, ...changes })),
    rows: (table: 'svc_deliveries' | 'svc_webhooks') =>
      run(() => ask(sql`select * from ${sql.raw(table)} order by ${sql.raw(table === 'svc_webhooks' ? 'ulid' : 'id')}`)),
    touch: (statement: ReturnType<typeof sql>) => run(() => ask(statement)),
  }
}

await t.test('what is claimed is due again by its schedule, and is one owner’s until his lease is over', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { receiver, emit, claim, rows, at, run } = rig(store)
      await receiver()
      t.equal(await run(nextDue), null)
      await emit()
      t.equal(await run(nextDue), 0)
      const [first] = await claim()
      t.match(first, { attempts: 1, owner: 'me', fence: 1 })
      t.match(JSON.parse(first?.body ?? ''), { type: 'transaction.final' })
      const [row] = await rows('svc_deliveries')
      t.match(row, { owner: 'me', fence: 1, attempts: 1, state: 'pending' })
      t.same([after(row?.lease_until), after(row?.next_at)], [30_000, 30_000], 'its lease is longer than the pause')
      at(29_999)
      t.same(await claim(), [])
      t.equal(await run(nextDue), 1)
      at(30_000)
      t.match(await claim({ owner: 'you' }), [{ attempts: 2, owner: 'you', fence: 2 }])
      const [again] = await rows('svc_deliveries')
      t.same([after(again?.lease_until), after(again?.next_at)], [60_000, 90_000], 'and then the pause is')
      await run(() => ask(sql`update svc_deliveries set attempts = 9, next_at = created_at, lease_until = null returning id`))
      t.match(await claim(), [{ attempts: 10 }])
      const [last] = await rows('svc_deliveries')
      t.same(after(last?.next_at), 60_000, 'after the last one its lease is waited for')
      await run(() => ask(sql`update svc_deliveries set next_at = created_at, lease_until = null returning id`))
      t.same(await claim(), [], 'there is no eleventh')
      t.equal(await run(nextDue), null)
    },
    memory,
  ),
)

await t.test('a receiver has four at a time, one that fails has one, and a round goes on where it ended', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { receiver, emit, claim, touch, at } = rig(store)
      const [one, two, three] = [await receiver(), await receiver(), await receiver('acme')]
      for (let turn = 0; turn < 6; turn++) await emit()
      await touch(sql`update svc_webhooks set status = 'failing' where ulid = ${two} returning ulid`)
      await touch(sql`update svc_webhooks set paused_until = '2999-01-01T00:00:00.000Z' where ulid = ${three} returning ulid`)
      const counts = (found: readonly { webhook: { ulid: string } }[]) =>
        [one, two, three].map((id) => found.filter(({ webhook }) => webhook.ulid === id).length)
      const first = await claim({ mostFailing: 0 })
      t.same(counts(first), [4, 0, 0], 'none of those that fail')
      t.same(counts(await claim()), [0, 1, 0])
      t.same(counts(await claim()), [0, 0, 0], 'they are busy')
      await touch(sql`update svc_deliveries set lease_until = null where id = ${first[0]?.id} returning id`)
      t.same(counts(await claim()), [1, 0, 0], 'as many as are free')
      await touch(sql`update svc_webhooks set status = 'enabled', paused_until = null returning ulid`)
      at(DAY)
      t.same(counts(await claim({ most: 5, after: one })), [0, 4, 1])
      t.same(counts(await claim({ most: 5, after: two })), [2, 0, 3], 'after the last the first comes')
    },
    memory,
  ),
)

await t.test('a failed attempt is noted with its answer, and its receiver with the reason', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { receiver, emit, claim, run, rows, at, touch } = rig(store)
      const id = await receiver()
      const other = await receiver('beta')
      const fail = async (attempt: object) => {
        await touch(sql`delete from svc_deliveries returning id`)
        await emit()
        const [claimed] = await claim()
        if (!claimed) throw new Error('it is due')
        return run((database) =>
          complete(database, [
            {
              claimed,
              random: 0.5,
              attempt: { failure: 'STATUS', status: 500, latencyMs: 9, answer: 'no', retryAfterMs: null, ...attempt } as never,
            },
          ]),
        )
      }
      at(1_000)
      t.same(await fail({}), [])
      const [row] = await rows('svc_deliveries')
      t.match(row, {
        state: 'pending',
        owner: null,
        lease_until: null,
        last_status: 500,
        last_error: 'STATUS',
        latency_ms: 9,
        answer: 'no',
        ended_at: null,
      })
      t.same([after(row?.last_at), after(row?.next_at)], [1_000, 6_000])
      const [failing] = await rows('svc_webhooks')
      t.match(failing, { status: 'failing', reason: /^The last attempt failed: .*\(500\)\.$/, paused_until: null })
      t.same([after(failing?.failing_since), after(failing?.updated_at)], [1_000, 1_000])

      at(2_000)
      await touch(sql`update svc_webhooks set status = 'failing' where ulid = ${id} returning ulid`)
      await fail({})
      t.same(after((await rows('svc_webhooks'))[0]?.updated_at), 1_000, 'what is known already is not written')
      for (const [status, retryAfterMs, until] of [
        [429, 60_000, 62_000],
        [502, 1, 7_000],
        [503, 0, 7_000],
        [504, 60_000, 62_000],
        [500, 60_000, null],
        [503, null, null],
      ] as const) {
        await touch(sql`update svc_webhooks set paused_until = null returning ulid`)
        await fail({ status, retryAfterMs })
        t.same(after((await rows('svc_webhooks'))[0]?.paused_until), until, `${status}, ${retryAfterMs}`)
        await touch(sql`update svc_webhooks set paused_until = null returning ulid`)
      }
      t.same(after((await rows('svc_webhooks'))[0]?.failing_since), 1_000, 'since the first failure')

      at(1_000 + 5 * DAY - 1)
      t.same(await fail({}), [])
      at(1_000 + 5 * DAY)
      const reason = /^Nothing but failures for 5 days\. The last attempt failed/
      t.match(await fail({}), [{ ulid: id, account: 'acme', reason }])
      t.match(
        (await rows('svc_webhooks')).find(({ ulid }) => ulid === id),
        { status: 'disabled', reason },
      )
      t.match(await rows('svc_deliveries'), [{ state: 'dead', last_error: 'STATUS' }])
      t.match(
        (await rows('svc_webhooks')).find(({ ulid }) => ulid === other),
        { status: 'enabled' },
        'and nobody else',
      )
      await touch(sql`update svc_webhooks set status = 'enabled', failing_since = null where ulid = ${id} returning ulid`)
      t.match(await fail({ status: 410 }), [{ reason: 'It answered 410, that it is gone.' }])
      await touch(sql`update svc_webhooks set status = 'enabled' where ulid = ${id} returning ulid`)
      t.same(await fail({ failure: 'EVENT_GONE', status: null }), [])
      t.match(await rows('svc_deliveries'), [{ state: 'dead', last_error: 'EVENT_GONE' }])
      t.match(
        (await rows('svc_webhooks')).find(({ ulid }) => ulid === id),
        { status: 'enabled' },
        'which is no fault of the receiver',
      )
    },
    memory,
  ),
)

await t.test('a receiver is read, changed, rotated and deleted by its own account, and nothing beside it is', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { receiver, emit, run, rows, at, touch } = rig(store)
      const mine = await receiver()
      const other = await receiver()
      const theirs = await receiver('beta')
      await emit()
      await emit('transaction.final', 'beta')
      const before = await rows('svc_webhooks')
      const foreign = { ulid: theirs, account: 'acme' }
      const works = [
        readWebhook,
        removeWebhook,
        (db: WorkDatabase, scope: typeof foreign) => updateWebhook(db, scope, { enabled: false }),
        (db: WorkDatabase, scope: typeof foreign) => rotateWebhook(db, scope, 'q', 1),
      ]
      for (const work of works)
        await t.rejects(
          run((database) => work(database, foreign) as Work<unknown>),
          { code: 'WEBHOOK_NOT_FOUND' },
        )
      t.same(await rows('svc_webhooks'), before)
      t.match(await run((database) => readWebhook(database, { ulid: theirs, account: null })), { webhook: { ulid: theirs }, waiting: 1 })
      t.same(
        (await run((database) => listWebhooks(database, 'acme'))).map(({ webhook }) => webhook.ulid),
        [mine, other],
      )
      t.equal((await run((database) => listWebhooks(database, null))).length, 3)
      t.same(
        (await run((database) => listWebhooks(database, null, { after: mine, limit: 1 }))).map(({ webhook }) => webhook.ulid),
        [other],
      )

      at(5_000)
      const scope = { ulid: mine, account: 'acme' }
      await run((database) => rotateWebhook(database, scope, 'q', 60_000))
      const rotated = (await rows('svc_webhooks')).find(({ ulid }) => ulid === mine)
      t.match(rotated, { secret_version: 2, pepper: 'q', former_pepper: 'p' })
      t.same([after(rotated?.secret_until), after(rotated?.updated_at)], [65_000, 5_000])
      await run((database) => updateWebhook(database, scope, { description: 'd', rewardsThreshold: { paper: '1' } }))
      t.match((await run((database) => readWebhook(database, scope))).webhook, {
        description: 'd',
        url: 'https://a.example/',
        rewardsThreshold: { paper: '1' },
        status: 'enabled',
      })
      await run((database) => updateWebhook(database, scope, { enabled: false }))
      t.match(await run((database) => readWebhook(database, scope)), {
        webhook: { status: 'disabled', reason: 'Switched off by request.' },
        waiting: 0,
      })
      t.match(
        (await rows('svc_deliveries')).filter(({ webhook }) => webhook === mine),
        [{ state: 'dead', last_error: 'WEBHOOK_DISABLED' }],
      )
      await touch(sql`update svc_webhooks set failing_since = created_at, paused_until = created_at where ulid = ${mine} returning ulid`)
      await run((database) => updateWebhook(database, scope, { enabled: true }))
      t.match((await run((database) => readWebhook(database, scope))).webhook, {
        status: 'enabled',
        reason: null,
        failingSince: null,
        pausedUntil: null,
      })
      await emit()
      await run((database) => removeWebhook(database, scope))
      t.same(
        (await rows('svc_webhooks')).map(({ ulid }) => ulid),
        [other, theirs],
      )
      t.same(
        (await rows('svc_deliveries')).filter(({ webhook }) => webhook === mine).map(({ state }) => state),
        ['dead'],
        'what waits goes with it',
      )
      t.equal((await rows('svc_deliveries')).length, 4)
      await t.rejects(receiver('acme', {}, 1), { code: 'WEBHOOKS_EXHAUSTED' })
      t.ok(await receiver('beta', {}, 2))
    },
    memory,
  ),
)

await t.test('what is shown and sent again is of this event and this receiver', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { receiver, emit, run, rows, touch, claim, at } = rig(store)
      const mine = await receiver()
      const theirs = await receiver('beta')
      await emit('transaction.final', 'beta')
      const final = await emit()
      const ping = await emit('ping', 'acme', [mine])
      const scope = { ulid: mine, account: 'acme' }
      const shown = (await readDeliveries(store, mine, { limit: 9 })).rows
      t.same(
        shown.map(({ event, type }) => [event, type]),
        [
          [ping, 'ping'],
          [final, 'transaction.final'],
        ],
      )
      t.match(await readDeliveries(store, mine, { limit: 1 }), { rows: [{ event: ping }], next: shown[0]?.id }, 'there is more')
      t.same(
        (await readDeliveries(store, mine, { limit: 9, before: shown[0]?.id })).rows.map(({ event }) => event),
        [final],
      )
      t.same((await readDeliveries(store, mine, { limit: 9, state: 'dead' })).rows, [])
      const [, last] = shown
      await claim()
      await touch(sql`update svc_deliveries set state = 'dead', ended_at = created_at, attempts = 9 returning id`)
      const before = (await rows('svc_deliveries')).filter(({ id }) => id !== last?.id)
      at(7_000)
      t.match(await run((database) => resend(database, scope, last?.id ?? '')), {
        event: final,
        type: 'transaction.final',
        state: 'pending',
        attempts: 0,
        endedAt: null,
      })
      const again = (await rows('svc_deliveries')).find(({ id }) => id === last?.id)
      t.match(again, { owner: null, lease_until: null, fence: 2 })
      t.equal(after(again?.next_at), 7_000)
      t.same(
        (await rows('svc_deliveries')).filter(({ id }) => id !== last?.id),
        before,
        'and no other',
      )
      const [foreign] = (await readDeliveries(store, theirs, { limit: 9 })).rows
      await t.rejects(
        run((database) => resend(database, scope, foreign?.id ?? '')),
        { code: 'DELIVERY_NOT_FOUND' },
      )

      const read = async (filter: object) => (await readEvents(store, { account: 'acme', limit: 9, ...filter })).rows
      t.same(
        (await read({})).map(({ id }) => id),
        [ping, final],
      )
      t.same(
        (await read({ after: 0 })).map(({ id }) => id),
        [final, ping],
      )
      t.same(
        (await read({ after: 1 })).map(({ id }) => id),
        [ping],
      )
      t.same(
        (await read({ before: 2 })).map(({ id }) => id),
        [final],
      )
      t.same(
        (await read({ type: 'ping' })).map(({ id }) => id),
        [ping],
      )
      t.same(await read({ subject: 'other' }), [])
      t.same(await read({ protocol: 'paper' }), [])
      t.equal((await read({ from: BEGIN })).length, 2)
      t.same(await read({ from: new Date(BEGIN.getTime() + 1) }), [])
      t.same(await read({ to: BEGIN }), [], 'exclusive')

      const span = { from: BEGIN, to: new Date(BEGIN.getTime() + 1), delivered: false, after: 0 }
      const play = (change: object = {}, backlog = 100) => run((database) => replay(database, scope, { ...span, ...change }, backlog))
      t.same(await play(), { queued: 0, next: null }, 'it waits already, and a ping is not repeated')
      await touch(sql`update svc_deliveries set state = 'delivered' returning id`)
      t.same(await play(), { queued: 0, next: null })
      t.same(await play({ delivered: true }), { queued: 1, next: null })
      await touch(sql`update svc_deliveries set state = 'dead' returning id`)
      t.same(await play({}, 1), { queued: 1, next: 1 }, 'one page of room for one')
      await t.rejects(play({}, 1), { code: 'WEBHOOK_BACKLOG_FULL' })
      await touch(sql`delete from svc_deliveries returning id`)
      await touch(sql`update svc_webhooks set missed = 2, missed_since = created_at returning ulid`)
      t.same(await play(), { queued: 1, next: null })
      t.match(
        (await rows('svc_webhooks')).map(({ missed, missed_since }) => [Number(missed), missed_since === null]),
        [
          [0, true],
          [2, false],
        ],
      )
      await touch(sql`update svc_webhooks set missed = 2, missed_since = ${'2026-11-25T12:00:00.001Z'} where ulid = ${mine} returning ulid`)
      await play()
      t.equal(Number((await rows('svc_webhooks'))[0]?.missed), 2, 'missed since after the end of the time')
    },
    memory,
  ),
)

await t.test('whatever keeps a message from being sent ends its attempt: a sender that throws, no secret, no event', (t) =>
  onBoth(
    t,
    async (t, store) => {
      for (const [expected, signatures, gone] of [
        ['CONNECTION_LOST', 'v1,x', false],
        ['SECRET_UNAVAILABLE', null, false],
        ['EVENT_GONE', 'v1,x', true],
      ] as const) {
        const { receiver, emit, rows, touch, clock } = rig(store)
        await touch(sql`delete from svc_webhooks returning ulid`)
        await touch(sql`delete from svc_deliveries returning id`)
        await receiver()
        await emit()
        if (gone) await touch(sql`delete from svc_events returning id`)
        const counted: unknown[] = []
        const gauges = new Map<string, () => number>()
        let lag: number | undefined
        clock.now = new Date(BEGIN.getTime() + 5_000)
        const faults: unknown[] = []
        const worker = createWorker({
          ...{ store, version: '1', time: () => clock.now, now: () => clock.now, random: () => 0.5 },
          keys: { signatures: () => signatures } as never,
          send() {
            lag = gauges.get('svc_webhook_lag_seconds')?.()
            return Promise.reject(new Error('it broke'))
          },
          log: { error: (_: object, text: string) => faults.push(text), warn() {}, info() {} } as never,
          metrics: {
            count: (_name: string, _help: string, labels: object) => counted.push(labels),
            gauge: (name: string, _help: string, read: () => number) => gauges.set(name, read),
          } as never,
        })
        worker.start()
        await eventually(
          'an attempt',
          () => rows('svc_deliveries'),
          ([first]) => first?.last_error !== null,
        )
        await worker.close()
        t.match(await rows('svc_deliveries'), [{ last_error: expected, last_status: null, owner: null, state: gone ? 'dead' : 'pending' }])
        t.same(counted, [{ outcome: expected }])
        if (expected === 'CONNECTION_LOST') t.equal(lag, 5, 'it had waited for so long')
        t.equal(gauges.get('svc_webhook_attempts_under_way')?.(), 0)
        t.same(faults, expected === 'CONNECTION_LOST' ? ['a webhook could not be sent'] : [])
      }
    },
    memory,
  ),
)

await t.test('an event costs its writer, and a claim its process, no more statements for fifty receivers than for one', (t) =>
  onBoth(
    t,
    async (t, store) => {
      let statements = 0
      const counting: WorkRunner = {
        ...store,
        transact: (work, options) =>
          store.transact(function* (database) {
            const running = work(database)
            let step = running.next([])
            for (; !step.done; statements++) step = running.next(yield step.value)
            return step.value
          }, options),
      }
      const { receiver, emit, claim } = rig(counting as Store)
      const counts: Record<string, number>[] = []
      for (const receivers of [1, 50]) {
        for (let count = receivers === 1 ? 0 : 1; count < receivers; count++) await receiver('acme', {}, 50)
        statements = 0
        await emit()
        const written = statements
        statements = 0
        t.equal((await claim()).length, receivers)
        counts.push({ written, claimed: statements })
      }
      t.same(counts[1], counts[0])
      t.ok(
        Object.values(counts[0] ?? {}).every((count) => count <= 6),
        JSON.stringify(counts[0]),
      )
    },
    memory,
  ),
)

await t.test('sixteen attempts begin within a tenth of a second; those that are only waited for keep no others from beginning', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { receiver, emit, clock } = rig(store)
      for (let count = 0; count < 9; count++) await receiver()
      for (let count = 0; count < 4; count++) await emit()
      clock.now = new Date(BEGIN.getTime() + 5_000)
      const held = Promise.withResolvers<never>()
      let begun = 0
      const worker = createWorker({
        ...{ store, version: '1', time: () => clock.now, now: () => clock.now },
        keys: { signatures: () => 'v1,x' } as never,
        send() {
          begun++
          return held.promise
        },
        log: { error() {}, warn() {}, info() {} } as never,
        metrics: { count() {}, gauge() {} },
      })
      worker.start()
      for (const most of [16, 32, 36]) {
        t.equal(
          await eventually(
            `${most} attempts`,
            () => begun,
            (number) => number >= most,
          ),
          most,
        )
        clock.now = new Date(clock.now.getTime() + 100)
      }
      held.reject(new Error('given up'))
      await worker.close()
    },
    memory,
  ),
)
