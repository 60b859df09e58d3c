import type { Facts } from '@svc/contract'

/** Name of the fact that holds the time since which a negative is doubted. */
export const DOUBTED = 'doubted_since'
/** Name of the fact that says that a look has not yet searched everything. */
export const UNFINISHED = 'unfinished'

/** Tells whether a negative was found and not reported yet, or a look is unfinished, so that another look is soon worth its calls. */
export function isDoubted(keep: Facts): boolean {
  return DOUBTED in keep || UNFINISHED in keep
}

/** Beginning of the name of a fact that says how far the look of one endpoint has come; its number in the config follows. */
const WITNESS = 'witness_'

/** Splits the kept facts of a transaction by endpoint. An endpoint's progress is shown to no other one: a witness looks for itself, and another's search proves nothing to it. */
export function createKept(keep: Facts, progress: readonly string[]) {
  const { [DOUBTED]: doubted, [UNFINISHED]: _unfinished, ...rest } = keep
  const part = (predicate: (name: string) => boolean): Facts => Object.fromEntries(Object.entries(rest).filter(([name]) => predicate(name)))
  const isOfWitness = (name: string) => name.startsWith(WITNESS)
  const shared = part((name) => !isOfWitness(name) && !progress.includes(name))
  const prefixOf = (index: number) => `${WITNESS}${index}_`
  const under = (prefix: string, facts: Facts) =>
    progress.flatMap((name) => (facts[name] === undefined ? [] : [[prefix + name, facts[name]]]))
  return {
    doubted,
    own: part((name) => !isOfWitness(name)),
    witnesses: part(isOfWitness),
    ofWitness(index: number): Facts {
      const own = progress.flatMap((name) => {
        const value = rest[prefixOf(index) + name]
        return value === undefined ? [] : [[name, value]]
      })
      return { ...shared, ...Object.fromEntries(own) }
    },
    /** What another endpoint than failover's keeps, with how far failover's own has come. */
    besideOwn(keep: Facts): Facts {
      const own = progress.flatMap((name) => (rest[name] === undefined ? [] : [[name, rest[name]]]))
      return { ...Object.fromEntries(Object.entries(keep).filter(([name]) => !progress.includes(name))), ...Object.fromEntries(own) }
    },
    /** @param keeps of each endpoint, in the order of the config; null of one that is silent */
    progressOf: (keeps: readonly (Facts | null)[]): Facts =>
      Object.fromEntries(keeps.flatMap((each, index) => (each === null ? [] : under(prefixOf(index), each)))),
  }
}
