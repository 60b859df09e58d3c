import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { documentDifferences, packDocument, unpackDocument } from '@svc/testing/api-document'
import t from 'tap'
import { operationsOf, problemsOf } from '../support/document.ts'
import {
  call,
  control,
  freshWallet,
  get,
  land,
  manager,
  P,
  post,
  type Reply,
  sandbox,
  sign,
  stranger,
  VERSION,
} from '../support/service.ts'

/**
 * The document as it was agreed, in the normal form of `@svc/testing/api-document`. A change of the wire shows here; where it is meant, write it anew with
 * `UPDATE_GOLDEN=1 pnpm unit server/test/spec/openapi.test.ts` and commit the difference.
 */
const golden = new URL('../../openapi.json', import.meta.url)

/** The validator that the service itself depends on. */
const require = createRequire(createRequire(import.meta.url).resolve('@svc/core'))
const { Ajv2020 } = require('ajv/dist/2020.js')
const addFormats = require('ajv-formats').default

const served = await get('/openapi.json', stranger)
const document = served.json

t.test('a machine-readable schema is served at /openapi.json, without a key', async (t) => {
  t.equal(served.status, 200)
  t.match(served.headers.get('content-type'), /^application\/json/)
  t.match(document, { openapi: '3.1.0', info: { version: VERSION } })
  t.equal((await get('/openapi.json', stranger)).text, served.text, 'and is the same every time')
})

t.test('an interactive console is served at /docs', async (t) => {
  const { status, headers, text } = await get('/docs', stranger)
  t.equal(status, 200)
  t.match(headers.get('content-type'), /^text\/html/)
  t.match(text, /swagger-ui/)
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'console.js'])
    t.equal((await get(`/docs/static/${file}`, stranger)).status, 200, file)
})

t.test('the served document is the golden one', async (t) => {
  const unversioned = { ...document, info: { ...document.info, version: '0.0.0' } }
  if (process.env.UPDATE_GOLDEN) await writeFile(golden, packDocument(unversioned, await readFile(golden, 'utf8')))
  t.same(documentDifferences(unpackDocument(await readFile(golden, 'utf8')), unversioned), [])
})

t.test('the document is well-formed and complete', async (t) => {
  t.same(problemsOf(document), [])
})

t.test('the check of the document finds what is wrong', async (t) => {
  const broken = structuredClone(document)
  const path = `${P}/networks`
  broken.paths[path].get.summary = ''
  broken.paths[path].get.security = undefined
  broken.paths[path].get.responses['200'].description = ''
  broken.paths[path].get.responses['401'] = {
    description: 'No.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Nothing' } } },
  }
  delete broken.components.schemas.StakingInfo.properties.users.description
  delete broken.components.schemas.StakingInfo.properties.users.examples
  delete broken.paths[`${P}/staking-info`].get.responses['200'].content['application/json'].example
  broken.paths['/other'] = { get: { ...broken.paths[path].get } }
  const found = problemsOf(broken).join('\n')
  for (const expected of [
    /networks: has no summary/,
    /security/,
    /response 200 is not described/,
    /Nothing leads nowhere/,
    /users is not described/,
    /users has no example/,
    /\/other: is not under/,
  ])
    t.match(found, expected)
})

t.test('it lists every endpoint of the specification and those beyond it, and no other', async (t) => {
  const expected = [
    'get /api/v1/health',
    'get /api/v1/public-key',
    'get /api/v1/public-keys',
    'get /api/v1/protocols',
    'get /api/v1/session',
    'post /api/v1/apikeys',
    'get /api/v1/apikeys',
    'get /api/v1/apikeys/{ulid}',
    'patch /api/v1/apikeys/{ulid}',
    'delete /api/v1/apikeys/{ulid}',
    `get ${P}/networks`,
    `get ${P}/staking-info`,
    `get ${P}/staking-balance/{address}`,
    `get ${P}/rewards/{address}`,
    `get ${P}/operations/{address}`,
    `get ${P}/alarms`,
    `post ${P}/action/delegate`,
    `post ${P}/action/undelegate`,
    `post ${P}/action/withdraw`,
    `post ${P}/action/claim-rewards`,
    `post ${P}/action/compound`,
    `post ${P}/action/prepare`,
    `post ${P}/action/broadcast`,
    `post ${P}/action/inspect`,
    `get ${P}/withdrawals/{address}`,
    `get ${P}/withdrawal/{address}/{withdrawId}`,
    `get ${P}/transaction/{tx_hash}`,
    `get ${P}/transaction/{tx_hash}/signed`,
    `post ${P}/transaction/track`,
  ]
  const listed = operationsOf(document)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((operation) => /\/api\/v1\/(health|public-key|apikeys|protocols|session|evm-three\/native)/.test(operation))
  t.same(listed.toSorted(), expected.toSorted())
})

