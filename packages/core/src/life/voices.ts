/** Number of endpoints that have to agree on a change that no followed transaction explains, where so many are configured. */
export const VOICES = 2

/** Finds what enough endpoints say alike. @returns all of them, first those of the usual name; null: no two say the same */
export function agreeing<T>(words: readonly T[], nameOf: (word: T) => string, usual: string): readonly [T, ...T[]] | null {
  const groups = Map.groupBy(words, nameOf)
  const [majority] = [groups.get(usual) ?? [], ...groups.values()].filter(({ length }) => length >= VOICES)
  const [first, ...others] = majority ?? []
  return first === undefined ? null : [first, ...others]
}
