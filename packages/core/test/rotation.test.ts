import { createPublicKey, createVerify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshSchema, skipPostgres } from '@svc/testing/postgres'
import { verifyResponse } from '@svc/verify/response'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import {
  type ConfigInput,
  createCredential,
  createSigner,
  generateResponseKey,
  generateSigningKey,
  loadSecrets,
  type PublicJwk,
  parseConfig,
  type ResponseJwk,
  type Store,
  start,
} from '../src/index.ts'
import { paper } from './support/paper-plugin.ts'
import { input, serve, testStore } from './support/serve.ts'

/** Secrets of one replica, as its config lists them. */
type Secrets = Required<Pick<ConfigInput, 'signing_key' | 'response_keys' | 'peppers'>>

const [oldKey, newKey] = await Promise.all([generateSigningKey(), generateSigningKey()])
const [oldResponse, newResponse] = await Promise.all([generateResponseKey(), generateResponseKey()])
const [oldPepper, newPepper] = ['the old pepper, long enough for a config', 'the new pepper, long enough for a config']
const publicOf = (pem: string) => createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()

/** What the procedure of docs/operating.md changes, step by step, one replica after the other. */
const BEFORE: Secrets = { signing_key: oldKey, response_keys: [{ key: oldResponse, state: 'active' }], peppers: [oldPepper] }
const ADDED: Secrets = {
  signing_key: [oldKey, newKey],
  response_keys: [
    { key: oldResponse, state: 'active' },
    { key: newResponse, state: 'next' },
  ],
  peppers: [oldPepper, newPepper],
}
const CHANGED: Secrets = {
  signing_key: [newKey, publicOf(oldKey)],
  response_keys: [
    { key: newResponse, state: 'active' },
    { key: publicOf(oldResponse), state: 'retired' },
  ],
  peppers: [newPepper, oldPepper],
}
const DONE: Secrets = { signing_key: newKey, response_keys: [{ key: newResponse, state: 'active' }], peppers: [newPepper] }

/** A running service, and the state that it shares. */
interface Running {
  readonly app: FastifyInstance
  readonly store: Store
  close(): Promise<unknown>
}
/** Starts one of two replicas with the secrets of a config. */
type Start = (secrets: Secrets) => Promise<Running>

/** On one store in this process. */
async function together(t: Test): Promise<Start> {
  const state = await testStore(t)
  return async (secrets) => {
    const config = parseConfig({ ...input, ...secrets }, {})
    const { signingKeys, responseKeys, peppers } = await loadSecrets(config, t.testdir())
    const [privateKeyPem, ...further] = signingKeys
    const { app, store } = await serve(t, { state, signer: createSigner({ privateKeyPem, further, responseKeys }), peppers })
    return { app, store, close: () => app.close() }
  }
}

/** As `svc start` does, on one database, each with a port and a data folder of its own. */
async function apart(t: Test): Promise<Start> {
  const schema = await freshSchema()
  t.teardown(schema.drop)
  const plugins = { '@svc/plugin-paper': { networks, module: paper } }
  return async (secrets) => {
    const data_dir = await mkdtemp(join(tmpdir(), 'svc-rotation-'))
    t.teardown(() => rm(data_dir, { recursive: true }))
    const config = parseConfig({ ...input, plugins, ...secrets, data_dir, database_url: schema.url, listen: { port: 0 } }, {})
    const service = await start({ config, file: import.meta.filename, places: [import.meta.filename] }, { logger: false })
    t.teardown(() => service.close())
    return service
  }
}
const { networks } = input.plugins['@svc/plugin-paper'] ?? { networks: {} }

function replica({ app, store, close }: Running, { peppers }: Secrets) {
  const [first = '', ...others] = peppers
  const issue = async () =>
    (await createCredential(store, [first, ...others], new Date(), { kind: 'key', account: 'acme', name: 'x' })).value
  const ask = async (key: string) => {
    const request = { method: 'GET', url: '/api/v1/paper/native/networks', headers: { 'x-nonce': 'abcdefghijklmnop', 'x-api-key': key } }
    const sentAt = new Date()
    const { statusCode, headers, rawPayload } = await app.inject({ url: request.url, headers: request.headers })
    const fields = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    return { request, sentAt, response: { status: statusCode, headers: fields, bytes: rawPayload } }
  }
  const published = async () => (await app.inject('/.well-known/jwks.json')).json<{ keys: (PublicJwk | ResponseJwk)[] }>().keys
  return { issue, ask, published, close }
}
type Reply = Awaited<ReturnType<ReturnType<typeof replica>['ask']>>
type Keys = Awaited<ReturnType<ReturnType<typeof replica>['published']>>

