import { createRequire } from 'node:module'
import { verifyResponse } from '@svc/verify/response'
import t from 'tap'
import { operationsOf, resolved } from '../support/document.ts'
import { call, control, freshWallet, get, land, P, post, sandbox, sign, stranger } from '../support/service.ts'

const require = createRequire(createRequire(import.meta.url).resolve('@svc/core'))
const { Ajv } = require('ajv')
const addFormats = require('ajv-formats').default

const base = (await get('/openapi.json', stranger)).json
const served = await get('/text/openapi.json', stranger)
const document = served.json
const operations = operationsOf(document)

/** Places of a document at which a schema stands, each with the schema. */
function schemasIn(node: any, place = ''): readonly (readonly [string, any])[] {
  if (typeof node !== 'object' || node === null) return []
  const own: readonly (readonly [string, any])[] =
    node.type || node.$ref || node.properties || node.anyOf || node.allOf ? [[place, node]] : []
  return [...own, ...Object.entries(node).flatMap(([key, value]) => (key === 'example' ? [] : schemasIn(value, `${place}/${key}`)))]
}
const schemas = schemasIn({ paths: document.paths, components: document.components.schemas })

t.test('the document for generators is of the same routes, under a base path of its own', async (t) => {
  t.equal(served.status, 200)
  t.match(document, { openapi: '3.0.3', servers: [{ url: '/text' }] })
  t.same(Object.keys(document.paths), Object.keys(base.paths))
  t.same(
    operations.map(({ value }) => value.operationId),
    operationsOf(base).map(({ value }) => value.operationId),
  )
})

t.test('it says nothing that a generator of 3.0 cannot read, or reads as something else', async (t) => {
  const problems: string[] = []
  for (const [place, schema] of schemas) {
    const must = (holds: boolean, what: string) => void (holds || problems.push(`${place}: ${what}`))
    if (schema.$ref) {
      must(Object.keys(schema).length === 1, 'a reference stands alone')
      must(resolved(document, schema) !== undefined, `${schema.$ref} leads nowhere`)
      continue
    }
    must(!Array.isArray(schema.type), 'more than one type')
    must(!('examples' in schema) && typeof schema.additionalProperties !== 'boolean', 'a member of 3.1, or a closed object')
    must(!(schema.anyOf ?? []).some((each: any) => each.type === 'null'), 'null is a mark')
    must(schema.nullable === undefined || schema.type !== undefined, 'null without a type')
    must(schema.type !== 'integer' || /^int(?:32|64)$/.test(schema.format), 'not as wide as it can be')
    must(schema.type !== 'number' || schema.format === 'double', 'a float of 32 bits')
    must(schema.type !== 'string' || schema.format !== 'decimal', 'Go reads that as a float of 64 bits')
    must(!schema.items?.enum, 'a list of named values, whose Java class does not compile')
    must(
      schema.type !== 'string' || !schema.pattern || schema.example === undefined || new RegExp(schema.pattern, 'u').test(schema.example),
      `the example ${schema.example} is not of its own pattern`,
    )
    must(schema.exclusiveMinimum === undefined || schema.exclusiveMinimum === true, 'an open bound is a mark')
  }
  t.same(problems, [])
  t.ok(schemas.length > 1000, `of ${schemas.length} schemas`)
})

