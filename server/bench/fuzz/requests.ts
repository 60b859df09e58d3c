import { hash } from 'node:crypto'
import type { Random } from './random.ts'
import { anyJson, anyText, bent, bytesOf } from './values.ts'
import type { Described, FuzzWorld, Schema } from './world.ts'

/** A request that HTTP allows. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  /** The path as the document has it. */
  readonly route: string
}

interface Operation extends Described {
  readonly method: string
  readonly path: string
}

const OTHER_PATHS = [
  '/',
  '/docs',
  '/docs/',
  '/docs/static/swagger-ui.css',
  '/docs/static/console.js',
  '/docs/static/%00',
  '/docs/static/..%2f..%2fpackage.json',
  '/docs/static/....//',
  '/docs/json',
  '/openapi.json',
  '/api/v1',
  '/api/v2/health',
  '/api/v1/%zz',
  '/%c0%af',
  '/api/v1//health',
  '/api/v1/health?x=1',
  '/api/v1/public-key/',
  '*',
  `/${'x'.repeat(3000)}`,
]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'REPORT', 'QUERY']
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;',
  'text/plain',
  'application/xml',
  '',
  'x',
  'a/b/c',
]

/** Makes requests over all routes of a world: right ones, nearly right ones, and others. */
export function requestsOf({ document, key, token, ulids }: FuzzWorld, random: Random): () => FuzzRequest {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]): Operation => ({ ...described, method: method.toUpperCase(), path })),
  )

  return () => {
    const operation = random.pick(operations)
    const usual = operation.method === 'GET' && random.oneIn(6) ? 'HEAD' : operation.method
    const method = random.oneIn(12) ? random.pick(METHODS) : usual
    const path = random.oneIn(12) ? random.pick(OTHER_PATHS) : pathOf(operation)
    const wantsBody = operation.requestBody !== undefined ? !random.oneIn(30) : random.oneIn(30)
    const body = wantsBody && method !== 'TRACE' ? bodyOf(operation) : undefined
    return { method, path, headers: headersOf(body), body, route: operation.path }
  }

  function pathOf({ path, parameters = [] }: Operation): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = parameters.find((each) => each.name === name)
      if (name === 'ulid' && ulids.length > 0 && random.oneIn(2)) return random.pick(ulids)
      return encodeURIComponent(wellFormed(textOf(parameter?.example ?? exampleOf(parameter?.schema))))
    })
    const query = parameters.filter((each) => each.in === 'query' && random.oneIn(2))
    const pairs = query.map(({ name, schema }) => `${name}=${encodeURIComponent(wellFormed(textOf(exampleOf(schema) ?? '7')))}`)
    if (random.oneIn(20)) pairs.push(encodeURIComponent(wellFormed(anyText(random))))
    return (pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled).slice(0, 8000)
  }

  function textOf(example: unknown): string {
    if (random.oneIn(4)) return anyText(random)
    return random.oneIn(4) ? bent(random, String(example ?? '')) : String(example ?? anyText(random))
  }

  function bodyOf({ requestBody }: Operation): Buffer {
    if (random.oneIn(40)) return bytesOf(random, random.below(200))
    const body = requestBody?.content['application/json']
    const schema = resolve(body?.schema)
    const members = Object.entries(schema?.properties ?? {}).flatMap(([name, each]) => {
      if (random.oneIn(15)) return []
      const sample = body?.example?.[name] ?? exampleOf(each)
      return [`${JSON.stringify(random.oneIn(40) ? bent(random, name) : name)}:${jsonOf(sample)}`]
    })
    if (random.oneIn(15)) members.push(`${JSON.stringify(wellFormed(anyText(random)))}:${anyJson(random)}`)
    const text = `{${members.join(',')}}`
    return Buffer.from(random.oneIn(25) ? bent(random, text) : text)
  }

  function jsonOf(example: unknown): string {
    if (random.oneIn(5)) return anyJson(random)
    if (typeof example === 'string' && random.oneIn(5)) return JSON.stringify(bent(random, example))
    return JSON.stringify(example ?? anyText(random))
  }

  function resolve(schema: Schema | undefined): Schema | undefined {
    const name = schema?.$ref?.split('/').at(-1)
    return name === undefined ? schema : document.components.schemas[name]
  }

  function exampleOf(schema: Schema | undefined): unknown {
    const { examples = [], minimum, type, items } = resolve(schema) ?? {}
    if (examples.length > 0) return random.pick(examples)
    if (type === 'array') return [exampleOf(items)]
    if (type === 'boolean') return random.oneIn(2)
    return type === 'number' || type === 'integer' ? (minimum ?? 1) : undefined
  }

  function headersOf(body: Buffer | undefined): Record<string, string> {
    const headers: Record<string, string> = {}
    if (!random.oneIn(8)) headers['x-api-key'] = random.oneIn(12) ? headerText(bent(random, key)) : key
    if (!random.oneIn(8)) headers.token = random.oneIn(12) ? headerText(bent(random, token)) : token
    if (random.oneIn(10)) headers.authorization = random.pick(['Bearer', `Bearer ${token}`, 'Basic eDp5', headerText(anyText(random))])
    if (random.oneIn(8)) headers['x-network'] = random.pick(['1', '143', 'mainnet', 'devnet', headerText(anyText(random))])
    if (random.oneIn(8)) headers['x-identity'] = headerText(anyText(random))
    if (random.oneIn(8)) headers['x-forwarded-for'] = random.pick(['1.2.3.4:5', '[::1]:9', '::', 'x,y', ',', headerText(anyText(random))])
    if (random.oneIn(20)) headers.expect = random.pick(['100-continue', 'a-miracle'])
    if (random.oneIn(20)) headers['if-none-match'] = random.pick(['*', '"x"'])
    if (random.oneIn(30))
      headers[random.pick(['accept', 'accept-version', 'cookie', 'origin', 'x-http-method-override'])] = headerText(anyText(random))
    if (random.oneIn(8)) headers['x-nonce'] = random.pick(['0123456789abcdef', headerText(anyText(random))])
    if (random.oneIn(8)) headers['content-digest'] = digestOf(random.oneIn(8) ? Buffer.from('another') : body)
    if (body !== undefined || random.oneIn(20)) headers['content-type'] = random.oneIn(15) ? random.pick(TYPES) : 'application/json'
    return headers
  }
}

function digestOf(body: Buffer | string = ''): string {
  return `sha-256=:${hash('sha256', body, 'base64')}:`
}

/** Returns the text that can stand in a header's line. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 4000)
}

/** Without halves of characters, which have no percent-encoding. */
function wellFormed(text: string): string {
  return text.toWellFormed()
}
