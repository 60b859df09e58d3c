import { DecodeError, shown } from './errors.ts'

/**
 * Checks that each name of a layout is a plain word and occurs once: an argument in another's place would go unseen.
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

/** Returns the layouts of effects, which come from outside and may have any shape; an empty list when there are none. @throws DecodeError when they are not a list */
export function layoutList(layouts: unknown): readonly unknown[] {
  if (layouts === undefined) return []
  if (!Array.isArray(layouts)) throw new DecodeError(`layouts is ${shown(layouts)}; it must be a list`)
  return layouts
}

/** Returns a member of a layout as an object. @throws DecodeError */
export function record(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>
  throw new DecodeError(`${where} is ${shown(value)}; it must be an object`)
}
