import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { createCredential, NO_ACCOUNT } from '../../src/index.ts'
import { onBoth } from '../support/databases.ts'
import { hooks } from '../support/hooks.ts'
import { receiver } from '../support/receiver.ts'
import { peppers, testStore } from '../support/serve.ts'

const NOBODY = 'https://receiver.example/hooks'

await t.test('webhooks are made, listed, changed, rotated and deleted, each by its own account and on record', (t) =>
  onBoth(t, async (t, store) => {
    const service = await hooks(t, store)
    const made = await service.create(NOBODY, {
      events: ['apikey.*'],
      protocols: ['paper'],
      rewards_threshold: { paper: '1.5' },
      description: 'desk',
    })
    const { ulid = '', secret, ...shown } = made
    t.match(shown, {
      url: NOBODY,
      status: 'enabled',
      events: ['apikey.*'],
      protocols: ['paper'],
      rewards_threshold: { paper: '1.5' },
      public_key: /^whpk_/,
    })
    t.same(await service.webhook(ulid), { ulid, ...shown }, 'without the secret')
    t.same(await service.good('GET', '/webhooks'), [{ ulid, ...shown }])
    const changed = await service.good('PATCH', `/webhooks/${ulid}`, { events: null, description: null, enabled: false })
    t.match(changed, { events: null, description: null, protocols: ['paper'], status: 'disabled', reason: 'Switched off by request.' })
    t.match(await service.good('PATCH', `/webhooks/${ulid}`, { enabled: true }), { status: 'enabled', reason: null })
    const rotated = await service.good('POST', `/webhooks/${ulid}/rotate?overlap_hours=2`)
    t.match(rotated, { ulid, secret: /^whsec_/, old_secret_until: '2026-01-21T14:00:00.000Z', public_key: made.public_key })
    t.not(rotated.secret, secret)

    const other = (await service.token('beta')).value
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/01JD4Z0V9T6E6N1S2XKQ3B7W8V/resend'],
      ['POST', '/replay', { from: '2026-01-21' }],
    ] as const)
      t.match(
        (await service.call(method, `/webhooks/${ulid}${path}`, body, other)).json(),
        { statusCode: 404, code: 'WEBHOOK_NOT_FOUND' },
        `${method} ${path}`,
      )
    t.same((await service.call('GET', '/webhooks', undefined, other)).json(), [])

    t.equal((await service.call('DELETE', `/webhooks/${ulid}`)).body, '')
    t.match((await service.call('GET', `/webhooks/${ulid}`)).json(), { code: 'WEBHOOK_NOT_FOUND' })
    await eventually('everything on record', async () =>
      (await store.readAudit({ limit: 100, target: ulid })).records.every(({ status }) => status !== 0),
    )
    const { records } = await store.readAudit({ limit: 100, target: ulid, account: 'acme', outcome: 'ok' })
    t.same(
      records.map(({ action }) => action),
      ['delete-webhook', 'rotate-webhook', 'update-webhook', 'update-webhook', 'create-webhook'],
    )
    t.match(records.at(-1)?.changes, { url: 'https://receiver.example' }, 'of an address only where it is')
    t.notMatch(JSON.stringify(records), /whsec_|\/hooks/)
  }),
)

await t.test('an operator names the account, and sees whose a webhook is', async (t) => {
  const store = await testStore(t)
  const service = await hooks(t, store)
  const { value } = await createCredential(store, peppers, service.clock.now, { kind: 'operator', account: NO_ACCOUNT, name: 'op' })
  const call = async (method: string, url: string, body?: unknown) => (await service.call(method, url, body, value)).json()
  t.match(await call('POST', '/webhooks', { url: NOBODY }), { statusCode: 400, code: 'ACCOUNT_REQUIRED' })
  t.match(await call('POST', '/webhooks?account=nobody', { url: NOBODY }), { code: 'UNKNOWN_ACCOUNT' })
  const { ulid } = await call('POST', '/webhooks?account=beta', { url: NOBODY })
  t.match(await call('GET', `/webhooks/${ulid}`), { account: 'beta' })
  t.match(await call('GET', '/webhooks'), [{ account: 'beta' }])
  t.match(await call('GET', '/webhooks?account=acme'), [])
  t.match(await call('POST', `/webhooks/${ulid}/test`), { event: /^msg_/ })
  t.match(await call('GET', '/events'), { code: 'ACCOUNT_REQUIRED' })
  t.match(await call('GET', '/events?account=beta'), { events: [{ type: 'ping' }] })
})

