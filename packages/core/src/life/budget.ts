/** Limit on how often something may be done. */
export interface Budget {
  /** Takes up to `most` pieces of work from the budget. @returns how many of them may be done now */
  take(most: number): number
  /** Returns how many pieces of work may be done now, and takes none. */
  left(): number
  /** Gives back pieces of work that were taken and not done. */
  giveBack(count: number): void
}

/**
 * Makes a budget of so many acts in a time, given out evenly; what is not used is saved up to the whole.
 *
 * @param count most acts in `everyMs` milliseconds
 * @param first acts that may be done at the start
 */
export function createBudget(count: number, everyMs: number, now: () => Date, first = count): Budget {
  let saved = first
  let at = now().getTime()
  function left(): number {
    const time = now().getTime()
    saved = Math.min(count, saved + (Math.max(0, time - at) * count) / everyMs)
    at = time
    return Math.floor(saved)
  }
  return {
    take(most) {
      const slots = Math.max(0, Math.min(most, left()))
      saved -= slots
      return slots
    },
    left,
    giveBack(amount) {
      // What is more than the whole is cut off when it is looked at.
      saved += amount
    },
  }
}
