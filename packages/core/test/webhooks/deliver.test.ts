import { verifyWebhook } from '@svc/client/webhooks'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { SCHEDULE_MS } from '../../src/webhooks/schedule.ts'
import { onBoth } from '../support/databases.ts'
import { hooks } from '../support/hooks.ts'
import { receiver } from '../support/receiver.ts'

const DAY_MS = 86_400_000

await t.test('a webhook brings the very bytes that the list has, signed for its receiver', (t) =>
  onBoth(t, async (t, store) => {
    const service = await hooks(t, store)
    const here = await receiver(t)
    const made = await service.create(here.url)
    const event = await service.ping(String(made.ulid))
    const done = await service.becomes(String(made.ulid), 'delivered', ({ state }) => state === 'delivered')
    t.match(done, { event, type: 'ping', attempts: 1, status: 200, error: null, answer: 'ok', next_at: null })
    const [message] = here.received
    t.match(message?.headers, {
      'webhook-id': event,
      'content-type': 'application/json',
      'user-agent': 'staking-transaction-service/1.2.3 (webhooks)',
    })
    for (const key of [made.secret, made.public_key])
      t.match(await verifyWebhook({ headers: message!.headers, body: message!.body, keys: [String(key)], now: service.clock.now }), {
        id: event,
      })
    const { events } = await service.good('GET', '/events')
    t.match(events, [{ id: event, type: 'ping', body: message!.body }])
    t.match(JSON.parse(message!.body), {
      type: 'ping',
      id: event,
      timestamp: '2026-01-21T12:00:00.000Z',
      data: { webhook: made.ulid, sequence: 1 },
    })
    t.same(
      [here.received.length, await service.webhook(String(made.ulid))].map((each) => (typeof each === 'number' ? each : each.status)),
      [1, 'enabled'],
    )
  }),
)

await t.test('what fails comes again by the schedule, with the same id and a new signature, and ends after it', (t) =>
  onBoth(t, async (t, store) => {
    const service = await hooks(t, store)
    const dead = await receiver(t, (response) => response.writeHead(500).end('no'))
    const { ulid = '' } = await service.create(dead.url)
    const { ulid: otherUlid = '' } = await service.create((await receiver(t)).url)
    /** Whatever is due now is looked for, and has been tried when this is done. */
    const look = async () => {
      const event = await service.ping(otherUlid)
      await service.becomes(otherUlid, 'a look', ({ state }) => state === 'delivered', event)
    }
    const event = await service.ping(ulid)
    for (const [index, pause] of [...SCHEDULE_MS.slice(1), null].entries()) {
      const at = service.clock.now
      const tried = await service.becomes(ulid, `attempt ${index + 1}`, ({ last_at }) => last_at === at.toISOString())
      t.match(tried, { attempts: index + 1, status: 500, error: 'STATUS', answer: 'no', state: pause === null ? 'dead' : 'pending' })
      if (pause === null) break
      t.equal(Date.parse(String(tried.next_at)) - at.getTime(), pause)
      service.pass(pause - 1)
      await look()
      t.equal(dead.received.length, index + 1, 'not before its time')
      service.pass(1)
      await look()
    }
    const own = dead.received.filter(({ headers }) => headers['webhook-id'] === event)
    t.equal(own.length, 10)
    t.equal(new Set(own.map(({ body }) => body)).size, 1)
    t.equal(new Set(own.map(({ headers }) => headers['webhook-signature'])).size, 10)
    t.match(await service.webhook(ulid), {
      status: 'failing',
      failing_since: '2026-01-21T12:00:00.000Z',
      reason: /another status than 2xx \(500\)/,
    })
  }),
)

