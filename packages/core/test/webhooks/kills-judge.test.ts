import { type Arrival, judgeKills } from '@svc/testing/kills-judge'
import t from 'tap'

const AT = 1_800_000_000_000
const came = (id: string, ms: number, more: Partial<Arrival> = {}): Arrival => ({
  ...{ id, body: `of ${id}`, at: AT + ms, sentAt: Math.floor((AT + ms) / 1_000), valid: true },
  ...more,
})
const ids = ['a', 'b', 'c', 'd', 'e']
const judge = (arrivals: readonly Arrival[], happened: { deaths?: number[]; timeouts?: number[] } = {}) =>
  judgeKills({
    listed: new Map(ids.map((id) => [id, `of ${id}`])),
    told: new Set(ids),
    arrivals: [...ids.map((id) => came(id, 0)), ...arrivals],
    deaths: (happened.deaths ?? []).map((ms) => AT + ms),
    timeouts: (happened.timeouts ?? []).map((ms) => AT + ms),
    leaseMs: 1_600,
    timeoutMs: 800,
  })

t.test('what comes once, whole and signed is well; what is lost, unwritten or forged is told', async (t) => {
  t.same(judge([]), { events: 5, lost: 0, unwritten: 0, messages: 5, duplicates: 0, afterTimeout: 0, unexplained: 0, forged: 0 })
  const some = { arrivals: [came('a', 0)], deaths: [], timeouts: [], leaseMs: 1, timeoutMs: 1 }
  t.match(judgeKills({ ...some, listed: new Map([['b', '']]), told: new Set(['a', 'b', 'c']) }), { lost: 1, unwritten: 2, forged: 1 })
  t.equal(judge([came('x', 0)]).forged, 1)
  t.equal(judge([came('a', 9_000, { valid: false })]).forged, 1)
})

t.test('a message that comes again has its reason in a kill or a timeout near it, and none else', async (t) => {
  const again = [came('a', 9_000)]
  t.match(judge(again), { duplicates: 1, unexplained: 1 }, 'nothing happened')
  for (const [ms, unexplained] of [
    [-401, 1],
    [-400, 0],
    [2_000, 0],
    [2_001, 1],
  ] as const)
    t.match(judge(again, { deaths: [ms] }), { duplicates: 1, afterTimeout: 0, unexplained }, `a kill at ${ms}`)
  for (const [ms, unexplained] of [
    [-401, 1],
    [-400, 0],
    [1_200, 0],
    [1_201, 1],
  ] as const)
    t.match(judge(again, { timeouts: [ms] }), { duplicates: 1, afterTimeout: 1 - unexplained, unexplained }, `a timeout at ${ms}`)
})

t.test('a kill explains as many as were under way, and a timeout one', async (t) => {
  const all = ids.map((id) => came(id, 9_000))
  t.match(judge(all, { deaths: [100] }), { duplicates: 5, unexplained: 1 })
  t.match(judge(all, { deaths: [100, 200] }), { duplicates: 5, unexplained: 0 })
  t.match(judge(all, { timeouts: [500, 600] }), { duplicates: 5, afterTimeout: 2, unexplained: 3 })
  t.match(judge(all, { deaths: [100], timeouts: [500] }), { duplicates: 5, afterTimeout: 1, unexplained: 0 })
})

t.test('what was sent twice at once is a fault, whatever was killed', async (t) => {
  t.match(judge([came('a', 1_999)], { deaths: [100], timeouts: [500] }), { duplicates: 1, unexplained: 1 })
  t.match(judge([came('a', 2_000)], { deaths: [100] }), { duplicates: 1, unexplained: 0 })
  t.match(
    judge([came('a', 10, { sentAt: AT / 1_000 + 3_600 })], { deaths: [5] }),
    { unexplained: 0 },
    'by a sender whose clock was set forward',
  )
})
