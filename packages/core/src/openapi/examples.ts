import { itemsOf, membersOf, type ProtocolExamples } from '@svc/contract'
import type { ErrorBody } from '@svc/contract/host'
import { refusalOf } from './refusals.ts'
import { serviceExamples, unhealthy } from './service-examples.ts'
import { type Document, type Operation, operationsOf, type Schema } from './shape.ts'

/** A protocol's examples, and where it is served. */
interface Exampled {
  /** In full: `/api/v1/evm-three/native`. */
  readonly prefix: string
  readonly examples: ProtocolExamples | undefined
  /** X-NETWORK of its networks. */
  readonly networks: readonly string[]
}

const JSON_TYPE = 'application/json'
const LOOK_UP = 'The transaction may be on its way. Look tx_hash up before you craft another; sending the same one again is safe.'
/** Operations that take or show bytes of one chain. */
const EXIT = /\/(action\/(prepare|broadcast|inspect)|transaction\/(track|\{tx_hash\}))$/
/** Operations whose answers are of a family; the others are answered alike everywhere. */
const ACTION = /\/action\/[^/]+$/

/**
 * Shows at each operation a request that belongs to it, what it is answered, and its own refusals. Bytes that a kit gives as examples of its
 * members are of one chain; they make way where the protocol has its own.
 */
export function showExamples(document: Document, protocols: readonly Exampled[]): void {
  for (const { path, method, operation } of operationsOf(document)) {
    const protocol = protocols.find(({ prefix }) => path.startsWith(`${prefix}/`))
    const { request, response, refusals = {} } = exchangeOf(protocol, method, path)
    const body = operation.requestBody?.content?.[JSON_TYPE]
    if (body?.schema && protocol?.examples && EXIT.test(path)) body.schema = withoutExamples(body.schema)
    if (body && request) body.example = request
    for (const parameter of operation.parameters ?? []) {
      const value = protocol?.examples?.parameters[parameter.name] ?? itemsOf(parameter.schema?.examples)[0]
      if (parameter.in === 'path' && value !== undefined) parameter.example = value
    }
    showAnswers({ method, path, operation }, response, refusals)
    if (protocol?.examples && method === 'post' && ACTION.test(path)) bareAnswer(document, operation)
  }
}

/** Adds the hash to the refusal of a transaction that was sent: it may be on its way whatever was answered. */
function withHash(body: ErrorBody, path: string, response: unknown): ErrorBody {
  const { tx_hash } = membersOf(response)
  if (!path.endsWith('/action/broadcast') || body.statusCode < 502 || typeof tx_hash !== 'string') return body
  return { ...body, error: `${body.error.replace(/; try again.*$/, '.')} ${LOOK_UP}`, tx_hash }
}

function bareAnswer({ components }: Document, operation: Operation): void {
  const name = String(operation.responses['200']?.content?.[JSON_TYPE]?.schema?.$ref ?? '').replace('#/components/schemas/', '')
  if (components.schemas[name]) components.schemas[name] = withoutExamples(components.schemas[name])
}

function withoutExamples(schema: unknown): Schema {
  const { examples: _, properties, items, ...rest } = membersOf(schema)
  return {
    ...rest,
    ...(items ? { items: withoutExamples(items) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(membersOf(properties)).map(([name, each]) => [name, withoutExamples(each)])) }
      : {}),
  }
}

function showAnswers(
  where: { method: string; path: string; operation: Operation },
  response: unknown,
  refusals: Readonly<Record<string, unknown>>,
): void {
  for (const [status, { content }] of Object.entries(where.operation.responses)) {
    const media = content?.[JSON_TYPE]
    if (!media) continue
    if (Number(status) < 400) {
      if (response !== undefined) media.example = response
    } else if (media.schema?.$ref === '#/components/schemas/HealthReport') media.example = unhealthy
    else if (media.schema?.$ref === '#/components/schemas/Error')
      media.example = refusals[status] ?? withHash(refusalOf(Number(status), where), where.path, response)
  }
}

/** Signed bytes are of one chain, and shown only where it is among the networks. */
function exchangeOf(protocol: Exampled | undefined, method: string, path: string) {
  if (!protocol) return serviceExamples[`${method} ${path}`] ?? {}
  const { prefix, examples, networks } = protocol
  const name = `${method} ${path.slice(prefix.length)}`
  if (!examples || (EXIT.test(name) && !networks.includes(examples.network))) return {}
  return examples.exchanges[name] ?? {}
}