t.test('bodies name their required members, and a craft takes no others', async (t) => {
  const bodyOf = (action: string) => document.paths[`${P}/action/${action}`].post.requestBody.content['application/json'].schema
  const members: Record<string, string[]> = {
    delegate: ['address', 'amount'],
    undelegate: ['address', 'amount', 'withdrawId', 'validatorId'],
    withdraw: ['address', 'withdrawId', 'validatorId'],
    'claim-rewards': ['address', 'validatorId'],
    compound: ['address'],
    prepare: ['serialized_tx_hex', 'r', 's', 'v'],
    broadcast: ['signed_tx_hex'],
  }
  for (const [action, names] of Object.entries(members)) {
    t.same(
      bodyOf(action).required,
      names.filter((name) => name !== 'validatorId'),
      action,
    )
    t.same(Object.keys(bodyOf(action).properties), names, action)
    t.equal(bodyOf(action).additionalProperties, action === 'prepare' || action === 'broadcast', action)
  }
  t.match(bodyOf('undelegate').properties, {
    address: { type: 'string' },
    amount: { type: ['number', 'string'] },
    withdrawId: { type: 'integer', minimum: 0, maximum: 255 },
  })
})

t.test('what each endpoint answers fits what the document says of it', async (t) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  addFormats(ajv)
  ajv.addSchema(document, 'document')
  const fits = (path: string, method: string, reply: Reply, status = 200) => {
    t.equal(reply.status, status, `${method} ${path} ${reply.text.slice(0, 200)}`)
    const shared = document.paths[path][method].responses[reply.status]?.$ref?.split('/').at(-1)
    const answer = shared ? ['components', 'responses', shared] : ['paths', path, method, 'responses', String(reply.status)]
    const at = [...answer, 'content', 'application/json', 'schema']
    const pointer = at.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const validate = ajv.getSchema(`document#/${pointer}`)
    t.ok(validate, `${method} ${path} ${reply.status} is described`)
    t.ok(validate?.(reply.json), `${method} ${path} ${reply.status}: ${JSON.stringify(validate?.errors)}`)
  }
  const seen = new Set<string>()
  const check = (path: string, method: string, reply: Reply, status = 200) => {
    seen.add(`${method} ${path}`)
    fits(path, method, reply, status)
  }

  const wallet = await freshWallet()
  const { address } = wallet
  t.equal((await land('delegate', { amount: 100 }, wallet)).status, 200)
  await control('advance', { epochs: 2 })
  t.equal((await land('undelegate', { amount: '1.000000000000000001', withdrawId: 7 }, wallet)).status, 200)
  await control('advance', { epochs: 2 })

  check(`${P}/networks`, 'get', await get('networks'))
  check(`${P}/staking-info`, 'get', await get('staking-info'))
  check(`${P}/staking-balance/{address}`, 'get', await get(`staking-balance/${address}`))
  check(`${P}/withdrawals/{address}`, 'get', await get(`withdrawals/${address}`))
  check(`${P}/withdrawal/{address}/{withdrawId}`, 'get', await get(`withdrawal/${address}/7`))
  check(`${P}/action/undelegate`, 'post', await post('action/undelegate', { address, amount: 1, withdrawId: 9 }))
  check(`${P}/action/withdraw`, 'post', await post('action/withdraw', { address, withdrawId: 7 }))
  check(`${P}/action/claim-rewards`, 'post', await post('action/claim-rewards', { address }))
  check(`${P}/action/compound`, 'post', await post('action/compound', { address }))
  const crafted = await post('action/delegate', { address, amount: 1 })
  check(`${P}/action/delegate`, 'post', crafted)
  const prepared = await post('action/prepare', { ...crafted.json, ...sign(crafted.json.unsigned_tx_hash_hex, wallet) })
  check(`${P}/action/prepare`, 'post', prepared)
  check(`${P}/action/broadcast`, 'post', await post('action/broadcast', prepared.json))
  check(`${P}/action/inspect`, 'post', await post('action/inspect', { transaction: prepared.json.signed_tx_hex }))
  const tracked = await post('transaction/track', prepared.json)
  check(`${P}/transaction/track`, 'post', tracked)
  check(`${P}/transaction/{tx_hash}`, 'get', await get(`transaction/${tracked.json.tx_hash}`))
  check(`${P}/transaction/{tx_hash}/signed`, 'get', await get(`transaction/${tracked.json.tx_hash}/signed`))

  check(`${P}/rewards/{address}`, 'get', await get(`rewards/${address}`))
  check(`${P}/operations/{address}`, 'get', await get(`operations/${address}`))
  check(`${P}/alarms`, 'get', await get('alarms'))

  check('/api/v1/health', 'get', await get('/api/v1/health', stranger))
  check('/api/v1/public-keys', 'get', await get('/api/v1/public-keys', stranger))
  const created = await call('POST', '/api/v1/apikeys', { name: 'n' }, manager)
  check('/api/v1/apikeys', 'post', created, 201)
  check('/api/v1/apikeys', 'get', await get('/api/v1/apikeys', manager))
  const one = `/api/v1/apikeys/${created.json.ulid}`
  check('/api/v1/apikeys/{ulid}', 'get', await get(one, manager))
  check('/api/v1/apikeys/{ulid}', 'patch', await call('PATCH', one, { name: 'm', expirationDate: '2099-01-01' }, manager))

  fits(`${P}/networks`, 'get', await get('networks', stranger), 401)
  fits(`${P}/action/delegate`, 'post', await post('action/delegate', {}), 400)
  fits(`${P}/staking-balance/{address}`, 'get', await get('staking-balance/x'), 400)
  fits('/api/v1/apikeys/{ulid}', 'get', await get('/api/v1/apikeys/x', manager), 404)
  await control('fault', { kind: 'drop' })
  fits(`${P}/action/delegate`, 'post', await post('action/delegate', { address, amount: 1 }), 502)
  fits(`${P}/staking-balance/{address}`, 'get', await get(`staking-balance/${address}`), 502)
  await control('fault', { kind: 'none' })

  const bodiless = ['delete /api/v1/apikeys/{ulid}', 'get /api/v1/public-key']
  const described = operationsOf(document)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((operation) => /\/api\/v1\/(health|public-key|apikeys|evm-three\/native)/.test(operation))
  t.same(described.filter((operation) => !seen.has(operation)).toSorted(), bodiless, 'and none was left out')
})

t.test('examples of bodies and answers fit their own schemas', async (t) => {
  const ajv = new Ajv2020({ strict: false })
  addFormats(ajv)
  const look = (node: any, place: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node.examples) && node.type !== undefined) {
      const { examples, description: _, ...schema } = node
      for (const example of examples) t.ok(ajv.validate(schema, example), `${place}: ${JSON.stringify(example)}`)
    }
    for (const [key, value] of Object.entries(node)) look(value, `${place}/${key}`)
  }
  look(document.components.schemas, 'schemas')
  look(document.paths, 'paths')
})

t.test('the tokens of the console are those of the document', async (t) => {
  t.match(document.components.securitySchemes, {
    apiKey: { name: 'X-API-KEY', in: 'header' },
    token: { name: 'token', in: 'header' },
    bearer: { scheme: 'bearer' },
  })
  t.ok(sandbox.apiKey.startsWith('svc_'))
})
