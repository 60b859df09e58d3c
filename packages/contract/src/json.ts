import { badRequest } from './codes.ts'

/** Where a parsed object keeps the source text of its numbers: a registered symbol, so that two copies of this package agree. */
const LITERALS = Symbol.for('@svc/contract.literals')

/** A JSON number whose text is exact: what `JSON.stringify` writes for it is the text given, not a double. */
export interface ExactNumber {
  readonly rawJSON: string
}

/** What may keep them. */
interface Holder {
  [LITERALS]?: Map<string, string>
}

/** Source text access of ECMAScript 2026, which the type library does not describe yet. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver?: (this: Holder, key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): ExactNumber
}

/**
 * Parses a JSON body and keeps every number's source text, because the double it becomes has lost digits.
 *
 * @param most values in it, lists and objects among them: keeping the text of each takes time, so they are counted before
 * @throws 400 BODY_NOT_JSON when the text is not JSON, names a member that would reach a prototype, or is nested too deeply to be read;
 *   400 BODY_TOO_COMPLEX when it has more values
 */
export function parseJson(text: string, most = Number.POSITIVE_INFINITY): unknown {
  try {
    if (hasMore(text, most))
      throw badRequest(
        'BODY_TOO_COMPLEX',
        `The body has more than ${most} values, lists and objects among them; no request of this service has as many.`,
      )
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
  const { [LITERALS]: literals }: Holder = holder
  return literals?.get(key)
}

/** Writes a decimal text as a JSON number without passing through a double. */
export function exactNumber(decimal: string): ExactNumber {
  return exactJson.rawJSON(decimal)
}

function keepLiterals(this: Holder, key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__') throw badRequest('BODY_NOT_JSON', 'The body has a member named __proto__, which is not accepted.')
  if (typeof value !== 'number' || context.source === undefined) return value
  const literals = this[LITERALS] ?? new Map<string, string>()
  if (!this[LITERALS]) Object.defineProperty(this, LITERALS, { value: literals, enumerable: false })
  literals.set(key, context.source)
  return value
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = ['"', '\\', ',', '[', '{'].map((char) => char.charCodeAt(0))

/** Whether a JSON text has more values than that, by what opens and separates them; stops at the first that is too many. */
function hasMore(text: string, most: number): boolean {
  // Each has a character of its own before it.
  if (text.length < most) return false
  let count = 1
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      do at = text.indexOf('"', at + 1)
      while (isEscaped(text, at))
      if (at < 0) return false
    } else if ((char === COMMA || char === BRACKET || char === BRACE) && ++count > most) return true
  }
  return false
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}
