import t from 'tap'
import { ulid } from 'ulid'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { type ClaimOptions, claim } from '../../src/webhooks/claim.ts'
import { complete, type TriedDelivery } from '../../src/webhooks/complete.ts'
import { createEvents } from '../../src/webhooks/events.ts'
import type { Attempt } from '../../src/webhooks/send.ts'
import { tidyWebhooks } from '../../src/webhooks/tidy.ts'
import { onBoth } from '../support/databases.ts'

const { sql } = core()
const OPTIONS: ClaimOptions = { owner: 'me', leaseMs: 30_000, most: 100, mostFailing: 50, after: '', random: 0.5 }
const DONE: Attempt = { failure: null, status: 204, latencyMs: 12, answer: 'thanks', retryAfterMs: null }
const FAILED: Attempt = { failure: 'STATUS', status: 500, latencyMs: 9, answer: 'no', retryAfterMs: null } as Attempt

function rig(store: Store) {
  const events = createEvents({ store, backlog: 1_000, wake: () => undefined })
  return {
    async receiver(status = 'enabled', pausedMs: number | null = null) {
      const id = ulid()
      await store.transact((database) =>
        ask(sql`insert into svc_webhooks (ulid, account, url, status, secret_version, pepper, failing_since, paused_until, created_at, updated_at)
          values (${id}, 'acme', 'https://a.example/', ${status}, 1, 'p', ${status === 'failing' ? database.now : null},
            ${pausedMs === null ? null : database.later(pausedMs)}, ${database.now}, ${database.now}) returning ulid`),
      )
      return id
    },
    emit: () =>
      events.transact((database) =>
        events.insert(database, [{ account: 'acme', type: 'ping', subject: 's', transition: ulid(), time: new Date(), data: {} }]),
      ),
    claim: (changes: Partial<ClaimOptions> = {}) => store.transact((database) => claim(database, { ...OPTIONS, ...changes })),
    complete: (...tried: readonly Omit<TriedDelivery, 'random'>[]) =>
      store.transact((database) =>
        complete(
          database,
          tried.map((each) => ({ ...each, random: 0.5 })),
        ),
      ),
    deliveries: () => store.run(() => ask(sql`select * from svc_deliveries order by id`)),
    receivers: () => store.run(() => ask(sql`select * from svc_webhooks order by ulid`)),
    touch: (statement: ReturnType<typeof sql>) => store.transact(() => ask(statement)),
  }
}

await t.test('what was delivered is noted, each with its own answer', (t) =>
  onBoth(t, async (t, store) => {
    const { receiver, emit, claim, complete, deliveries, receivers } = rig(store)
    await receiver()
    await receiver()
    const before = await receivers()
    await emit()
    const claimed = await claim()
    t.equal(claimed.length, 2)
    await complete(
      ...claimed.map((each, index) => ({ claimed: each, attempt: { ...DONE, status: 200 + index, answer: index ? 'b' : null } })),
    )
    t.match(
      (await deliveries())
        .map(({ state, last_status, latency_ms, answer, owner, last_error }) => [state, last_status, latency_ms, answer, owner, last_error])
        .toSorted(),
      [
        ['delivered', 200, 12, null, null, null],
        ['delivered', 201, 12, 'b', null, null],
      ],
    )
    t.same(await receivers(), before, 'the rows of healthy receivers are not written')
    t.same(await claim(), [])
  }),
)

await t.test('who was sooner keeps a delivery: another owner, another lease, an end by request', (t) =>
  onBoth(t, async (t, store) => {
    const { receiver, emit, claim, complete, deliveries, touch } = rig(store)
    const ulid = await receiver('failing')
    for (const attempt of [DONE, FAILED])
      for (const [what, sooner] of [
        ['another process has it', sql`update svc_deliveries set owner = 'somebody' returning id`],
        ['it was claimed once more', sql`update svc_deliveries set fence = fence + 1 returning id`],
        ['it was ended by request', sql`update svc_deliveries set state = 'dead' returning id`],
      ] as const) {
        await touch(sql`delete from svc_deliveries returning id`)
        await emit()
        const [claimed] = await claim()
        if (!claimed) throw new Error('it is due')
        await touch(sooner)
        const before = await deliveries()
        await complete({ claimed, attempt })
        t.same(await deliveries(), before, `${what}, and then it ${attempt.failure ?? 'arrived'}`)
        t.match(await store.run(() => ask(sql`select status from svc_webhooks where ulid = ${ulid}`)), [{ status: 'failing' }])
      }
  }),
)

