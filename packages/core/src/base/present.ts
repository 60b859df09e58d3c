/**
 * Returns an optional value that the caller knows to be there.
 *
 * @param what it is, as the log names it
 * @throws Error when it is not: a fault of the service
 */
export function present<T>(optional: T | null | undefined, what: string): T {
  if (optional === undefined || optional === null) throw new Error(`expected ${what}`)
  return optional
}
