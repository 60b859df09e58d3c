/** Calls that are under way at once to one endpoint: 1,600 objects, fifty in each, are one wave; whoever is given more than that by others floods nobody. */
export const AT_ONCE = 32

/** Does the same work for each of many items, a few at a time. @returns in their order */
export async function fewAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))))
  return results
}
