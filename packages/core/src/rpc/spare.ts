/** Budget for additional calls, beside those that callers asked for: a tenth of the readings. */
interface Spare {
  /** Notes a reading, which adds a tenth of a call to the budget. */
  earn(): void
  /**
   * Takes a call from the budget.
   *
   * @param left calls that have to be left for others @default 0
   * @returns false when it is used up so far
   */
  take(left?: number): boolean
}

/**
 * Readings that earn a call, so that a tenth of them may be asked of a second endpoint as well. With one answer in twenty that is late, a twentieth would not do: those that are sent
 * in vain come on top (measured 2026-11-23: 5.6 in 100).
 */
const READINGS = 10
/** Most calls that the budget can hold. */
const MOST = 20

/** Makes the budget of additional readings for one group of endpoints, full at first. */
export function createSpare(): Spare {
  // In whole numbers: ten tenths of a double are less than one.
  let readings = MOST * READINGS
  return {
    earn() {
      readings = Math.min(MOST * READINGS, readings + 1)
    },
    take(left = 0) {
      if (readings < READINGS * (left + 1)) return false
      readings -= READINGS
      return true
    },
  }
}
