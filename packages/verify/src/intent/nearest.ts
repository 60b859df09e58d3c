/** Longest name that is compared letter by letter, which takes time with the square of it. */
const LONGEST = 40

/**
 * Suggests the known name that was probably meant by a wrong one, and lists all known names.
 *
 * @returns a phrase for what would be right: `nonce; there are nonce, gasLimit and gasPrice`
 */
export function rightNames(given: string, known: readonly string[]): string {
  if (known.length === 0) return 'nothing: there is none'
  const [near] = known
    .map((name) => ({ name, changes: changesBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, changes }) => changes <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.changes - other.changes)
  const all = known.length === 1 ? known.join('') : `${known.slice(0, -1).join(', ')} and ${known.at(-1)}`
  return near === undefined ? `one of ${all}` : `${near.name}; there ${known.length === 1 ? 'is' : 'are'} ${all}`
}

/** Counts the letters to insert, leave out or replace. */
function changesBetween(from: string, to: string): number {
  if (from.length > LONGEST) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= to.length; j++)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (letter === to[j - 1] ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}
