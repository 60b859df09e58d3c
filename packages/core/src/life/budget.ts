/** Limit on how often something may be done. */
export interface Budget {
  /** @returns how many of so many may be done now; they are taken */
  take(most: number): number
  /** Returns how many may be done now; takes none. */
  left(): number
  /** Gives back what was taken and not used. */
  giveBack(count: number): void
}

/**
 * So many in a time, evenly: what was not used of it is saved up to the whole.
 *
 * @param first how many may be done at the start
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
