import { printable, requireSingleMembers } from '@svc/verify/intent'
import { badRequest } from './codes.ts'

/** Symbol under which a parsed object keeps the source text of its numbers: registered, so that two copies of this package agree. */
const LITERALS = Symbol.for('@svc/contract.literals')

/** JSON number whose text is exact: `JSON.stringify` writes the given text, not a double. */
export interface ExactNumber {
  readonly rawJSON: string
}

/** Object that may keep the source text of its numbers. */
interface Holder {
  [LITERALS]?: Map<string, string>
}

/** Source text access of ECMAScript 2026, which the type library does not describe yet. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver?: (this: Holder, key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): ExactNumber
}

/**
 * Parses a JSON body and keeps every number's source text, because the double loses digits. Refuses a member that stands twice in one object, at any depth and in any
 * spelling: some readers take the first of two, and others the last.
 *
 * @param most values in it, lists and objects among them: keeping the text of each takes time, so they are counted before
 * @throws 400 BODY_NOT_JSON when the text is not JSON, names a member that would reach a prototype, or is nested too deeply to be read;
 *   400 BODY_TOO_COMPLEX when it has more values; 400 REQUEST_INVALID when a member stands twice
 */
export function parseJson(text: string, most = Number.POSITIVE_INFINITY): unknown {
  try {
    const names = countNames(text, most)
    if (names === null)
      throw badRequest(
        'BODY_TOO_COMPLEX',
        `The body has more than ${most} values, lists and objects among them; no request of this service has as many.`,
      )
    // The reviver comes to each member that is left, and to the whole, which is a member of an object that nobody sees.
    const left = { members: -1 }
    const value = exactJson.parse(text, keepLiterals(left))
    if (left.members !== names) throw twice(text)
    return value
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest('BODY_NOT_JSON', `The body is not valid JSON: ${error.message}.`)
    // The engine walks through lists and objects by recursion, and says so in its own way when there is no end to them.
    if (error instanceof RangeError) throw badRequest('BODY_NOT_JSON', 'The body is nested more deeply than any request of this service.')
    throw error
  }
}

/** Parses the JSON of a file from outside. @throws SyntaxError for what is no JSON, and for a member that stands twice in one object: of two, each reader takes another */
export function parseStrict(text: string): unknown {
  const value: unknown = JSON.parse(text)
  requireSingleMembers(text)
  return value
}

/** Returns the text of the number at `key` as the caller wrote it; undefined when the member is not a number or did not come from `parseJson`. */
export function literalOf(holder: object, key: string): string | undefined {
  const { [LITERALS]: literals }: Holder = holder
  return literals?.get(key)
}

/** Writes a decimal text as a JSON number without passing through a double. */
export function exactNumber(decimal: string): ExactNumber {
  return exactJson.rawJSON(decimal)
}

/** @param left counts the members of objects */
function keepLiterals(left: { members: number }) {
  return function keep(this: Holder, key: string, value: unknown, context: { source?: string }): unknown {
    if (key === '__proto__') throw badRequest('BODY_NOT_JSON', 'The body has a member named __proto__, which is not accepted.')
    if (!Array.isArray(this)) left.members += 1
    if (typeof value !== 'number' || context.source === undefined) return value
    const literals = this[LITERALS] ?? new Map<string, string>()
    if (!this[LITERALS]) Object.defineProperty(this, LITERALS, { value: literals, enumerable: false })
    literals.set(key, context.source)
    return value
  }
}

/** Makes the refusal of a text in which a member stands twice in one object, with its name. */
function twice(text: string): Error {
  try {
    requireSingleMembers(text)
    return new Error('two ways of counting the members of a body do not agree')
  } catch (error) {
    const sentence = error instanceof Error ? printable(error.message) : ''
    return badRequest('REQUEST_INVALID', `The body says two things: ${sentence}. Send each member once.`)
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON, BRACKET, BRACE] = ['"', '\\', ',', ':', '[', '{'].map((char) => char.charCodeAt(0))

/**
 * Counts the members that a JSON text names, each as often as it stands there.
 *
 * @returns null where it has more values than the limit, by what opens and separates them; it stops at the first that is too many
 */
function countNames(text: string, most: number): number | null {
  let values = 1
  let names = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      do at = text.indexOf('"', at + 1)
      while (isEscaped(text, at))
      if (at < 0) return names
    } else if (char === COLON) names++
    else if ((char === COMMA || char === BRACKET || char === BRACE) && ++values > most) return null
  }
  return names
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}
