import { verifyWebhook } from '@svc/client/webhooks'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import t from 'tap'
import { pepperFingerprint } from '../../src/credentials/value.ts'
import { createWebhookKeys, type KeyHolder, keyOfSeed, publicText, signV1, signV1a } from '../../src/webhooks/signing.ts'

// Made by another hand, from secret bytes a0 to bf and seed bytes 00 to 1f.
const message = {
  id: 'msg_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  timestamp: 1_800_000_000,
  body: '{"type":"transaction.confirmed","timestamp":"2027-01-15T08:00:00.000Z","data":{"network":"eip155:143","tx_hash":"0x11"}}',
}
const bytes = (from: number) => Buffer.from(Array.from({ length: 32 }, (_, index) => from + index))

const pepper = 'a pepper that is long enough for the config'
const newPepper = 'another pepper that is long enough for it'
const holder: KeyHolder = {
  ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R',
  account: 'acme',
  secretVersion: 1,
  secretUntil: null,
  pepper: pepperFingerprint(pepper),
  formerPepper: null,
}
const now = new Date(message.timestamp * 1_000)

t.test('the signatures are those of the specification', async (t) => {
  t.equal(signV1(bytes(0xa0), message), 'v1,++OkP4+jlffKWiqjORtMSBqHxCTt16OXz0yhx67F7z0=')
  const key = keyOfSeed(bytes(0))
  t.equal(publicText(key), 'whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=')
  t.equal(signV1a(key, message), 'v1a,wDmdR4lrjXsrwjZXhGRlePAKzKhmoxO55A9MfA7YkOJWGJFnT2tidYebfGS6KjXGKjYFaXk4115TXR8aaiV7Dw==')
})

const headersOf = (signatures: string, timestamp = message.timestamp) => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signatures,
})

t.test('a receiver verifies with its secret alone, with the public key alone, and with the library of the specification', async (t) => {
  const keys = createWebhookKeys([pepper])
  const sent = { ...message, timestamp: Math.floor(Date.now() / 1_000) }
  const signatures = String(keys.signatures(holder, sent, new Date()))
  const headers = headersOf(signatures, sent.timestamp)
  const secret = String(keys.secret(holder))
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  for (const key of [secret, String(keys.publicKey(holder))])
    t.match(await verifyWebhook({ headers, body: sent.body, keys: [key] }), { id: sent.id, body: sent.body })
  t.same(new StandardWebhook(secret).verify(sent.body, headers), JSON.parse(sent.body))
  for (const other of [
    { ...holder, ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8S' },
    { ...holder, secretVersion: 2 },
  ])
    await t.rejects(verifyWebhook({ headers, body: sent.body, keys: [String(keys.secret(other))] }))
  await t.rejects(verifyWebhook({ headers, body: sent.body, keys: [String(keys.publicKey({ ...holder, account: 'beta' }))] }))
  t.equal(keys.publicKey({ ...holder, ulid: 'X', secretVersion: 7 }), keys.publicKey(holder), 'one key pair for all webhooks of an account')
})

t.test('during a rotation both secrets hold, afterwards the new one', async (t) => {
  const keys = createWebhookKeys([newPepper, pepper])
  const rotated: KeyHolder = {
    ...holder,
    secretVersion: 2,
    pepper: pepperFingerprint(newPepper),
    formerPepper: holder.pepper,
    secretUntil: new Date(now.getTime() + 1),
  }
  const all = (holder: KeyHolder) => [String(keys.secret(holder)), String(keys.publicKey(holder))]
  const verifies = async (signatures: string | null, key: string) =>
    verifyWebhook({ headers: headersOf(String(signatures)), body: message.body, keys: [key], now }).then(
      () => true,
      () => false,
    )
  const during = keys.signatures(rotated, message, now)
  t.equal(during?.split(' ').length, 4)
  for (const key of [...all(rotated), ...all(holder)]) t.equal(await verifies(during, key), true)
  const later = keys.signatures(rotated, message, new Date(now.getTime() + 1))
  t.same(await Promise.all([...all(rotated), ...all(holder)].map((key) => verifies(later, key))), [true, true, false, false])
})

t.test('a secret whose pepper is gone is neither guessed nor replaced in silence', async (t) => {
  const keys = createWebhookKeys([newPepper])
  t.same([keys.secret(holder), keys.publicKey(holder), keys.signatures(holder, message, now)], [null, null, null])
})
