import t, { type Test } from 'tap'
import { operationsOf } from '../support/document.ts'
import { get, stranger } from '../support/service.ts'
import {
  BALANCE_MEMBERS,
  BEYOND,
  INFO_MEMBERS,
  type Members,
  NETWORK_MEMBERS,
  OBJECT_MEMBERS,
  OBJECT_STATES,
  OBJECT_TYPES,
  OURS,
  PAYLOAD_MEMBERS,
  PRODUCTS,
  SERVICE,
} from '../support/tables.ts'

const document = (await get('/openapi.json', stranger)).json

t.test('the document holds every path of the nine products and of the service, and no other', async (t) => {
  const expected = [
    ...SERVICE,
    ...Object.values(PRODUCTS).flatMap(({ prefix, endpoints }) => [
      `get ${prefix}/networks`,
      `get ${prefix}/staking-info`,
      `get ${prefix}/staking-balance/{address}`,
      `post ${prefix}/action/prepare`,
      `post ${prefix}/action/broadcast`,
      ...endpoints.map(({ method, path }) => `${method} ${prefix}${path}`),
    ]),
  ]
  const served = operationsOf(document)
  const names = (operations: typeof served) => operations.map(({ method, path }) => `${method} ${path}`).toSorted()
  const isOurs = ({ value }: (typeof served)[number]) => value['x-beyond-specification'] === true
  t.same(names(served.filter((each) => !isOurs(each))), expected.toSorted())
  t.same(
    names(served.filter(isOurs)),
    BEYOND.map(({ method, prefix, path }) => `${method} ${prefix}${path}`).toSorted(),
    'but those marked',
  )
  for (const { method, prefix, path, body, answer } of BEYOND) {
    const described = document.paths[prefix + path]?.[method]
    if (body) hasMembers(t, bodyOf(described), body, `the body of ${path}`)
    const schema = answerOf(described)
    const [members, found] = Array.isArray(answer) ? [answer[0], itemsOf(schema)] : [answer as Members, schema]
    hasMembers(t, found, members, `the answer of ${path}`)
  }
})

for (const [label, { prefix, shapes, endpoints }] of Object.entries(PRODUCTS))
  t.test(`${label}: bodies, queries and answers have the members of the specification`, async (t) => {
    const operation = (method: string, path: string) => document.paths[prefix + path]?.[method] ?? {}
    hasMembers(t, itemsOf(answerOf(operation('get', '/networks'))), NETWORK_MEMBERS, 'networks')
    hasMembers(t, answerOf(operation('get', '/staking-info')), INFO_MEMBERS, 'staking-info')
    const balance = answerOf(operation('get', '/staking-balance/{address}'))
    hasMembers(t, balance, BALANCE_MEMBERS, 'staking-balance')
    const object = itemsOf(balance.properties?.staking_objects)
    hasMembers(t, object, OBJECT_MEMBERS, 'a staking object')
    t.same(object.properties?.status?.enum, OBJECT_STATES)
    t.same(object.properties?.type?.enum, OBJECT_TYPES)

    hasMembers(t, bodyOf(operation('post', '/action/prepare')), shapes.prepare, 'the body of prepare')
    hasMembers(t, answerOf(operation('post', '/action/prepare')), shapes.prepared, 'the answer of prepare')
    hasMembers(t, bodyOf(operation('post', '/action/broadcast')), shapes.broadcast, 'the body of broadcast')
    hasMembers(t, answerOf(operation('post', '/action/broadcast')), { tx_hash: 'string' }, 'the answer of broadcast')

    for (const { method, path, body, query, answer } of endpoints) {
      const described = operation(method, path)
      if (body) hasMembers(t, bodyOf(described), body, `the body of ${path}`)
      if (query) hasMembers(t, queryOf(described), query, `the query of ${path}`)
      const schema = answerOf(described)
      const [members, found] = Array.isArray(answer) ? [answer[0], itemsOf(schema)] : [answer as Members, schema]
      hasMembers(t, found, members, `the answer of ${path}`)
      if (members.payload) hasMembers(t, found.properties?.payload, PAYLOAD_MEMBERS, `the payload of ${path}`)
    }
  })

t.test('each product names its credential, and X-NETWORK and X-IDENTITY, which may be left out', async (t) => {
  for (const { path, method, value } of operationsOf(document)) {
    if (!Object.values(PRODUCTS).some(({ prefix }) => path.startsWith(prefix))) continue
    t.same(value.security, [{ apiKey: [] }], `${method} ${path}`)
    const headers = value.parameters.filter((parameter: any) => parameter.in === 'header')
    t.same(
      headers.map(({ name, required }: any) => [name, required]),
      [
        ['x-network', false],
        ['x-identity', false],
      ],
      `${method} ${path}`,
    )
  }
})

