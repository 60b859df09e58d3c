import { DecodeError, shown } from './errors.ts'

/**
 * Sees to it that each name of a layout is a plain word and stands there once: an argument that took another's place would go unseen.
 *
 * @param where the layout, for the message
 * @throws DecodeError
 */
export function checkNames(names: readonly string[], where: string): void {
  names.forEach((name, i) => {
    // Not a number either, since an object does not keep those in the order in which they were written.
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) throw new DecodeError(`${where} names ${shown(name)}; a name has letters and digits only`)
    if (names.indexOf(name) < i) throw new DecodeError(`${where} names ${shown(name)} twice; each argument must have its own name`)
  })
}

/** The layouts that effects carry, from outside and so of any shape; none when they carry none. @throws DecodeError when they are not a list */
export function layoutList(layouts: unknown): readonly unknown[] {
  if (layouts === undefined) return []
  if (!Array.isArray(layouts)) throw new DecodeError(`layouts is ${shown(layouts)}; it must be a list`)
  return layouts
}

/** A member of a layout that must be an object. @throws DecodeError */
export function record(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>
  throw new DecodeError(`${where} is ${shown(value)}; it must be an object`)
}
