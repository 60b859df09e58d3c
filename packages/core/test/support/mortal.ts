import type { Store } from '../../src/index.ts'

/** Makes a store whose statements fail from a moment on, as those of a process that is killed do: what it had begun is undone by the database. */
export function mortal(real: Store) {
  let left = Number.POSITIVE_INFINITY
  const alive = () => {
    if (left-- <= 0) throw new Error('killed')
  }
  const store: Store = {
    ...real,
    run: (work, options) => {
      alive()
      return real.run(work, options)
    },
    transact: (work, options) =>
      real.transact(function* (database) {
        const steps = work(database)
        // Each statement of a transaction may be the one that is never made.
        for (let step = steps.next(); ; ) {
          if (step.done) return step.value
          alive()
          step = steps.next(yield step.value)
        }
      }, options),
  }
  return {
    store,
    /** Lets so many more statements pass. */
    kill: (statements: number) => {
      left = statements
    },
    revive: () => {
      left = Number.POSITIVE_INFINITY
    },
  }
}

/** Draws numbers that look random, and are the same in every run. */
export function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return Math.floor((state / 0x8000_0000) * below)
  }
}
