import t from 'tap'
import type { Client } from '../src/api/client.ts'
import { replayWebhook } from '../src/api/webhooks.ts'
import { changesOf, draftOf, emptyDraft, faultsOf, inputOf, toggled } from '../src/pages/webhooks/form.ts'
import { eventsText, FAMILIES, hostOf, nameOf, outcomeOf, withAttempt } from '../src/pages/webhooks/words.ts'
import { deliveryOf, webhookOf } from './support/webhooks.ts'

t.test('a form says what is wrong before anybody is asked', async (t) => {
  t.same(Object.keys(faultsOf({ ...emptyDraft(''), events: [], protocols: [] })), ['account', 'url', 'events', 'protocols'])
  t.same(faultsOf({ ...emptyDraft('acme'), url: ' https://example.org/x ' }), {})
  t.match(faultsOf({ ...emptyDraft(null), url: 'javascript:alert(1)' }).url, 'whole address')
  t.same(inputOf({ ...emptyDraft(null), url: ' https://example.org/x ', description: ' ' }), {
    url: 'https://example.org/x',
    description: null,
    events: null,
    protocols: null,
  })
  const webhook = webhookOf(1, { events: ['transaction.*'] })
  t.equal(changesOf(webhook, draftOf(webhook)), null)
  t.same(changesOf(webhook, { ...draftOf(webhook), events: null }), { events: null })
})

t.test('a family stands for each of its events', async (t) => {
  t.same(toggled(['transaction.final', 'apikey.changed'], 'transaction.*', true), ['apikey.changed', 'transaction.*'])
  t.same(toggled(['transaction.*', 'apikey.changed'], 'transaction.*', false), ['apikey.changed'])
  t.same(toggled([], 'pool.paused', true), ['pool.paused'])
  t.equal(eventsText(null), 'everything')
  t.equal(eventsText(['transaction.*', 'pool.paused']), 'transactions, pool.paused')
  for (const { name, types } of FAMILIES) t.ok(types.every(({ type }) => type.startsWith(`${name}.`)))
})

t.test('a receiver is named by its address, and an attempt by how it ended', async (t) => {
  t.equal(nameOf({ url: 'https://example.org/hooks?token=x' }), 'example.org/hooks', 'what may be secret is left out')
  t.equal(hostOf({ url: 'https://example.org:8443/hooks' }), 'example.org')
  const NOW = new Date()
  t.equal(outcomeOf(deliveryOf(0, NOW)), 'Answered 200 in 84 ms')
  t.equal(outcomeOf(deliveryOf(4, NOW)), 'Answered 503 in 1203 ms: it did not answer with 2xx')
  t.equal(outcomeOf(deliveryOf(4, NOW, { status: null, error: 'TIMEOUT' })), 'There was no answer in time')
  t.equal(outcomeOf(deliveryOf(4, NOW, { status: null, error: null, last_at: null })), null)
})

t.test('a replay goes on to its end, and not round in circles', async (t) => {
  const replies = [
    { queued: 1000, next: '5' },
    { queued: 200, next: '7' },
    { queued: 0, next: '7' },
  ]
  const asked: unknown[] = []
  const api = {
    call: async (_path: string, { body }: { body?: unknown } = {}) => {
      asked.push(body)
      return replies.shift()
    },
  } as unknown as Client
  t.equal(await replayWebhook(api, 'x', { from: 'f', delivered: false }), 1200)
  t.same(asked, [
    { from: 'f', delivered: false },
    { from: 'f', delivered: false, after: '5' },
    { from: 'f', delivered: false, after: '7' },
  ])
})

t.test('each attempt of a ping is a line of its own, told by when it ended', async (t) => {
  const none = deliveryOf(1, new Date(), { attempts: 1, last_at: null })
  t.same(withAttempt([], none), [], 'one that is under way is not counted')
  const first = deliveryOf(1, new Date(), { attempts: 1, last_at: '2026-11-22T12:00:00.000Z', error: 'STATUS' })
  const under = { ...first, attempts: 2 }
  const second = { ...first, attempts: 2, last_at: '2026-11-22T12:00:05.000Z', error: null }
  const seen = withAttempt([], first)
  t.equal(withAttempt(seen, under), seen, 'the second is under way: what is said is still of the first')
  t.same(withAttempt(seen, second), [first, second])
})