t.test('names are one thing each', async (t) => {
  const names = Object.keys(document.components.schemas)
  t.same(
    names.filter((name) => name.endsWith('Test')),
    [],
    'none is that of the test that generators of Java write for a class',
  )
  t.same(
    names.filter((name) => name.startsWith('New')),
    [],
    'no NewX beside X, of which Go makes one name',
  )
  t.notOk(names.includes('Error'), 'no class of the language')
  t.same(
    schemas
      .filter(([place, { title }]) => title !== undefined && place.split('/').length > 3)
      .map(([place, { title }]) => `${place}: ${title}`),
    [],
    'no title but that of a component',
  )
  const bodies = operations.flatMap(({ value }) => (value.requestBody ? [value.requestBody.content['application/json'].schema.$ref] : []))
  t.ok(bodies.every((ref) => /^#\/components\/schemas\/\w+Body$/.test(ref)))
  t.equal(new Set(bodies).size, bodies.length, 'a body each')
  t.same(
    operations.flatMap(({ value }) => value.tags).filter((tag: string) => tag.includes('/')),
    [],
    'tags become modules',
  )
  for (const { value } of operations)
    for (const { name } of value.parameters ?? []) if (/^(?:x-nonce|content-digest)$/i.test(name)) t.fail(`${name} is of every request`)
})

t.test('no answer is a closed list of texts', async (t) => {
  const bodies = Object.keys(document.components.schemas).filter((name) => name.endsWith('Body'))
  const closed = schemas.filter(([place, schema]) => schema.enum && !bodies.some((name) => place.startsWith(`/components/${name}/`)))
  t.same(
    closed.map(([place]) => place).filter((place) => !place.includes('/parameters/')),
    [],
  )
  t.match(document.components.schemas.Refusal.properties.code, { type: 'string', 'x-values': /AMOUNT_INVALID/ })
})

t.test('each exact number of the document is a string of this one', async (t) => {
  const exact = schemasIn({ paths: base.paths, components: base.components.schemas }).filter(
    ([, schema]) => schema['x-exact'] || schema['x-amount'],
  )
  t.ok(exact.length > 30, `${exact.length} places`)
  const left = schemas.filter(
    ([place, { type }]) => type === 'number' && /amount|balance|assets|rewards$|tvl|accRewardPerToken/i.test(place.split('/').at(-1)!),
  )
  t.same(
    left.map(([place]) => place),
    [],
  )
})

t.test('answers are what it says, to the last digit', async (t) => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats(ajv)
  // The validator is of a later draft: open bounds, of which answers have none, and a reference that may be null are written otherwise there.
  const later = (key: string, value: any) => {
    if (key === 'exclusiveMinimum') return undefined
    return value?.nullable && value.allOf ? { anyOf: [...value.allOf, { type: 'null' }] } : value
  }
  ajv.addSchema(JSON.parse(JSON.stringify(document, later)), 'document')
  const fits = (path: string, method: string, reply: { status: number; json: any; text: string }) => {
    t.equal(reply.status, 200, `${method} ${path} ${reply.text.slice(0, 200)}`)
    const at = ['paths', path, method, 'responses', '200', 'content', 'application/json', 'schema']
    const validate = ajv.getSchema(
      `document#/${at.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
    )
    t.ok(validate(reply.json), `${method} ${path}: ${JSON.stringify(validate.errors)}`)
  }
  const text = (path: string) => get(`/text${P}/${path}`)
  const wallet = await freshWallet()
  const { address } = wallet
  t.equal((await land('delegate', { amount: '12345.678901234567890123' }, wallet)).status, 200)
  await control('advance', { epochs: 2 })
  t.equal((await land('undelegate', { amount: '1.000000000000000001', withdrawId: 7 }, wallet)).status, 200)

  const balance = await text(`staking-balance/${address}`)
  fits(`${P}/staking-balance/{address}`, 'get', balance)
  t.equal(balance.json.staked_amount, '12344.678901234567890122')
  const numbers = await get(`staking-balance/${address}`)
  t.match(numbers.text, /"staked_amount":12344\.678901234567890122,/, 'a number with these digits elsewhere')
  t.equal(
    balance.text.replaceAll(/"(-?\d+(?:\.\d+)?)"/g, '$1'),
    numbers.text.replaceAll(/"(-?\d+(?:\.\d+)?)"/g, '$1'),
    'and nothing else is another',
  )
  fits(`${P}/staking-info`, 'get', await text('staking-info'))
  fits(`${P}/networks`, 'get', await text('networks'))
  const slots = await text(`withdrawals/${address}`)
  fits(`${P}/withdrawals/{address}`, 'get', slots)
  t.equal(slots.json.validRequests?.[0]?.withdrawalAmount ?? slots.json[0]?.withdrawalAmount, '1.000000000000000001')

  for (const amount of ['12.000000000000000001', 12.5]) {
    const crafted = await call('POST', `/text${P}/action/delegate`, { address, amount })
    fits(`${P}/action/delegate`, 'post', crafted)
    t.equal(BigInt(crafted.json.payload.value), amount === 12.5 ? 12_500_000_000_000_000_000n : 12_000_000_000_000_000_001n, String(amount))
  }
  const crafted = await call('POST', `/text${P}/action/delegate`, { address, amount: '1' })
  const prepared = await call('POST', `/text${P}/action/prepare`, { ...crafted.json, ...sign(crafted.json.unsigned_tx_hash_hex, wallet) })
  fits(`${P}/action/prepare`, 'post', prepared)
  fits(`${P}/action/broadcast`, 'post', await call('POST', `/text${P}/action/broadcast`, prepared.json))
  fits(`${P}/action/inspect`, 'post', await call('POST', `/text${P}/action/inspect`, { transaction: prepared.json.signed_tx_hex }))

  // Every protocol's own reads, of the addresses that it shows.
  for (const { path, method, value } of operations.filter(({ path }) =>
    /\/(staking-info|staking-balance|historic|stats|vault|networks)\b(?!.*\/signed$)/.test(path),
  )) {
    if (method !== 'get' || !value.responses['200']) continue
    const example = resolved(
      document,
      value.parameters?.find(({ in: where }: { in: string }) => where === 'path'),
    )?.example
    fits(path, method, await get(`/text${path.replace(/\{\w+\}/, String(example))}`))
  }
})

t.test('an answer is bound to the path that was asked', async (t) => {
  const keys = (await get('/.well-known/jwks.json', stranger)).json.keys
  const url = `${sandbox.baseUrl}/text${P}/networks`
  const headers = { 'x-api-key': sandbox.apiKey, 'x-nonce': crypto.randomUUID(), 'accept-encoding': 'identity' }
  const sentAt = new Date()
  const answer = await fetch(url, { headers })
  const response = { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
  const verdict = (asked: string) => verifyResponse({ request: { method: 'GET', url: asked, headers }, response, keys, sentAt })
  t.match(await verdict(url), { ok: true })
  t.match(await verdict(url.replace('/text', '')), { ok: false }, 'no answer in one notation passes for the other')
})

t.test('nothing else is under that base path', async (t) => {
  for (const path of ['/text', '/text/', '/text/docs', '/text/.well-known/jwks.json', '/text/text/api/v1/health', '/textapi/v1/health'])
    t.equal((await get(path, stranger)).status, 404, path)
  t.equal((await get('/text/api/v1/health', stranger)).status, 200)
  const unknown = await get(`/text${P}/staking-infos`)
  t.match(unknown.json, { code: 'NOT_FOUND', error: `There is no GET /text${P}/staking-infos here` })
  t.match((await post('action/delegate', {})).json, { code: 'REQUEST_INVALID' })
  t.match((await call('POST', `/text${P}/action/delegate`, {})).json, { statusCode: 400, code: 'REQUEST_INVALID' }, 'a refusal is the same')
})
