import type { AnyProtocol } from '@svc/contract'

/**
 * What is surely there.
 *
 * @param what it is, as the message names it
 * @throws TypeError when it is not: a mistake of the suite, not of what it tries
 */
export function present<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new TypeError(`expected ${what}`)
  return found
}

/** An action by its name. @throws TypeError when the protocol has none of that name */
export function actionOf({ actions }: AnyProtocol, name: string): AnyProtocol['actions'][string] {
  return present(actions[name], `an action ${name}`)
}

/** Routes beside the crafts that are no reads: those of the kit, and that of protocols whose transactions can be put into words. */
export function exitsOf({ intent }: AnyProtocol): readonly string[] {
  return ['prepare', 'broadcast', ...(intent?.family.explain ? ['inspect'] : [])]
}
