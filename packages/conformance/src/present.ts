import type { AnyProtocol } from '@svc/contract/host'

/**
 * Returns an optional value that the caller knows to be there.
 *
 * @param what it is, as the message names it
 * @throws TypeError when it is not: a mistake of the suite, not of what it tries
 */
export function present<T>(optional: T | undefined, what: string): T {
  if (optional === undefined) throw new TypeError(`expected ${what}`)
  return optional
}

/** Returns an action by its name. @throws TypeError when the protocol has none of that name */
export function actionOf({ actions }: AnyProtocol, name: string): AnyProtocol['actions'][string] {
  return present(actions[name], `an action ${name}`)
}

/** Lists the paths besides the crafts that are no reads: those of the kit, and those of protocols whose transactions can be followed or put into words. */
export function exitsOf({ intent, kit }: AnyProtocol): readonly string[] {
  const inspect = intent?.family.explain ? ['/action/inspect'] : []
  return ['/action/prepare', '/action/broadcast', ...inspect, ...(kit.life ? ['/transaction/track'] : [])]
}