/** Whether both signatures of an answer are by keys that were known before. */
async function trusts(keys: Keys, reply: Reply): Promise<readonly [bound: string, signed: boolean]> {
  const { headers, bytes } = reply.response
  const verdict = await verifyResponse({ ...reply, keys: { thumbprints: keys.map(({ kid }) => kid), jwks: keys } })
  const jwk = keys.find(({ kid }) => kid === headers['x-signature-key'])
  const key = jwk && createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const signed =
    key &&
    createVerify('RSA-SHA256')
      .update(bytes)
      .verify(key, headers['x-signature'] ?? '', 'base64')
  return [verdict.ok ? 'bound' : verdict.reason, signed === true]
}

for (const [where, prepare, skip] of [
  ['on one store', together, false],
  ['as svc start does, on one PostgreSQL', apart, skipPostgres],
] as const)
  t.test(`all secrets change while two replicas are restarted one after the other, and no answer fails, ${where}`, { skip }, async (t) => {
    const begin = await prepare(t)
    const started = async (secrets: Secrets) => replica(await begin(secrets), secrets)
    let [one, two] = [await started(BEFORE), await started(BEFORE)]
    const issued = [await one.issue()]
    // A caller who checks answers has looked at the keys that were published before a step begins, and pinned them.
    let trusted = await one.published()
    const all = async (step: string) => {
      issued.push(await one.issue(), await two.issue())
      for (const [name, each] of Object.entries({ one, two }))
        for (const [index, key] of issued.entries()) {
          const reply = await each.ask(key)
          t.equal(reply.response.status, 200, `${name} takes key ${index}, ${step}`)
          t.same(await trusts(trusted, reply), ['bound', true], `and signs with keys that were published before, ${step}`)
        }
    }
    await all('before')
    for (const [step, secrets] of Object.entries({ ADDED, CHANGED })) {
      await one.close()
      one = await started(secrets)
      await all(`${step}, the first restarted`)
      await two.close()
      two = await started(secrets)
      await all(`${step}, both restarted`)
      trusted = [...(await one.published()), ...(await two.published())]
    }
    // What was issued with the old pepper is replaced before it goes.
    issued.splice(0, issued.length, await one.issue())
    for (const restart of ['first', 'second']) {
      const done = await started(DONE)
      if (restart === 'first') one = done
      else two = done
      await all(`DONE, the ${restart} restarted`)
    }
    const left = (await two.published()).map(({ kid }) => kid)
    t.same(
      left,
      (await one.published()).map(({ kid }) => kid),
    )
    t.equal(left.length, 2, 'of the old keys none is published any more')
  })

t.test('a new secret in front, without the step before it, is what fails', async (t) => {
  const begin = await together(t)
  const [before, after] = [replica(await begin(BEFORE), BEFORE), replica(await begin(CHANGED), CHANGED)]
  const refused = await before.ask(await after.issue())
  t.equal(refused.response.status, 401)
  const reply = await after.ask('')
  t.match(await trusts(await before.published(), reply), [/^The signature is by the key [\w-]{43}, which is not pinned\.$/, false])
})

t.test('an answer that a retired key signed verifies as long as the key is published', async (t) => {
  const begin = await together(t)
  const [before, after, done] = [
    replica(await begin(BEFORE), BEFORE),
    replica(await begin(CHANGED), CHANGED),
    replica(await begin(DONE), DONE),
  ]
  const reply = await before.ask(await before.issue())
  t.same(await trusts(await after.published(), reply), ['bound', true])
  t.match(await trusts(await done.published(), reply), [/not pinned\.$/, false])
})

t.test('the id of a key is its thumbprint', async (t) => {
  const responseKeys = [{ key: oldResponse, state: 'active' }] as const
  // The example of RFC 7638, section 3.1.
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw'
  const example = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  const { keys } = createSigner({ privateKeyPem: oldKey, further: [example.toString(), oldKey], responseKeys })
  t.same(
    keys.slice(1).map(({ kid }) => kid),
    ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'],
  )
  t.throws(() => createSigner({ privateKeyPem: oldKey, further: ['no key'], responseKeys }), { code: 'SIGNING_KEY_INVALID' })
})
