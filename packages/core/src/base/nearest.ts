/** Longest word that is compared: a comparison takes time with the square of it. */
const LONGEST = 60

/**
 * Finds the word that was probably meant: the one with the fewest letters to change, where they are at most a third of it.
 *
 * @returns undefined when none is near
 */
export function nearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined
  const [best] = words
    .map((each) => ({ each, steps: distance(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, steps }) => steps <= Math.max(1, Math.floor(each.length / 3)))
    .sort((a, b) => a.steps - b.steps)
  return best?.each
}

/** Counts the letters to insert, to leave out or to replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  let last = to.length
  for (let i = 0; i < from.length; i++) {
    // Along the row: `above` is of one letter less of \`from\`, `before` of one less of both, `last` of one less of \`to\`.
    let [before = 0] = row
    last = i + 1
    const next = [last]
    for (const [j, above] of row.slice(1).entries()) {
      last = Math.min(last + 1, above + 1, before + (from[i] === to[j] ? 0 : 1))
      before = above
      next.push(last)
    }
    row = next
  }
  return last
}