await t.test('5 days of nothing but failures switch a webhook off, and it can be brought back with what it missed', (t) =>
  onBoth(t, async (t, store) => {
    const service = await hooks(t, store)
    let status = 503
    const flaky = await receiver(t, (response) => response.writeHead(status).end())
    const { ulid = '' } = await service.create(flaky.url)
    const first = await service.ping(ulid)
    await service.becomes(ulid, 'failed', ({ last_at }) => last_at !== null)
    service.pass(5 * DAY_MS)
    await service.ping(ulid)
    await eventually('switched off', async () => (await service.webhook(ulid)).status === 'disabled')
    t.match(await service.webhook(ulid), { reason: /^Nothing but failures for 5 days\./, backlog: { waiting: 0 } })
    t.same([...new Set((await service.deliveries(ulid)).map(({ state }) => state))], ['dead'])
    t.match((await service.call('POST', `/webhooks/${ulid}/test`)).json(), { statusCode: 409, code: 'WEBHOOK_DISABLED' })
    const [written] = await service.emit({})
    status = 200
    await service.good('PATCH', `/webhooks/${ulid}`, { enabled: true })
    const delivery = (await service.deliveries(ulid)).find(({ event }) => event === first)
    await service.good('POST', `/webhooks/${ulid}/deliveries/${delivery?.id}/resend`)
    t.match(await service.good('POST', `/webhooks/${ulid}/replay`, { from: '2026-01-21', to: '2026-02-01' }), { queued: 1, next: null })
    await eventually(
      'both',
      () => flaky.received.filter(({ headers }) => [first, written?.id].includes(String(headers['webhook-id']))).length >= 3,
    )
    await eventually('well again', async () => (await service.webhook(ulid)).status === 'enabled')
    t.match(
      await service.good('POST', `/webhooks/${ulid}/replay`, { from: '2026-01-21', to: '2026-02-01' }),
      { queued: 0 },
      'what was delivered is not sent again',
    )
    await eventually(
      'noted',
      async () =>
        (await service.good('POST', `/webhooks/${ulid}/replay`, { from: '2026-01-21', to: '2026-02-01', delivered: true })).queued === 1,
    )
  }),
)

await t.test('410 switches it off at once; Retry-After holds everything back for as long', (t) =>
  onBoth(t, async (t, store) => {
    const service = await hooks(t, store)
    const gone = await receiver(t, (response) => response.writeHead(410).end())
    const { ulid: goneUlid = '' } = await service.create(gone.url)
    await service.ping(goneUlid)
    await eventually('switched off', async () => (await service.webhook(goneUlid)).status === 'disabled')
    t.match(await service.webhook(goneUlid), { reason: 'It answered 410, that it is gone.' })

    let status = 429
    const busy = await receiver(t, (response) => response.writeHead(status, { 'retry-after': '3600' }).end())
    const { ulid = '' } = await service.create(busy.url)
    await service.ping(ulid)
    const tried = await service.becomes(ulid, 'asked to wait', ({ last_at }) => last_at !== null)
    t.equal(Date.parse(String(tried.next_at)) - service.clock.now.getTime(), 3_600_000)
    t.match(await service.webhook(ulid), { paused_until: '2026-01-21T13:00:00.000Z' })
    await service.ping(ulid)
    service.pass(3_599_000)
    await service.ping(ulid)
    const other = await receiver(t)
    const { ulid: otherUlid = '' } = await service.create(other.url)
    await service.ping(otherUlid)
    await service.becomes(otherUlid, 'meanwhile', ({ state }) => state === 'delivered')
    t.equal(busy.received.length, 1)
    status = 200
    service.pass(1_000)
    await service.ping(otherUlid)
    await eventually('all three', () => busy.received.length === 4)
    await eventually('well again', async () => (await service.webhook(ulid)).paused_until === null)
  }),
)

