/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/**
 * Converts a value of the audit log (effects, moves, changes) to JSON by one fixed rule, so that all writers produce the same form: a `bigint` becomes its decimal text,
 * bytes become `0x` and hex in lower case, a date becomes ISO 8601 in UTC. A number that JSON lacks (NaN, infinities) and an `undefined` in an array become null, and a
 * member that is `undefined` is left out.
 */
export function effectsToJson(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map(effectsToJson)
  if (typeof value !== 'object') return null
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [storableText(name), effectsToJson(member)]))
}

/**
 * Replaces the characters that PostgreSQL refuses, NUL and half a surrogate pair inside JSON, by U+FFFD, so that both databases take the text: a refused audit record would
 * be lost.
 */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed()
}
