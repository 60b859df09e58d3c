import t from 'tap'
import { layOut, moved, scrollTo, seen } from '../src/parts/table/table-layout.ts'

const heights = { row: 36, heading: 33 }

t.test('of 10,000 rows those are drawn that are seen', async (t) => {
  const layout = layOut(
    Array.from({ length: 10_000 }, (_, index) => index),
    heights,
    undefined,
  )
  t.equal(layout.tops.at(-1), 360_000)
  t.same(seen(layout, 0, 720), [0, 29])
  t.same(seen(layout, 180_000, 180_720), [4992, 5029])
  t.same(seen(layout, 359_280, 360_000), [9972, 10_000])
  t.same(seen(layOut([], heights, undefined), 0, 720), [0, 0])
})

t.test('a heading stands where its text changes', async (t) => {
  const { items, tops, places } = layOut(['Mon 1', 'Mon 2', 'Tue 1'], heights, (row) => row.slice(0, 3))
  t.same(
    items.map((item) => (item.kind === 'row' ? item.row : item.text)),
    ['Mon', 'Mon 1', 'Mon 2', 'Tue', 'Tue 1'],
  )
  t.same(tops, [0, 33, 69, 105, 138, 174])
  t.same(places, [1, 2, 4])
})

t.test('a row that is gone to is scrolled to, when it is not seen whole', async (t) => {
  const layout = layOut(
    Array.from({ length: 100 }, (_, index) => index),
    heights,
    undefined,
  )
  const view = { top: 360, height: 396, head: 36 }
  t.equal(scrollTo(layout, 12, view), null)
  t.equal(scrollTo(layout, 9, view), 324)
  t.equal(scrollTo(layout, 20, view), 396)
})

t.test('keys move within the rows', async (t) => {
  t.equal(moved('j', -1, 10, 5), 0)
  t.equal(moved('ArrowUp', 0, 10, 5), 0)
  t.equal(moved('PageDown', 7, 10, 5), 9)
  t.equal(moved('End', 2, 10, 5), 9)
  t.equal(moved('Home', 7, 10, 5), 0)
  t.equal(moved('x', 2, 10, 5), null)
  t.equal(moved('j', -1, 0, 5), null)
})
