import { membersOf } from '@svc/contract'
import { literalOf, parseJson } from '@svc/contract/host'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Misfit } from '../base/sentence.ts'
import { bodyText } from './exact-bytes.ts'
import { refuseUnknown } from './unknown-members.ts'

/** Most values of a body. The largest that any client sends is a craft's whole answer with a few signatures, some dozen. */
const MOST_VALUES = 1000

/**
 * Reads and writes JSON without loss: bodies keep the source text of their numbers and are validated as they are, texts of paths, queries and headers are read as the types
 * that they stand for, and responses are written as they are (an exact decimal, a null).
 */
export const validation = fp(
  async (app: FastifyInstance) => {
    // On each route, not on the app: a scope that adds a schema of its own would fall back to Fastify's compilers, which coerce bodies,
    // drop members they do not know, and turn a null into 0.
    app.addHook('onRoute', (route) => {
      refuseUnknown(route)
      route.validatorCompiler = ({ schema, httpPart }) =>
        httpPart === 'body' ? compile(forBodies, acceptTexts(schema)) : compile(forTexts, schema, readTexts)
      route.serializerCompiler = () => (data) => JSON.stringify(data)
    })
    app.removeContentTypeParser(['application/json', 'text/plain'])
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
      // Many clients announce JSON with every call; a deletion has none.
      request.method === 'DELETE' && body.length === 0 ? undefined : parseJson(bodyText(body), MOST_VALUES),
    )
  },
  { fastify: '5.x', name: '@svc/validation' },
)

/** Compiles schemas; one that it has compiled, for a service of this process that started before, is not compiled again. */
interface Compiler {
  readonly ajv: Ajv
  /** Compiled validators by the text of the schema. */
  readonly compiled: Map<string, ValidateFunction>
}

const forBodies = compiler({ useDefaults: false })
const forTexts = compiler({ useDefaults: true })

function compiler(options: { useDefaults: boolean }): Compiler {
  const ajv = new Ajv({
    ...options,
    coerceTypes: false,
    removeAdditional: false,
    // One is told, and finding all takes as long as a caller likes.
    allErrors: false,
    verbose: true,
    strict: true,
    strictNumbers: true,
    allowUnionTypes: true,
  })
  formats.default(ajv)
  // Words for people, not for the validator: where an amount or an address stands.
  ajv.addVocabulary(['x-amount', 'x-address', 'x-texts', 'example'])
  return { ajv, compiled: new Map() }
}

function compile(
  { ajv, compiled }: Compiler,
  schema: unknown,
  read: (schema: unknown, candidate: unknown) => unknown = (_schema, argument) => argument,
) {
  const text = JSON.stringify(schema)
  const validate = compiled.get(text) ?? ajv.compile(membersOf(schema))
  compiled.set(text, validate)
  return (input: unknown): { value: unknown } | { error: Error & { validation: ErrorObject[] } } => {
    const value = read(schema, input)
    if (validate(value)) return { value }
    return {
      error: Object.assign(new Error('invalid'), {
        validation: (validate.errors ?? []).map((problem) => withText(explained(problem), value)),
      }),
    }
  }
}

/** Returns the problem that explains a body best: a member that is missing is explained by one that is named wrongly. */
function explained(problem: ErrorObject): ErrorObject {
  const { keyword, parentSchema, data } = problem
  const { properties, additionalProperties } = membersOf(parentSchema)
  if (keyword !== 'required' || additionalProperties !== false) return problem
  const additionalProperty = Object.keys(membersOf(data)).find((name) => !Object.hasOwn(membersOf(properties), name))
  return additionalProperty === undefined ? problem : { ...problem, keyword: 'additionalProperties', params: { additionalProperty } }
}

/** Adds the text of a number that is beyond every double: the value that is left of it says nothing. */
function withText(problem: ErrorObject, body: unknown): ErrorObject & Pick<Misfit, 'text'> {
  if (typeof problem.data !== 'number' || Number.isFinite(problem.data)) return problem
  const steps = problem.instancePath.split('/').slice(1)
  const last = steps.pop() ?? ''
  const holder = steps.reduce<unknown>((value, step) => membersOf(value)[step], body)
  const text = literalOf(Object(holder), last)
  return text === undefined ? problem : { ...problem, text }
}

/**
 * Lets a schema accept texts for amounts: an amount is a number or a decimal text; its bounds, and what a text may be, are left to the exact reading. The same of a
 * whole number that the family reads as a text too.
 */
function acceptTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(acceptTexts)
  if (typeof schema !== 'object' || schema === null) return schema
  if ('x-amount' in schema) return { type: ['number', 'string'] }
  if ('x-texts' in schema) return { ...schema, type: ['integer', 'string'] }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, acceptTexts(value)]))
}

/** Texts that are written as the number or truth value that their schema names; another text stays one, and is refused. */
function readTexts(schema: unknown, input: unknown): unknown {
  const texts = membersOf(input)
  const read = (property: unknown, text: unknown): unknown => {
    const { type } = membersOf(property)
    if (typeof text !== 'string') return text
    if ((type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
    return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
  }
  const pairs = Object.entries(membersOf(membersOf(schema).properties)).filter(([name]) => Object.hasOwn(texts, name))
  const values = pairs.map(([name, property]) => [name, read(property, texts[name])])
  return Object.assign(texts, Object.fromEntries(values))
}
