/** Returns the members of a value from outside, such as a node's answer or a value kept by another version, each of an unknown type. @returns no members where it is no object */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** Returns the items of a value from outside, each of an unknown type; no items where it is no list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the member names of a table of this program, which has no members besides those of its type. */
export function namesOf<T extends object>(table: T): readonly (keyof T & string)[] {
  // `Object.keys` forgets them, since a value may have more members than its type says.
  return Object.keys(table) as (keyof T & string)[]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
