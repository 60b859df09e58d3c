import { createHmac } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import t from 'tap'
import { verifyWebhook, WebhookError } from '../src/webhooks/index.ts'

// Made by another hand, from secret bytes a0 to bf and seed bytes 00 to 1f.
const id = 'msg_01ARZ3NDEKTSV4RRFFQ69G5FAV'
const body = '{"type":"transaction.confirmed","timestamp":"2027-01-15T08:00:00.000Z","data":{"network":"eip155:143","tx_hash":"0x11"}}'
const secret = 'whsec_oKGio6SlpqeoqaqrrK2ur7CxsrO0tba3uLm6u7y9vr8='
const publicKey = 'whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg='
const v1 = 'v1,++OkP4+jlffKWiqjORtMSBqHxCTt16OXz0yhx67F7z0='
const v1a = 'v1a,wDmdR4lrjXsrwjZXhGRlePAKzKhmoxO55A9MfA7YkOJWGJFnT2tidYebfGS6KjXGKjYFaXk4115TXR8aaiV7Dw=='
const now = new Date(1_800_000_010_000)
const headers = (signature: string, changes: object = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': '1800000000',
  'webhook-signature': signature,
  ...changes,
})

t.test('the vectors hold, for each kind of key, and while one is being changed', async (t) => {
  for (const [signature, keys] of [
    [v1, [secret]],
    [v1a, [publicKey]],
    [`v2,xx ${v1}`, [secret]],
    [`${v1} ${v1a}`, ['whsec_AAAA', publicKey]],
  ] as const) {
    const seen = await verifyWebhook({ headers: headers(signature), body, keys, now })
    t.same(seen, { id, sentAt: new Date(1_800_000_000_000), body }, signature)
  }
  const bytes = new TextEncoder().encode(body)
  t.match(await verifyWebhook({ headers: new Headers(headers(v1)), body: bytes, keys: [secret], now }), { id })
})

t.test('whatever is changed, missing, old or by another key is refused', async (t) => {
  const refused = async (what: string, check: Partial<Parameters<typeof verifyWebhook>[0]>) =>
    t.rejects(verifyWebhook({ headers: headers(v1), body, keys: [secret], now, ...check }), WebhookError, what)
  await refused('another body', { body: body.replace('0x11', '0x12') })
  await refused('another id', { headers: headers(v1, { 'webhook-id': 'msg_2' }) })
  await refused('another time', { headers: headers(v1, { 'webhook-timestamp': '1800000001' }) })
  await refused('a time that is none', { headers: headers(v1, { 'webhook-timestamp': '1800000000abc' }) })
  await refused('an id with a dot', { headers: headers(v1, { 'webhook-id': `${id}.1` }) })
  await refused('no signature', { headers: headers(v1, { 'webhook-signature': undefined }) })
  await refused('another key', { keys: ['whsec_oKGio6SlpqeoqaqrrK2ur7CxsrO0tba3uLm6u7y9vrA='] })
  await refused('no key', { keys: [] })
  await refused('a secret for the other kind', { headers: headers(v1a), keys: [secret] })
  await refused('v1 by the bytes of a public key', {
    headers: headers(
      `v1,${createHmac('sha256', Buffer.from(publicKey.slice(5), 'base64'))
        .update(`${id}.1800000000.${body}`)
        .digest('base64')}`,
    ),
    keys: [publicKey],
  })
  await refused('too old', { now: new Date(1_800_000_301_000) })
  await refused('of the future', { now: new Date(1_799_999_699_000) })
  await refused('a signature that is no base64', { headers: headers('v1,***') })
})

t.test('what the library of the specification signs is taken', async (t) => {
  const sent = new Date()
  const signature = new StandardWebhook(secret).sign(id, sent, body)
  const given = headers(signature, { 'webhook-timestamp': String(Math.floor(sent.getTime() / 1000)) })
  t.match(await verifyWebhook({ headers: given, body, keys: [secret] }), { id, body })
})
