import t from 'tap'
import { partsOf } from '../bench/reload/steady.ts'

t.test('a killed process explains cut connections, one for each caller, and nothing else', async (t) => {
  t.same(partsOf({}, 12, true), { cut: 0, turnedAway: 0, otherwise: 0 })
  t.same(partsOf({ ECONNRESET: 7, EPIPE: 1, 'in the answer ECONNRESET': 2 }, 12, true), { cut: 10, turnedAway: 0, otherwise: 0 })
  t.same(partsOf({ ECONNRESET: 14 }, 12, true), { cut: 12, turnedAway: 0, otherwise: 2 })
  t.same(partsOf({ ECONNREFUSED: 1, '503': 2, 'no answer': 3, ECONNRESET: 4 }, 12, true), { cut: 4, turnedAway: 0, otherwise: 6 })
  t.same(partsOf({ ECONNRESET: 1 }, 0, true), { cut: 0, turnedAway: 0, otherwise: 1 }, 'where none was killed nothing is explained')
})

t.test('where no other process serves it explains refused connections too, and those that waited to be taken', async (t) => {
  t.same(partsOf({ ECONNRESET: 30, ECONNREFUSED: 900, '503': 1 }, 12, false), { cut: 24, turnedAway: 900, otherwise: 7 })
})
