/** An object of an answer, of whose members nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Tells whether a value is an object, or a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

/** Returns the members of an object; none for anything else. */
export function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
