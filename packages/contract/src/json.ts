import { badRequest } from './errors.ts'

/** Where a parsed object keeps the source text of its numbers: a registered symbol, so that two copies of this package agree. */
const LITERALS = Symbol.for('@svc/contract.literals')

/** A JSON number whose text is exact: what `JSON.stringify` writes for it is the text given, not a double. */
export interface ExactNumber {
  readonly rawJSON: string
}

/** Source text access of ECMAScript 2026, which the type library does not describe yet. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver?: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): ExactNumber
}

/**
 * Parses a JSON body and keeps every number's source text, because the double it becomes has lost digits.
 *
 * @throws 400 BODY_NOT_JSON when the text is not JSON, names a member that would reach a prototype, or is nested too deeply to be read
 */
export function parseJson(text: string): unknown {
  try {
    return exactJson.parse(text, keepLiterals)
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest('BODY_NOT_JSON', `The body is not valid JSON: ${error.message}.`)
    // The engine walks through lists and objects by recursion, and says so in its own way when there is no end to them.
    if (error instanceof RangeError) throw badRequest('BODY_NOT_JSON', 'The body is nested more deeply than any request of this service.')
    throw error
  }
}

/** The text of the number at `key` as the caller wrote it; undefined when the member is not a number or did not come from `parseJson`. */
export function literalOf(holder: object, key: string): string | undefined {
  return (holder as { [LITERALS]?: Map<string, string> })[LITERALS]?.get(key)
}

/** Writes a decimal text as a JSON number without passing through a double. */
export function exactNumber(decimal: string): ExactNumber {
  return exactJson.rawJSON(decimal)
}

function keepLiterals(this: unknown, key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__') throw badRequest('BODY_NOT_JSON', 'The body has a member named __proto__, which is not accepted.')
  if (typeof value !== 'number' || context.source === undefined) return value
  const holder = this as { [LITERALS]?: Map<string, string> }
  if (!holder[LITERALS]) Object.defineProperty(holder, LITERALS, { value: new Map(), enumerable: false })
  holder[LITERALS]!.set(key, context.source)
  return value
}
