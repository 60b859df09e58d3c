import { createVerify } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { serve, signer } from './support/serve.ts'

const body = { address: 'p001', amount: 1 }

/** Whether `x-signature` fits the body. */
function signed(reply: { rawPayload: Buffer; headers: Record<string, unknown> }): boolean {
  return createVerify('RSA-SHA256').update(reply.rawPayload).verify(signer.publicKeyPem, String(reply.headers['x-signature']), 'base64')
}

t.test('every response is signed over its exact bytes and carries a request id', async (t) => {
  const { call, token, key, app } = await serve(t, { config: { limits: { key_per_minute: 12, body_bytes: 2048 } } })
  const manage = { token: (await token()).value }
  const { ulid } = await key()
  const replies = {
    read: await call('GET', 'staking-balance/p001'),
    craft: await call('POST', 'action/give', body),
    'bad request': await call('POST', 'action/give', {}),
    'no key': await call('GET', 'networks', undefined, {}),
    'too large': await call('POST', 'action/give', 'x'.repeat(3000)),
    fault: await call('POST', 'action/fail', { ...body, how: 'fault' }),
    'unknown path': await call('GET', '/nowhere', undefined, {}),
    'unknown path of another method': await call('DELETE', '/nowhere', undefined, {}),
    health: await call('GET', '/api/v1/health', undefined, {}),
    document: await call('GET', '/openapi.json', undefined, {}),
    console: await call('GET', '/docs', undefined, {}),
    'console page': await call('GET', '/docs/', undefined, {}),
    'console file': await call('GET', '/docs/static/swagger-ui.css', undefined, {}),
    'console file that is not there': await call('GET', '/docs/static/nothing.css', undefined, {}),
    'public key': await call('GET', '/api/v1/public-key', undefined, {}),
    head: await call('HEAD', 'networks'),
    'head of an unknown path': await call('HEAD', '/nowhere', undefined, {}),
    create: await call('POST', '/api/v1/apikeys', { name: 'x' }, manage),
    remove: await call('DELETE', `/api/v1/apikeys/${ulid}`, undefined, manage),
    options: await call('OPTIONS', 'networks', undefined, {}),
    'bad url': await app.inject('/api/v1/%zz'),
    'long url': await call('GET', `staking-balance/${'p'.repeat(300)}`),
  }
  for (const [name, reply] of Object.entries(replies)) {
    t.ok(signed(reply), `${name} ${reply.statusCode}`)
    t.ok(reply.headers['x-request-id'], `${name} has an id`)
  }
  t.same([replies.remove.statusCode, replies.remove.body], [200, ''])
  let limited = await call('GET', 'networks')
  while (limited.statusCode === 200) limited = await call('GET', 'networks')
  t.equal(limited.statusCode, 429)
  t.ok(signed(limited), 'limited')
  t.equal(replies['public key'].body, signer.publicKeyPem)
  t.notOk(signed({ rawPayload: Buffer.from('other'), headers: replies.read.headers }), 'and not over other bytes')
})

t.test('request ids differ and are in the log', async (t) => {
  const { call, log } = await serve(t)
  const ids = [(await call('GET', 'networks')).headers['x-request-id'], (await call('GET', 'nowhere')).headers['x-request-id']]
  t.not(ids[0], ids[1])
  for (const id of ids) t.ok(log.some(({ reqId, msg }) => reqId === id && msg === 'answered'))
  t.notMatch(JSON.stringify(log), /svc_01[^"]{60}/, 'no key is ever logged')
})

t.test('over a real connection the signature fits the bytes that were received', async (t) => {
  const { app, key } = await serve(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const { value } = await key()
  const reply = await new Promise<{ status: number | undefined; signature: unknown; body: Buffer }>((resolve, reject) => {
    const sent = httpRequest(
      { port, host: '127.0.0.1', path: '/api/v1/paper/native/networks', agent: false, headers: { 'x-api-key': value } },
      async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        resolve({ status: response.statusCode, signature: response.headers['x-signature'], body: Buffer.concat(chunks) })
      },
    )
    sent.on('error', reject).end()
  })
  t.equal(reply.status, 200)
  t.ok(signed({ rawPayload: reply.body, headers: { 'x-signature': reply.signature } }))
})
