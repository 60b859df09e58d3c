/**
 * The members of a value from outside, such as a node's answer or what another version kept: of each nothing is known yet.
 *
 * @returns no members where it is no object
 */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** The items of a value from outside, as `membersOf`: none where it is no list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The names of an object that has no others, as a table of this program. */
export function namesOf<T extends object>(table: T): readonly (keyof T & string)[] {
  // `Object.keys` forgets them, since a value may have more members than its type says.
  return Object.keys(table) as (keyof T & string)[]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
