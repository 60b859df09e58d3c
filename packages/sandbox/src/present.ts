/**
 * Returns an optional value that the caller knows to be there, for the engines.
 *
 * @param what it is, as the message names it
 * @throws Error when it is not: a mistake of the sandbox, never of who asks it
 */
export function present<T>(optional: T | null | undefined, what: string): T {
  if (optional === undefined || optional === null) throw new Error(`expected ${what}`)
  return optional
}
