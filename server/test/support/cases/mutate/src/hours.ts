/** Whether a shop is open at an hour. */
export function isOpen(hour: number): boolean {
  return hour >= 8
}

/** A change of it is seen by nobody. */
export function isShut(hour: number): boolean {
  return !isOpen(hour)
}
