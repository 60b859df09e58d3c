import type { Effects } from '@svc/verify'
import type { AnyFamily } from './family.ts'

/**
 * Makes a function that returns the forgery with a given name of a given craft. Forgeries are made from the craft at hand, since the chain's terms in it may have changed.
 * All forgeries of one craft are made at once, and kept until another craft is forged.
 *
 * @returns of a craft and a name the forged one; undefined where the family makes none of that name
 */
export function forger(family: Pick<AnyFamily, 'forgeries'>, effects: Effects): (crafted: unknown, name: string) => unknown {
  let last: { readonly text: string; readonly forgeries: ReadonlyMap<string, unknown> } | undefined
  return (crafted, name) => {
    const text = JSON.stringify(crafted)
    if (last?.text !== text) {
      const forgeries = family.forgeries(crafted, effects).toReversed()
      last = { text, forgeries: new Map(forgeries.map((forgery) => [forgery.name, forgery.unsigned])) }
    }
    return last.forgeries.get(name)
  }
}