await t.test('one receiver that is slow, dead or redirects keeps no other one waiting', (t) =>
  onBoth(t, async (t, store) => {
    // What is slow is so for longer than the test: that others are told at all shows that they did not wait for it.
    const service = await hooks(t, store, { webhooks: { random: () => 0.5, timeoutMs: 3_600_000 } })
    let [open, most] = [0, 0]
    const slow = await receiver(t, (response) => {
      most = Math.max(most, ++open)
      response.once('close', () => open--)
    })
    const away = await receiver(t, (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
    const good = await receiver(t)
    const { ulid: slowUlid = '' } = await service.create(slow.url)
    const { ulid: awayUlid = '' } = await service.create(away.url)
    await service.create('http://127.0.0.1:1/')
    const { ulid = '' } = await service.create(good.url)
    const count = 40
    await service.emit(...Array.from({ length: count }, () => ({})))
    await service.ping(ulid)
    await eventually('all of them', () => good.received.length === count + 1)
    await eventually('four of the slow one', () => most >= 4)
    t.equal(most, 4, 'four at a time')
    t.match(await service.deliveries(awayUlid), [{ error: 'REDIRECT' }].slice(0, 0))
    t.ok(away.received.length >= 1)
    t.match(await service.webhook(slowUlid), { status: 'enabled', backlog: { waiting: count } })
    t.equal(new Set(good.received.map(({ headers }) => headers['webhook-id'])).size, count + 1, 'each once')
  }),
)

await t.test('a message whose lease somebody else took is not noted by the one who was late', (t) =>
  onBoth(t, async (t, store) => {
    const service = await hooks(t, store)
    let held: (() => void) | undefined
    const here = await receiver(t, (response) => {
      if (held) response.end('second')
      else held = () => response.writeHead(500).end('first')
    })
    const { ulid = '' } = await service.create(here.url)
    await service.ping(ulid)
    await eventually('sent', () => held !== undefined)
    const [delivery] = await service.deliveries(ulid)
    t.match(delivery, { state: 'pending', attempts: 1 })
    await service.good('POST', `/webhooks/${ulid}/deliveries/${delivery?.id}/resend`)
    await service.becomes(ulid, 'the second', ({ state }) => state === 'delivered')
    held?.()
    await service.ping(ulid)
    await service.becomes(ulid, 'the next', ({ state }) => state === 'delivered')
    t.match(
      (await service.deliveries(ulid)).find(({ id }) => id === delivery?.id),
      { state: 'delivered', answer: 'second', attempts: 1 },
    )
    t.equal((await service.webhook(ulid)).status, 'enabled')
  }),
)

await t.test('what is being sent when the service stops is noted, and what waits is sent by the next one', (t) =>
  onBoth(t, async (t, store, { open }) => {
    let closes = false
    const end = () => {
      closes = true
    }
    const first = await hooks(t, store, { pulse: { start: () => end } })
    const answers: (() => void)[] = []
    let free = false
    const here = await receiver(t, (response) => {
      if (free) response.end()
      else answers.push(() => response.end())
    })
    const { ulid = '' } = await first.create(here.url)
    await first.emit(...Array.from({ length: 6 }, () => ({})))
    await first.ping(ulid)
    await eventually('four under way', () => answers.length === 4)
    const closing = first.app.close()
    // What follows and what delivers are closed in one turn: before that the service may begin more.
    await eventually('the service closes its parts', () => closes)
    free = true
    for (const answer of answers) answer()
    await closing
    t.equal(here.received.length, 4, 'nothing more is begun')
    const second = await hooks(t, await open())
    await eventually('the rest', () => here.received.length === 7)
    await eventually('noted', async () =>
      (await second.deliveries(ulid)).every(({ state, attempts }) => state === 'delivered' && attempts === 1),
    )
  }),
)

await t.test('what was delivered is kept for 7 days, events and what was not for 30', (t) =>
  onBoth(t, async (t, store) => {
    const service = await hooks(t, store)
    const here = await receiver(t)
    const gone = await receiver(t, (response) => response.writeHead(410).end())
    const { ulid = '' } = await service.create(here.url)
    const { ulid: goneUlid = '' } = await service.create(gone.url)
    await service.ping(ulid)
    await service.ping(goneUlid)
    await service.becomes(ulid, 'delivered', ({ state }) => state === 'delivered')
    await service.becomes(goneUlid, 'dead', ({ state }) => state === 'dead')
    const { tidyWebhooks } = await import('../../src/webhooks/tidy.ts')
    const left = async () => {
      t.equal(await store.transact(tidyWebhooks, { now: () => service.clock.now }), false)
      const counts = [await service.deliveries(ulid), await service.deliveries(goneUlid), (await service.good('GET', '/events')).events]
      return counts.map(({ length }) => length)
    }
    service.pass(7 * DAY_MS - 1_000)
    t.same(await left(), [1, 1, 2])
    service.pass(2_000)
    t.same(await left(), [0, 1, 2])
    service.pass(23 * DAY_MS)
    t.same(await left(), [0, 0, 0])
  }),
)
