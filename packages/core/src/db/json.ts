/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/**
 * Writes a value of the audit log (effects, moves, changes) as JSON, by one fixed rule, so that the log reads the same whatever wrote it:
 * a `bigint` is its decimal string, bytes are `0x` and lower-case hex, a date is ISO-8601 in UTC, a number that JSON has
 * not (NaN, infinities) and `undefined` inside an array are null, a member that is `undefined` is left out.
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
 * Text that both databases take: PostgreSQL refuses the NUL character, and half a surrogate pair inside JSON. Each becomes
 * U+FFFD, since an audit record that is refused for its spelling would be a record lost.
 */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed()
}
