import { parseJson } from '@svc/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/**
 * JSON in and out without loss: bodies keep the source text of their numbers and are validated without coercion, texts of paths and
 * queries are coerced to their types, responses are written as they are (an exact decimal, a null).
 */
export const validation = fp(
  async (app: FastifyInstance) => {
    const strict = ajv({ coerceTypes: false, useDefaults: false })
    const lenient = ajv({ coerceTypes: 'array', useDefaults: true })
    app.setValidatorCompiler(({ schema, httpPart }) => compile(httpPart === 'body' ? strict : lenient, schema))
    app.setSerializerCompiler(() => (data) => JSON.stringify(data))
    app.removeContentTypeParser(['application/json', 'text/plain'])
    app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string | Buffer) =>
      parseJson(String(body)),
    )
  },
  { fastify: '5.x', name: '@svc/validation' },
)

function ajv(options: { coerceTypes: false | 'array'; useDefaults: boolean }): Ajv {
  const instance = new Ajv({
    ...options,
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

function compile(validator: Ajv, schema: unknown) {
  const validate = validator.compile(acceptTexts(schema) as object) as ValidateFunction
  return (value: unknown): { value: unknown } | { error: Error & { validation: ErrorObject[] } } => {
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
