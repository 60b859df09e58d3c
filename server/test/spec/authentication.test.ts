import { createVerify } from 'node:crypto'
import { evmWallets } from '@svc/sandbox-evm'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { call, get, manager, mint, P, post, sandbox, stranger } from '../support/service.ts'
import { ERROR, hasShape } from '../support/shape.ts'

const { address } = evmWallets[0]!
const ENDPOINTS = [
  ['GET', 'networks'],
  ['GET', 'staking-info'],
  ['GET', `staking-balance/${address}`],
  ['POST', 'action/delegate'],
  ['POST', 'action/undelegate'],
  ['POST', 'action/withdraw'],
  ['POST', 'action/claim-rewards'],
  ['POST', 'action/compound'],
  ['POST', 'action/prepare'],
  ['POST', 'action/broadcast'],
  ['GET', `withdrawals/${address}`],
  ['GET', `withdrawal/${address}/0`],
] as const

t.test('every protocol endpoint requires X-API-KEY', async (t) => {
  for (const [method, path] of ENDPOINTS) {
    const reply = await call(method, path, method === 'POST' ? {} : undefined, stranger)
    t.match(reply, { status: 401, json: { statusCode: 401, message: 'Unauthorized', code: 'KEY_MISSING' } }, `${method} ${path}`)
    hasShape(t, reply.json, ERROR, 'the refusal')
  }
})

t.test('a key that is invalid, revoked, deactivated or expired is 401', async (t) => {
  const refused = { status: 401, json: { code: 'KEY_INVALID' } }
  const status = (value: string) => get('networks', { 'x-api-key': value })
  t.match(await status('invalid'), refused)
  const revoked = await mint('key')
  t.equal((await status(revoked.value)).status, 200)
  await call('DELETE', `/api/v1/apikeys/${revoked.ulid}`, undefined, manager)
  t.match(await status(revoked.value), refused)
  const idle = await mint('key')
  t.equal((await status(idle.value)).status, 200)
  await call('PATCH', `/api/v1/apikeys/${idle.ulid}`, { active: false }, manager)
  t.match(await status(idle.value), refused)
  await call('PATCH', `/api/v1/apikeys/${idle.ulid}`, { active: true }, manager)
  t.equal((await status(idle.value)).status, 200)
  const expired = await mint('key', { now: new Date('2026-01-01'), expirationDate: '2026-01-02' })
  t.match(await status(expired.value), refused)
  t.match(await status((await mint('key', { account: 'nobody' })).value), refused)
})

t.test('health and the public key need no key', async (t) => {
  t.equal((await get('/api/v1/health', stranger)).status, 200)
  const { status, text } = await get('/api/v1/public-key', stranger)
  t.same([status, text], [200, sandbox.publicKeyPem])
})

t.test('the API key endpoints accept the token scheme or the bearer scheme, and no API key', async (t) => {
  t.equal((await get('/api/v1/apikeys', { token: sandbox.managementToken })).status, 200)
  t.equal((await get('/api/v1/apikeys', { authorization: `Bearer ${sandbox.managementToken}` })).status, 200)
  t.equal((await get('/api/v1/apikeys', { 'x-api-key': sandbox.apiKey })).status, 401)
  t.equal((await get('/api/v1/apikeys', { token: sandbox.apiKey })).status, 401)
  t.equal((await get('networks', { 'x-api-key': sandbox.managementToken })).status, 401)
})

t.test("every response carries an x-signature over its exact bytes, verifiable with the operator's public RSA key", async (t) => {
  const { text: pem } = await get('/api/v1/public-key', stranger)
  const { ulid } = await mint('key')
  const replies = {
    read: await get(`staking-balance/${address}`),
    craft: await post('action/delegate', { address, amount: 1 }),
    refusal: await post('action/delegate', {}),
    'no key': await get('networks', stranger),
    'unknown path': await get('/nowhere', stranger),
    health: await get('/api/v1/health', stranger),
    document: await get('/openapi.json', stranger),
    console: await get('/docs', stranger),
    'console file': await get('/docs/static/swagger-ui.css', stranger),
    'console script': await get('/docs/static/swagger-initializer.js', stranger),
    'empty body': await call('DELETE', `/api/v1/apikeys/${ulid}`, undefined, manager),
    head: await call('HEAD', 'networks'),
  }
  for (const [name, { status, headers, text }] of Object.entries(replies)) {
    const signature = headers.get('x-signature') ?? ''
    t.ok(createVerify('RSA-SHA256').update(text).verify(pem, signature, 'base64'), `${name} ${status}`)
    t.notOk(createVerify('RSA-SHA256').update(`${text} `).verify(pem, signature, 'base64'), `${name}, and not over other bytes`)
  }
})

t.test('X-IDENTITY is stored with the request and does not change the response', async (t) => {
  const { service } = await import('../support/service.ts')
  const { value, ulid } = await mint('key')
  const plain = await get('networks', { 'x-api-key': value })
  const marked = await get('networks', { 'x-api-key': value, 'x-identity': 'customer-42' })
  t.same([marked.status, marked.text], [plain.status, plain.text])
  await post('action/delegate', { address, amount: 1 }, { 'x-api-key': value, 'x-identity': 'customer-42' })
  const { records } = await eventually(
    'three records',
    () => service.store.readAudit({ key: ulid, limit: 10 }),
    ({ records }) => records.length >= 3,
  )
  t.same(
    records.map(({ route, identity }) => [route.replace(P, ''), identity]).toSorted(),
    [
      ['/action/delegate', 'customer-42'],
      ['/networks', null],
      ['/networks', 'customer-42'],
    ].toSorted(),
  )
})

t.test('no answer asks for a private key, a seed or a mnemonic', async (t) => {
  const { json } = await get('/openapi.json', stranger)
  const members = JSON.stringify(json).match(/"([a-z][a-z_A-Z]*)":\{"(type|description)"/g) ?? []
  t.ok(members.length > 50)
  // That of a webhook is the service's own, handed to the receiver who checks what comes by it.
  const ofWebhooks = new Set(['"secret":{"type"', '"old_secret_until":{"type"'])
  t.notMatch(members.filter((member) => !ofWebhooks.has(member)).join(), /private|secret|seed|mnemonic/i)
})