await t.test('a success heals a receiver that fails or is paused, and no failure after it does; one that is switched off stays so', (t) =>
  onBoth(t, async (t, store) => {
    const { receiver, emit, claim, complete, receivers, touch, deliveries } = rig(store)
    await receiver('failing')
    await emit()
    const [claimed] = await claim()
    if (!claimed) throw new Error('it is due')
    await complete({ claimed, attempt: DONE })
    t.match(await receivers(), [{ status: 'enabled', reason: null, failing_since: null, paused_until: null }])

    await emit()
    const [second] = await claim()
    if (!second) throw new Error('it is due')
    await touch(sql`update svc_webhooks set paused_until = created_at returning ulid`)
    await complete({ claimed: second, attempt: DONE })
    t.match(await receivers(), [{ status: 'enabled', paused_until: null }], 'paused meanwhile')

    await emit()
    await emit()
    const both = await claim()
    t.equal(both.length, 2)
    const [one, other] = both
    if (!one || !other) return
    await complete({ claimed: one, attempt: DONE }, { claimed: other, attempt: FAILED })
    t.match(await receivers(), [{ status: 'failing', reason: /500/ }])
    t.same((await deliveries()).map(({ state }) => state).toSorted(), ['delivered', 'delivered', 'delivered', 'pending'])

    await emit()
    const [third] = await claim()
    if (!third) throw new Error('it is due')
    await touch(sql`update svc_webhooks set status = 'disabled' returning ulid`)
    await complete({ claimed: third, attempt: DONE })
    t.match(await receivers(), [{ status: 'disabled' }])
  }),
)

await t.test('what was queued for a receiver while it was switched off, or deleted, is ended and not sent', (t) =>
  onBoth(t, async (t, store) => {
    const { receiver, emit, claim, deliveries, touch } = rig(store)
    const off = await receiver()
    const gone = await receiver()
    await emit()
    await touch(sql`update svc_webhooks set status = 'disabled' where ulid = ${off} returning ulid`)
    await touch(sql`delete from svc_webhooks where ulid = ${gone} returning ulid`)
    t.same(await claim(), [])
    t.match(await deliveries(), [
      { state: 'dead', last_error: 'WEBHOOK_DISABLED' },
      { state: 'dead', last_error: 'WEBHOOK_DISABLED' },
    ])
    await touch(sql`update svc_deliveries set state = 'pending', ended_at = null, last_error = null returning id`)
    await receiver()
    await emit()
    await store.transact(tidyWebhooks)
    t.same((await deliveries()).map(({ state }) => state).toSorted(), ['dead', 'dead', 'pending'], 'also while there is something to send')
    t.equal((await claim()).length, 1)
  }),
)

await t.test('a thousand deliveries of long ago are deleted at once, and whether there may be more is told', (t) =>
  onBoth(t, async (t, store) => {
    const { receiver, emit, deliveries } = rig(store)
    await receiver()
    for (let count = 0; count < 1_000; count++) await emit()
    await store.run((database) =>
      ask(sql`update svc_deliveries set state = 'dead', ended_at = ${database.later(-31 * 86_400_000)} returning id`),
    )
    t.equal(await store.transact(tidyWebhooks), true)
    t.same(await deliveries(), [])
    t.equal(await store.transact(tidyWebhooks), false)
  }),
)

await t.test('what was planned while the clock was a month ahead is delivered when the clock is right', (t) =>
  onBoth(t, async (t, store) => {
    const { receiver, emit, claim } = rig(store)
    const ulid = await receiver('enabled', 30 * 86_400_000)
    await emit()
    await store.run((database) => ask(sql`update svc_deliveries set next_at = ${database.later(30 * 86_400_000)} returning id`))
    t.equal((await claim()).length, 0)
    await store.transact(tidyWebhooks)
    t.match(await claim(), [{ webhook: { ulid } }])
    await store.run((database) =>
      ask(sql`update svc_deliveries set lease_until = null, next_at = ${database.later(2 * 86_400_000)} returning id`),
    )
    await store.transact(tidyWebhooks)
    t.equal((await claim()).length, 0, 'and what is planned for in two days waits until then')
  }),
)

await t.test('neither an event nor a success waits for who has the row of a receiver', (t) =>
  onBoth(t, async (t, store, place) => {
    const { receiver, emit, claim, complete, deliveries } = rig(store)
    const ulid = await receiver()
    await emit()
    const [claimed] = await claim()
    if (!claimed) throw new Error('it is due')
    // The embedded database has one writer, who waits for nobody here.
    const other = await place.open()
    const order: string[] = []
    const { promise: has, resolve: hasIt } = Promise.withResolvers<void>()
    let isHeld = place.databaseUrl !== ''
    const holds = other
      .transact(function* (database) {
        yield* ask(sql`select * from svc_webhooks where ulid = ${ulid} ${database.exclusive}`)
        hasIt()
        // Until the others are done: who waits for the row is refused by the limit of a statement.
        while (isHeld) yield* ask(sql`select 1 from (select pg_sleep(0.01)) as slept`)
      })
      .then(() => order.push('who has the row'))
    await has
    try {
      await emit()
      order.push('event')
      await complete({ claimed, attempt: DONE })
      order.push('success')
    } finally {
      isHeld = false
      await holds
    }
    if (place.databaseUrl) t.same(order, ['event', 'success', 'who has the row'])
    t.match(await deliveries(), [{ state: 'delivered' }, { state: 'pending' }])
  }),
)
