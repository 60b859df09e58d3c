import { itemsOf, membersOf } from '@svc/contract'
import { TEXT_BASE } from '../base/text-amounts.ts'
import type { Document, Operation, Schema } from './shape.ts'

/** Largest whole number that generators read without a format. */
const MOST_INT32 = 2 ** 31 - 1

/** Request headers that bind an answer to its question: a client sets them where it also verifies, for all operations at once, and not as an argument of each. */
const BINDING = new Set(['x-nonce', 'content-digest'])

/** Forms of an amount: an answer's may be below zero, and no request's is. */
const DECIMAL = { answer: '^-?[0-9]+(\\.[0-9]+)?$', request: '^[0-9]+(\\.[0-9]+)?$' } as const
/** Decimals of an example: those of the tokens that have most. */
const EXAMPLE_DECIMALS = 18

/**
 * Converts the OpenAPI document for generators of clients: OpenAPI 3.0.3 of the same routes under the base path `/text`, where every amount is a string. Of ten
 * generators none keeps the digits of an amount that is a number, whatever its format, and Go's read one as a float of 32 bits; a string is a string in all of them.
 *
 * Bodies have names, since generators merge those that have none by their likeness. Nothing says `additionalProperties`, of which Java's makes maps. Texts of a list of
 * values are open in answers and within lists (`x-values` has the values), so that a client of today reads a value of tomorrow.
 *
 * @param document what is served at `/openapi.json`; it stays as it is
 * @param publicUrl address at which callers reach the service, if it differs from where they found the document
 */
export function textDocument(document: Document, publicUrl = ''): object {
  const { paths, components, info, ...rest } = document as Document & { readonly info: object }
  const schemas: Record<string, Schema> = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [nameOf(name), { ...textSchema(schema, true), title: nameOf(name) }]),
  )
  const bodyOf = (operationId: string, schema: Schema): Schema => {
    const name = bodyName(operationId)
    schemas[name] = { ...textSchema(schema, false), title: name }
    return { $ref: `#/components/schemas/${name}` }
  }
  return {
    ...rest,
    openapi: '3.0.3',
    info: { ...info, title: 'Staking Transaction Service, amounts as text', license: { name: 'Apache-2.0' } },
    servers: [{ url: publicUrl.replace(/\/$/, '') + TEXT_BASE, description: 'The same routes; amounts of answers are decimal strings.' }],
    tags: itemsOf(membersOf(rest).tags).map((tag) => ({ ...membersOf(tag), name: tagOf(String(membersOf(tag).name)) })),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path,
        Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, textOperation(operation, bodyOf)])),
      ]),
    ),
    components: {
      ...components,
      headers: Object.fromEntries(Object.entries(components.headers ?? {}).map(([name, header]) => [name, textHeader(header)])),
      responses: Object.fromEntries(Object.entries(components.responses ?? {}).map(([name, answer]) => [name, textAnswer(answer)])),
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

function textOperation(operation: Operation, bodyOf: (operationId: string, schema: Schema) => Schema): object {
  const { operationId = '', tags = [], parameters = [], requestBody } = operation
  const [media] = Object.values(requestBody?.content ?? {})
  return {
    ...operation,
    tags: tags.map(tagOf),
    parameters: parameters
      .filter(({ name }) => !BINDING.has(name.toLowerCase()))
      .map(({ schema, ...parameter }) => ({ ...parameter, ...(schema ? { schema: textSchema(schema, false) } : {}) })),
    ...(media?.schema
      ? { requestBody: { required: true, content: { 'application/json': { schema: bodyOf(operationId, media.schema) } } } }
      : {}),
    responses: Object.fromEntries(Object.entries(operation.responses).map(([status, answer]) => [status, textAnswer(answer)])),
  }
}

function textAnswer(answer: object): object {
  const { $ref, content, headers, ...rest } = membersOf(answer)
  if ($ref !== undefined) return { $ref }
  return {
    ...rest,
    ...(headers ? { headers: Object.fromEntries(Object.entries(membersOf(headers)).map(([name, each]) => [name, textHeader(each)])) } : {}),
    ...(content
      ? {
          content: Object.fromEntries(
            Object.entries(membersOf(content)).map(([type, media]) => {
              const { schema } = membersOf(media)
              return [type, schema ? { schema: textSchema(membersOf(schema), true) } : {}]
            }),
          ),
        }
      : {}),
  }
}

function textHeader(header: unknown): object {
  const { schema, ...rest } = membersOf(header)
  return schema ? { ...rest, schema: textSchema(membersOf(schema), true) } : rest
}

/** @param answered whether a client reads it, so that a text of a list of values stays open */
function textSchema(schema: Schema, answered: boolean): Schema {
  const { $ref, anyOf, ...own } = schema
  if (typeof $ref === 'string') return { $ref: $ref.replace(/[^/]+$/, nameOf) }
  if (anyOf !== undefined) {
    const [some, ...others] = itemsOf(anyOf)
      .map(membersOf)
      .filter(({ type }) => type !== 'null')
    const nullable = itemsOf(anyOf).some((each) => membersOf(each).type === 'null')
    const parts = [some, ...others].map((each) => textSchema(membersOf(each), answered))
    const [only = {}] = parts
    if (parts.length === 1 && only.$ref === undefined) return { ...only, ...textSchema(own, answered), ...(nullable ? { nullable } : {}) }
    // The mark of null counts beside a type alone. https://spec.openapis.org/oas/v3.0.3#fixed-fields-20 (read 2026-11-29)
    return {
      ...textSchema(own, answered),
      ...(nullable ? { type: 'object', nullable } : {}),
      [parts.length === 1 ? 'allOf' : 'anyOf']: parts,
    }
  }
  const { type, examples, example = itemsOf(examples)[0], properties, items, additionalProperties, description } = own
  const types = itemsOf(type === undefined || Array.isArray(type) ? (type ?? []) : [type]).filter((each) => each !== 'null')
  const nullable = Array.isArray(type) && type.includes('null')
  const isAmount = 'x-exact' in own || 'x-amount' in own
  const word = isAmount || types.length > 1 ? 'string' : types[0]
  const shared = {
    ...(word === undefined ? {} : { type: word }),
    ...(nullable ? { nullable } : {}),
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example: word === 'string' && typeof example === 'number' ? plainText(example) : example }),
    ...('default' in own ? { default: own.default } : {}),
    ...('x-beyond-specification' in own ? { 'x-beyond-specification': own['x-beyond-specification'] } : {}),
  }
  if (isAmount) return { ...shared, pattern: answered ? DECIMAL.answer : DECIMAL.request }
  if (word === 'integer') return { ...shared, ...bounds(own), format: Number(own.maximum) <= MOST_INT32 ? 'int32' : 'int64' }
  if (word === 'number') return { ...shared, ...bounds(own), format: 'double' }
  if (word === 'string') return { ...shared, ...textBounds(own), ...valuesOf(own, answered) }
  return {
    ...shared,
    ...pick(own, 'required', 'minItems', 'maxItems', 'uniqueItems'),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(membersOf(properties)).map(([name, each]) => [name, textSchema(membersOf(each), answered)]),
          ),
        }
      : {}),
    // Of a list of named values Java's generator makes a class that does not compile: those are open in requests too, and refused by the service.
    ...(items ? { items: textSchema(membersOf(items), true) } : {}),
    ...(typeof additionalProperties === 'object' && additionalProperties !== null
      ? { additionalProperties: textSchema(membersOf(additionalProperties), answered) }
      : {}),
  }
}

