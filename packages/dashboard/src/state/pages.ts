/** A part of a list that the service keeps in an order of its own. */
export interface ListPart<T> {
  readonly rows: readonly T[]
  /** Cursor of the next part; null: this is the last one. */
  readonly next: string | null
}

/** Adds a part to the rows at hand; what is there already becomes as it is now, and stays where it is. */
export function withPart<T>(rows: readonly T[], part: readonly T[], idOf: (row: T) => string): readonly T[] {
  const now = new Map(part.map((row) => [idOf(row), row]))
  const ids = new Set(rows.map(idOf))
  return [...rows.map((row) => now.get(idOf(row)) ?? row), ...part.filter((row) => !ids.has(idOf(row)))]
}

/**
 * Puts the first part, read anew, above the rows of a list. Where the list is no longer than that part, it is the list; else what the first part has no more stays further down, as it was,
 * so that no row vanishes because it has moved.
 */
export function withHead<T>(rows: readonly T[], head: readonly T[], idOf: (row: T) => string, isLonger: boolean): readonly T[] {
  if (!isLonger) return head
  const ids = new Set(head.map(idOf))
  return [...head, ...rows.filter((row) => !ids.has(idOf(row)))]
}
