import { parseJson } from '@svc/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/**
 * JSON in and out without loss: bodies keep the source text of their numbers and are validated as they are, texts of paths, queries and
 * headers are read as the types that they stand for, responses are written as they are (an exact decimal, a null).
 */
export const validation = fp(
  async (app: FastifyInstance) => {
    const forBodies = ajv({ useDefaults: false })
    const forTexts = ajv({ useDefaults: true })
    // On each route, not on the app: a scope that adds a schema of its own would fall back to Fastify's compilers, which coerce bodies,
    // drop members they do not know, and turn a null into 0.
    app.addHook('onRoute', (route) => {
      route.validatorCompiler = ({ schema, httpPart }) =>
        httpPart === 'body' ? compile(forBodies, acceptTexts(schema)) : compile(forTexts, schema, readTexts)
      route.serializerCompiler = () => (data) => JSON.stringify(data)
    })
    app.removeContentTypeParser(['application/json', 'text/plain'])
    app.addContentTypeParser('application/json', { parseAs: 'string' }, async (request: FastifyRequest, body: string | Buffer) =>
      // Many clients announce JSON with every call; a deletion has none.
      request.method === 'DELETE' && body === '' ? undefined : parseJson(String(body)),
    )
  },
  { fastify: '5.x', name: '@svc/validation' },
)

function ajv(options: { useDefaults: boolean }): Ajv {
  const instance = new Ajv({
    ...options,
    coerceTypes: false,
    removeAdditional: false,
    allErrors: true,
    strict: true,
    strictNumbers: true,
    allowUnionTypes: true,
  })
  formats.default(instance)
  // Words for people, not for the validator: where an amount or an address stands.
  instance.addVocabulary(['x-amount', 'x-address', 'example'])
  return instance
}

function compile(validator: Ajv, schema: unknown, read: (schema: unknown, given: unknown) => unknown = (_schema, given) => given) {
  const validate = validator.compile(schema as object) as ValidateFunction
  return (given: unknown): { value: unknown } | { error: Error & { validation: ErrorObject[] } } => {
    const value = read(schema, given)
    if (validate(value)) return { value }
    return { error: Object.assign(new Error('invalid'), { validation: validate.errors ?? [] }) }
  }
}

/**
 * The schema says `number` for an amount, as the specification does; a decimal text is let through beside it, and its bounds are left to
 * the exact reading.
 */
function acceptTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(acceptTexts)
  if (typeof schema !== 'object' || schema === null) return schema
  if ('x-amount' in schema) return { type: ['number', 'string'] }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, acceptTexts(value)]))
}

/** Texts that are written as the number or truth value that their schema names; another text stays one, and is refused. */
function readTexts(schema: unknown, given: unknown): unknown {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> }
  const read = ({ type }: { type?: unknown }, text: unknown): unknown => {
    if (typeof text !== 'string') return text
    if ((type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
    return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
  }
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(given as object, name))
  const values = known.map(([name, property]) => [name, read(property, (given as Record<string, unknown>)[name])])
  return Object.assign(given as object, Object.fromEntries(values))
}
