/** A row of a table, or the heading above some. */
type Item<T> = { readonly kind: 'row'; readonly row: T; readonly index: number } | { readonly kind: 'heading'; readonly text: string }

/** Layout of a table: where each item begins, in pixels from the top, and where the last ends. */
interface Layout<T> {
  readonly items: readonly Item<T>[]
  /** One more than there are items. */
  readonly tops: readonly number[]
  /** Place of each row among the items. */
  readonly places: readonly number[]
}

/** Lays rows out below each other, with a heading wherever its text changes; null is no heading. */
export function layOut<T>(
  rows: readonly T[],
  heights: { readonly row: number; readonly heading: number },
  headingOf: ((row: T) => string | null) | undefined,
): Layout<T> {
  const items: Item<T>[] = []
  const tops = [0]
  const places: number[] = []
  let end = 0
  let last: string | null = null
  const add = (item: Item<T>, height: number) => {
    items.push(item)
    end += height
    tops.push(end)
  }
  rows.forEach((row, index) => {
    const text = headingOf?.(row) ?? null
    if (text !== null && text !== last) add({ kind: 'heading', text }, heights.heading)
    last = text
    places.push(items.length)
    add({ kind: 'row', row, index }, heights.row)
  })
  return { items, tops, places }
}

/** Items that are seen between two heights, with some beyond. @returns the first, and the one after the last */
export function seen(
  { tops }: Pick<Layout<unknown>, 'tops'>,
  top: number,
  bottom: number,
  beyond = 8,
): readonly [from: number, to: number] {
  const most = tops.length - 1
  return [Math.max(0, placeOf(tops, top) - beyond), Math.min(most, placeOf(tops, bottom) + 1 + beyond)]
}

/** Returns the distance to scroll so that an item is seen whole; null when it is. `head` pixels at the top are covered. */
export function scrollTo(
  { tops }: Pick<Layout<unknown>, 'tops'>,
  place: number,
  { top, height, head }: { readonly top: number; readonly height: number; readonly head: number },
): number | null {
  const begins = tops[place] ?? 0
  const ends = tops[place + 1] ?? begins
  if (begins < top) return begins
  return ends > top + height - head ? ends - height + head : null
}

/** The last that begins at or above a height. */
function placeOf(tops: readonly number[], at: number): number {
  let low = 0
  let high = tops.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((tops[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Finds the row that a key goes to from another (-1: none yet), or null for a key that moves nothing. `page` is how many rows are seen at once. */
export function moved(key: string, from: number, count: number, page: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    j: 1,
    ArrowUp: -1,
    k: -1,
    PageDown: page,
    PageUp: -page,
    Home: -count,
    End: count,
  }
  const step = steps[key]
  if (step === undefined || count === 0) return null
  return Math.max(0, Math.min(count - 1, from + step))
}
