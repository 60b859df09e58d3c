import { rightNames } from '@svc/verify/intent'
import { SetupError } from './errors.ts'
import type { CallOptions } from './http.ts'

/** Every member of a type by its name: a member that is added to the type has to be added to the list. */
export type Names<T> = { readonly [K in keyof Required<T>]: true }

/** Names of the options that every call takes. */
export const CALL: Names<CallOptions> = { signal: true, identity: true }

/**
 * Refuses an unknown option: a misspelt one would otherwise be ignored silently, be it a caller's bound or a time limit.
 *
 * @param where the options are given: `createClient`
 * @returns the options
 * @throws SetupError
 */
export function onlyKnown<T extends object>(options: T, names: Readonly<Record<string, true>>, where: string): T {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(names, name)) continue
    throw new SetupError(`${where} has no option ${JSON.stringify(name)}; it should be ${rightNames(name, Object.keys(names))}.`)
  }
  return options
}