await t.test('what cannot be is refused in a sentence that says what would be right', async (t) => {
  const service = await hooks(t, await testStore(t), { config: { webhooks: { allow_private: false, max_per_account: 2 } } })
  const refused = async (body: unknown, expected: object, path = '/webhooks', method = 'POST') =>
    t.match((await service.call(method, path, body)).json(), { statusCode: 400, ...expected }, JSON.stringify(body))
  for (const url of [
    'http://example.org/',
    'https://127.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://u:p@example.org/',
    'https://localhost/',
    'x',
    'https://example.org:8443/',
  ])
    await refused({ url }, { code: 'WEBHOOK_URL_REFUSED', error: /; .* must|; a user/ })
  await refused({}, { code: 'REQUEST_INVALID', error: 'url is missing.' })
  await refused({ url: NOBODY, events: ['transaction.finale'] }, { code: 'REQUEST_INVALID' })
  await refused({ url: NOBODY, events: [] }, { code: 'REQUEST_INVALID' })
  await refused(
    { url: NOBODY, protocols: ['papr'] },
    { error: 'protocols names "papr", which is no protocol of this service; did you mean paper?' },
  )
  await refused({ url: NOBODY, rewards_threshold: { paper: '1e3' } }, { code: 'REQUEST_INVALID' })
  await refused({ url: NOBODY, rewards_threshold: { nothing: '1' } }, { error: /rewards_threshold names "nothing".*there are paper\./ })
  await refused({ url: NOBODY, secret: 'mine' }, { code: 'REQUEST_INVALID' })
  await refused(undefined, { error: /before and after/ }, '/events?before=1&after=2', 'GET')
  await refused(undefined, { code: 'REQUEST_INVALID' }, '/events?after=x', 'GET')
  const { ulid } = await service.create(NOBODY)
  await refused({ from: 'yesterday' }, { code: 'REQUEST_INVALID' }, `/webhooks/${ulid}/replay`)
  await refused({ url: 'https://10.0.0.1/' }, { code: 'WEBHOOK_URL_REFUSED' }, `/webhooks/${ulid}`, 'PATCH')
  await refused({}, { code: 'REQUEST_INVALID' }, `/webhooks/${ulid}`, 'PATCH')
  await service.create(NOBODY)
  t.match((await service.call('POST', '/webhooks', { url: NOBODY })).json(), { statusCode: 409, code: 'WEBHOOKS_EXHAUSTED' })
  t.match((await service.call('POST', `/webhooks/${ulid}/deliveries/x/resend`)).json(), { statusCode: 404, code: 'DELIVERY_NOT_FOUND' })
  t.equal((await service.call('GET', '/webhooks', undefined, 'none')).statusCode, 401)
})

