import { countUsers } from '@svc/contract'
import { memoryLog } from '@svc/testing/paper'
import t from 'tap'
import { createKeyStore, memoryRecords } from '../../src/plugins/network/key-store.ts'

/** Twelve users, four a step; `at` is where a step fails. */
function counter() {
  const store = createKeyStore(memoryRecords(), 'place', memoryLog())
  const state = { whole: true, failing: -1, asked: [] as number[] }
  const count = () =>
    countUsers<number>(
      { store, log: memoryLog(), network: { name: 'one', chainId: '1', decimals: 9, maxFee: 1n } },
      {
        key: 'users',
        whole: async () => {
          if (!state.whole) throw new Error('too many')
          return 12
        },
        because: 'they are counted in steps',
        start: 0,
        steps: 2,
        async step(from, counted) {
          state.asked.push(from)
          if (from === state.failing) throw new Error('no answer')
          return { counted: counted + 4, next: from === 8 ? null : from + 4 }
        },
        isPlace: (kept): kept is number => typeof kept === 'number' && kept > 0 && kept < 12,
      },
    )
  return { store, state, count }
}

t.test('users are counted at once where that can be done', async (t) => {
  const { state, count } = counter()
  t.same(await count(), { users: 12, unfinished: false })
  t.same(state.asked, [])
})

t.test('after the second failure they are counted in steps, and the last whole count stays meanwhile', async (t) => {
  const { state, count } = counter()
  await count()
  state.whole = false
  await t.rejects(count(), /too many/, 'one failure may be a passing one')
  t.same(await count(), { users: 12, unfinished: true })
  t.same(await count(), { users: 12, unfinished: false })
  t.same(state.asked, [0, 4, 8])
})

t.test('a step that fails is made again, and those before it are not', async (t) => {
  const { state, count } = counter()
  Object.assign(state, { whole: false, failing: 4 })
  await t.rejects(count())
  await t.rejects(count(), /no answer/)
  state.failing = -1
  t.same(await count(), { users: 12, unfinished: false })
  t.same(state.asked, [0, 4, 4, 8])
})

t.test('what was kept in another form is not gone by', async (t) => {
  for (const kept of [null, 7, 'text', { users: -1, walk: { next: 12, counted: 1 } }, { users: '9', walk: { next: 4, counted: 0.5 } }]) {
    const { store, state, count } = counter()
    await store.put('users', kept)
    state.whole = false
    await t.rejects(count())
    t.same(await count(), { users: null, unfinished: true })
    t.same(state.asked, [0, 4])
  }
})

t.test('above twenty thousand the next count is made in steps', async (t) => {
  const { store, state, count } = counter()
  await store.put('users', { users: 20_001, walk: null, failed: false })
  t.same(await count(), { users: 20_001, unfinished: true })
  t.same(state.asked, [0, 4])
})