t.test('the comparison finds a member too many, too few, of another type, and one that may not be left out', async (t) => {
  const schema = { properties: { a: { type: 'string' }, b: { type: 'number', minimum: 1 } }, required: ['a', 'b'] }
  t.same(membersOf(schema), { a: 'string', b: 'number 1-' })
  const either = { type: ['number', 'string'] }
  t.same(membersOf({ properties: { amount: { ...either, 'x-amount': {} }, other: either } }), {
    amount: 'number?',
    other: 'number|string?',
  })
  t.same(membersOf({ properties: { amount: { type: ['number', 'string', 'null'], 'x-amount': {} } } }), { amount: 'number|string|null?' })
  for (const wrong of [{ a: 'string' }, { a: 'string', b: 'number', c: 'string' }, { a: 'number', b: 'number 1-' }, { a: 'string?' }])
    t.not(JSON.stringify(membersOf(schema)), JSON.stringify(wrong))
})

function hasMembers(t: Test, schema: any, expected: Members, what: string): void {
  // What is of ours may be left out.
  const isOurs = ([name, text]: [string, string]) => expected[name] === undefined && OURS[name] === text.replace(/ .*/, '')
  const found = Object.fromEntries(Object.entries(membersOf(schema ?? {})).filter((each) => !isOurs(each)))
  const sorted = (members: Members) => Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  // A limit or default where the specification names none is the protocol's own.
  const shown = Object.fromEntries(
    Object.entries(found).map(([name, text]) => {
      const wanted = expected[name] ?? ''
      return [
        name,
        text
          .replace(/ \d\S*/, (range) => (/ \d\S*-/.test(wanted) ? range : ''))
          .replace(/ default .*/, (part) => (wanted.includes(' default ') ? part : '')),
      ]
    }),
  )
  t.same(sorted(shown), sorted(expected), what)
}

/** A schema's members in the words of the tables: `number? 0-255 default 7`. */
function membersOf(schema: any): Record<string, string> {
  const { properties = {}, required = [] } = resolved(schema)
  return Object.fromEntries(
    Object.entries<any>(properties).map(([name, property]) => {
      const { minimum, maximum, default: standard, ...rest } = resolved(property)
      // An amount is a number on the wire; the document lets the same decimal come as a text besides, and nothing else may be either.
      const types = rest['x-amount']
        ? typesOf(rest)
            .join('|')
            .replace(/^number\|string$/, 'number')
        : typesOf(rest).join('|')
      const least = minimum ?? rest['x-amount']?.minimum
      const range = least === undefined && maximum === undefined ? '' : ` ${least ?? ''}-${maximum ?? ''}`
      return [name, types + (required.includes(name) ? '' : '?') + range + (standard === undefined ? '' : ` default ${standard}`)]
    }),
  )
}

/** JSON types, null last; an integer is a number. */
function typesOf(schema: any): readonly string[] {
  const types: string[] = schema.anyOf ? schema.anyOf.flatMap((one: any) => typesOf(resolved(one))) : [schema.type ?? 'object'].flat()
  const plain = types.map((type) => (type === 'integer' ? 'number' : type))
  return [...new Set(plain.filter((type) => type !== 'null')), ...(plain.includes('null') ? ['null'] : [])]
}

function resolved(schema: any): any {
  return schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : (schema ?? {})
}

function answerOf(operation: any): any {
  const { 200: ok, 201: made, 202: queued } = operation.responses ?? {}
  const { content = {} } = ok ?? made ?? queued ?? {}
  return resolved((content['application/json'] ?? content['application/jwk-set+json'] ?? content['text/csv'])?.schema)
}

function bodyOf(operation: any): any {
  return resolved(operation.requestBody?.content?.['application/json']?.schema)
}

function queryOf(operation: any): any {
  const query = (operation.parameters ?? []).filter((parameter: any) => parameter.in === 'query')
  return {
    properties: Object.fromEntries(query.map(({ name, schema }: any) => [name, schema])),
    required: query.filter(({ required }: any) => required).map(({ name }: any) => name),
  }
}

function itemsOf(schema: any): any {
  const one = resolved(schema)
  return resolved(one.items ?? one.anyOf?.map(resolved).find((member: any) => member.items)?.items)
}
