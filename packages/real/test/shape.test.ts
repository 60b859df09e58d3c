import t from 'tap'
import { shapeOf } from '../src/shape.ts'

t.test('heights, hashes and times are no difference; members, emptiness, types, codes and texts are', async (t) => {
  const answer = { height: '12', hash: 'AB', code: 5, log: 'height 12 is too high', data: null, list: [{ a: 1 }, { a: 2 }] }
  const same = { ...answer, height: '13', hash: 'CD', log: 'height 13 is too high', list: [{ a: 3 }] }
  t.equal(shapeOf(same), shapeOf(answer))
  for (const other of [
    { ...answer, height: 12 },
    { ...answer, hash: '' },
    { ...answer, data: '' },
    { ...answer, code: 6 },
    { ...answer, log: 'height 12 is too low' },
    { ...answer, list: [] },
    { ...answer, list: [{ a: 1 }, { b: 1 }] },
    { ...answer, more: 1 },
  ])
    t.not(shapeOf(other), shapeOf(answer), JSON.stringify(other))
})