/** Writes a number of an example without an exponent, which the pattern of an amount does not have. */
function plainText(example: number): string {
  const text = String(example)
  return text.includes('e') ? example.toFixed(EXAMPLE_DECIMALS).replace(/0+$/, '') : text
}

/** Converts bounds to OpenAPI 3.0, in which the open bound is a mark of the closed one. @see https://spec.openapis.org/oas/v3.0.3#properties (read 2026-11-29) */
function bounds(schema: Schema): Schema {
  const { exclusiveMinimum: above } = schema
  return { ...pick(schema, 'minimum', 'maximum'), ...(typeof above === 'number' ? { minimum: above, exclusiveMinimum: true } : {}) }
}

function textBounds(schema: Schema): Schema {
  return schema.enum === undefined ? pick(schema, 'format', 'pattern', 'minLength', 'maxLength') : {}
}

function valuesOf(schema: Schema, answered: boolean): Schema {
  const values = schema.enum
  if (values === undefined) return {}
  return answered ? { 'x-values': values } : { enum: values }
}

function pick(schema: Schema, ...names: readonly string[]): Schema {
  return Object.fromEntries(names.filter((name) => name in schema).map((name) => [name, schema[name]]))
}

/** Renames the schema `Error`, which is a class of the language in Java, Rust and Python. */
function nameOf(name: string): string {
  return name === 'Error' ? 'Refusal' : name
}

/** Names the body of an operation: `postEvmThreeNativeActionDelegate` takes an `EvmThreeNativeDelegateBody`. */
function bodyName(operationId: string): string {
  return `${operationId.replace(/^[a-z]+/, '').replace('Action', '')}Body`
}

/** Names a tag so that it can be a module or a class: `evm-three/native`. */
function tagOf(tag: string): string {
  return tag.replaceAll('/', '-')
}
