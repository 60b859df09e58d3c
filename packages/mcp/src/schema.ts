import type { JsonSchemaType } from '@modelcontextprotocol/server'
import type { Intent, NetworkTerms, Shape } from '@svc/verify/intent'

/** Makes the schema of a closed object, all of whose members must be there but the optional ones. */
export function object(properties: Readonly<Record<string, JsonSchemaType>>, optional: readonly string[] = []): JsonSchemaType {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties: { ...properties }, required, additionalProperties: false }
}

/** Declares a text that is not empty. @param maxLength in characters */
export function text(description: string, maxLength = 512): JsonSchemaType {
  return { type: 'string', minLength: 1, maxLength, description }
}

/** Declares an array of any length. */
export function list(items: JsonSchemaType, description: string): JsonSchemaType {
  return { type: 'array', items, description }
}

/** Makes the JSON schema of an action's body: amounts are decimal text, in which they are exact. */
export function inputSchema(intent: Intent, shape: Shape, terms: NetworkTerms): JsonSchemaType {
  const members = Object.entries(shape).map(([name, kind]) => [name, member(intent, name, kind, terms)] as const)
  return object(
    Object.fromEntries(members),
    Object.keys(shape).filter((name) => shape[name]?.optional),
  )
}

function member(intent: Intent, name: string, { kind, decimals, minimum, maximum }: Shape[string], terms: NetworkTerms): JsonSchemaType {
  switch (kind) {
    case 'text':
      return text(
        name === intent.family.signer ? 'Of the wallet that signs, as the chain writes it.' : `The ${name}, as the chain writes it.`,
      )
    case 'amount': {
      const places = decimals ?? terms.decimals
      const unit = decimals === undefined ? terms.symbol : 'the token of the action'
      const pattern = `^[0-9]{1,60}${places > 0 ? `([.][0-9]{1,${places}})?` : ''}$`
      return { type: 'string', pattern, description: `Amount of ${unit} as decimal text, with ${places} decimals at most: "1.5".` }
    }
    case 'integer':
      return { type: 'integer', minimum: minimum ?? 0, maximum: maximum ?? Number.MAX_SAFE_INTEGER }
    case 'flag':
      return { type: 'boolean' }
  }
}
