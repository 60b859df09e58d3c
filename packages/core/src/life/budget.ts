/** Limit on how often something may be done. */
export interface Budget {
  /** Takes up to `most` pieces of work from the budget. @returns how many of them may be done now */
  take(most: number): number
  /** Returns how many pieces of work may be done now, and takes none. */
  left(): number
  /** Gives back pieces of work that were taken and not done. */
  giveBack(count: number): void
}

/** Positions, or books, of a network that are read at once although nothing was expected of them: they share requests, and what is asked of all is asked once. */
export const SWEPT_AT_ONCE = 16

interface BudgetRhythm {
  readonly first?: number
  readonly lot?: number
}

/**
 * Makes a budget of so many acts in a time, given out evenly; what is not used is saved up to the whole.
 *
 * @param count most acts in `everyMs` milliseconds
 * @param first acts that may be done at the start
 * @param lot acts that are saved up before any may be done, so that they are done together; of a smaller count that
 */
export function createBudget(count: number, everyMs: number, now: () => Date, { first = count, lot = 1 }: BudgetRhythm = {}): Budget {
  let saved = Math.min(count, first)
  let at = now().getTime()
  const least = Math.min(count, lot)
  function left(): number {
    const time = now().getTime()
    saved = Math.min(count, saved + (Math.max(0, time - at) * count) / everyMs)
    at = time
    return saved < least ? 0 : Math.floor(saved)
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