await t.test('the list of events is complete and can be followed, by every filter and in pages of any size', (t) =>
  onBoth(t, async (t, store) => {
    const service = await hooks(t, store)
    const types = ['transaction.included', 'transaction.final', 'position.active'] as const
    for (let index = 0; index < 12; index++)
      await service.emit({ type: types[index % 3]!, subject: `s${index % 2}`, ...(index % 4 === 0 ? { protocol: 'paper' } : {}) })
    await service.emit({ account: 'beta' })
    const list = async (query: string) =>
      (await service.good('GET', `/events?${query}`)) as { events: { sequence: number; type: string }[]; next: string | null }
    const numbers = async (query: string) => (await list(query)).events.map(({ sequence }) => sequence)
    t.same(await numbers(''), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    t.same(await numbers('type=position.active'), [12, 9, 6, 3])
    t.same(await numbers('subject=s1'), [12, 10, 8, 6, 4, 2])
    t.same(await numbers('protocol=paper'), [9, 5, 1])
    t.same(await numbers('from=2026-01-22'), [])
    t.same((await numbers('to=2026-01-22')).length, 12)
    t.same(await numbers('after=9'), [10, 11, 12])
    for (const order of ['before', 'after'] as const) {
      const seen: number[] = []
      let place: string | null = order === 'after' ? '0' : null
      do {
        const page = await list(`limit=5${place === null ? '' : `&${order}=${place}`}`)
        seen.push(...page.events.map(({ sequence }) => sequence))
        place = page.next
      } while (place !== null)
      t.same(seen, order === 'after' ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    }
  }),
)

await t.test('a replay sends what a webhook has not got, in pages, and clears what it missed', (t) =>
  onBoth(t, async (t, store) => {
    const service = await hooks(t, store, { config: { webhooks: { backlog: 5 } } })
    await service.emit({}, {}, {}, { type: 'transaction.final' })
    const here = await receiver(t)
    const { ulid = '' } = await service.create(here.url, { events: ['transaction.included'] })
    const replay = (body: object) => service.good('POST', `/webhooks/${ulid}/replay`, { from: '2026-01-21', to: '2026-01-22', ...body })
    t.match(await replay({}), { queued: 3, next: null })
    await eventually('all of them', () => here.received.length === 3)
    t.same([...new Set(here.types())], ['transaction.included'])
    t.match(await replay({ after: '2' }), { queued: 0, next: null })
  }),
)

await t.test('a change of an API key, an expiring one and a withheld transaction are events of their account', (t) =>
  onBoth(t, async (t, store, { open }) => {
    const service = await hooks(t, store)
    const here = await receiver(t)
    await service.create(here.url, { events: ['apikey.*', 'security.decode_mismatch'] })
    const key = await service.good('POST', '/apikeys', { name: 'backend', expirationDate: '2026-01-28T11:00:00Z' })
    await service.good('PATCH', `/apikeys/${key.ulid}`, { active: false })
    await service.good('PATCH', `/apikeys/${key.ulid}`, { active: true })
    const other = await service.good('POST', '/apikeys', { name: 'other' })
    await service.good('DELETE', `/apikeys/${other.ulid}`)
    await eventually('all changes', () => here.received.length === 5)
    const bodies = () => here.received.map(({ body }) => JSON.parse(body)).toSorted((a, b) => a.data.sequence - b.data.sequence)
    t.match(bodies(), [
      { type: 'apikey.changed', data: { api_key: key.ulid, change: 'created', changes: { name: 'backend' } } },
      { data: { api_key: key.ulid, change: 'updated', changes: { active: false } } },
      { data: { change: 'updated', changes: { active: true } } },
      { data: { api_key: other.ulid, change: 'created' } },
      { data: { api_key: other.ulid, change: 'deleted' } },
    ])
    t.notMatch(JSON.stringify(here.received), /svc_|argon2/, 'no value is in them')
    await service.app.close()

    const expiring = async (at: string) => {
      const next = await hooks(t, await open(), { now: new Date(at) })
      await next.app.close()
    }
    for (const at of ['2026-01-21T12:01:00Z', '2026-01-22T12:00:00Z', '2026-01-27T11:00:00Z', '2026-01-27T12:00:00Z']) await expiring(at)
    const last = await hooks(t, await open(), { now: new Date('2026-01-28T12:00:00Z') })
    await eventually('both of them', () => here.received.length === 7)
    t.match(bodies().slice(5), [
      { type: 'apikey.expiring', data: { api_key: key.ulid, name: 'backend', expires_at: '2026-01-28T11:00:00.000Z', days: 7 } },
      { type: 'apikey.expiring', data: { days: 1 } },
    ])
    const { value } = await last.key()
    const body = { address: 'p001', amount: 1 }
    const reply = await last.app.inject({
      method: 'POST',
      url: '/api/v1/paper/native/action/cheat',
      headers: { 'x-api-key': value },
      payload: body,
    })
    t.equal(reply.statusCode, 500)
    await eventually('that, too', () => here.received.length === 8)
    t.match(bodies().at(-1), {
      type: 'security.decode_mismatch',
      data: { protocol: 'paper', network: '1', action: 'cheat', request_id: reply.headers['x-request-id'] },
    })
  }),
)
