import type { Status } from '@svc/contract'
import fc from 'fast-check'
import t from 'tap'
import { lookOfText, textOfLook } from '../../src/life/look-text.ts'
import { lookAfter } from '../../src/life/schedule.ts'
import { advance, isEnd, type Known, type Step } from '../../src/life/transition.ts'
import type { Look } from '../../src/plugins/life/follow.ts'

const START: Known = {
  status: 'unknown',
  finality: 'none',
  certainty: 'likely',
  look: null,
  steps: 0,
  doubtedAt: null,
  ended: false,
  dropped: 0,
  differed: false,
}
const STATUSES: readonly Status[] = ['unknown', 'pending', 'included', 'final', 'failed', 'replaced', 'expired']
const ENDS = new Set(['transaction.final', 'transaction.failed', 'transaction.replaced', 'transaction.expired'])

const height = fc.bigInt({ min: 90n, max: 93n })
const time = fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
/** What any node may say, true or not. */
const look: fc.Arbitrary<Look> = fc
  .record({
    status: fc.constantFrom(...STATUSES),
    isFinal: fc.boolean(),
    certainty: fc.constantFrom('proven' as const, 'likely' as const),
    block: fc.record({ height: fc.option(height), hash: fc.option(fc.constantFrom('x', 'y')), time: fc.option(time) }),
    fee: fc.option(fc.bigInt()),
    lookedAt: fc.option(height),
    keep: fc.dictionary(fc.string(), fc.string()),
    moved: fc.option(
      fc.record({
        moves: fc.array(fc.record({ kind: fc.constant('staked' as const), asset: fc.string(), amount: fc.option(fc.bigInt()) })),
        objectIds: fc.array(fc.string()),
      }),
    ),
    replacedBy: fc.option(fc.string()),
    validUntil: fc.option(fc.record({ kind: fc.constant('nonce' as const), value: fc.option(fc.string()), estimatedAt: fc.option(time) })),
  })
  .map(({ status, isFinal, block, ...rest }): Look => {
    const placed = status === 'included' || status === 'final' || status === 'failed'
    const finality = status === 'final' ? 'final' : status === 'failed' && isFinal ? 'final' : placed ? 'included' : 'none'
    return { ...rest, status, finality, block: placed ? block : null, error: null }
  })

t.test('whatever nodes say, a state moves forward alone, or back by a reorganisation, and ends once', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(look, fc.integer({ min: 0, max: 20_000 })), { maxLength: 30 }), (looks) => {
      let known = START
      let now = 0
      const steps: Step[] = []
      for (const [each, ms] of looks) {
        now += ms
        const made = advance(known, each, new Date(now))
        steps.push(...made.steps)
        if (known.ended && (made.steps.length > 0 || made.status !== known.status || made.look !== known.look)) return false
        const last = made.steps.at(-1)
        if (last && (last.status !== made.status || last.finality !== made.finality)) return false
        if (made.steps.length === 0 && (made.status !== known.status || made.finality !== known.finality)) return false
        known = { ...made, steps: known.steps + made.steps.length, dropped: 0, differed: false }
        if (known.ended !== isEnd(known)) return false
      }
      const order = ['unknown', 'pending', 'included']
      return steps.every((step, index) => {
        const before = steps[index - 1]
        if (step.step !== index + 1) return false
        if (before?.event && ENDS.has(before.event)) return false
        const back = before && order.indexOf(step.status) >= 0 && order.indexOf(step.status) < order.indexOf(before.status)
        // Only from a block, and then it is told, unless nobody was told that it was in one.
        return !back || (before.status === 'included' && step.event === 'transaction.reorged') || before.status === 'failed'
      })
    }),
    { numRuns: 2_000 },
  )
  t.pass()
})

t.test('included is told before it is told that it is no more, and each but once in between', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(look, fc.integer({ min: 0, max: 20_000 })), { maxLength: 30 }), (looks) => {
      let known = START
      let now = 0
      const told: string[] = []
      for (const [each, ms] of looks) {
        now += ms
        const made = advance(known, each, new Date(now))
        told.push(...made.steps.flatMap(({ event }) => (event === null ? [] : [event])))
        known = { ...made, steps: known.steps + made.steps.length, dropped: 0, differed: false }
      }
      return !told.some((event, index) => {
        const before = told.slice(0, index).filter((type) => type === 'transaction.included' || type === 'transaction.reorged')
        if (event === 'transaction.reorged') return before.at(-1) !== 'transaction.included'
        return event === 'transaction.included' && before.at(-1) === 'transaction.included'
      })
    }),
    { numRuns: 2_000 },
  )
  t.pass()
})

t.test('one that comes to another block was pending in between, and that is told before it is told to be there', (t) => {
  const found = (hash: string): Look => ({
    ...{ status: 'included', finality: 'included', certainty: 'proven', block: { height: 90n, hash, time: null }, lookedAt: 99n },
    ...{ fee: 1n, error: null, replacedBy: null, validUntil: null, keep: {}, moved: null },
  })
  const at = (seconds: number) => new Date(seconds * 1_000)
  const known = (made: ReturnType<typeof advance>): Known => ({ ...made, steps: made.steps.length, dropped: 0, differed: false })
  const first = known(advance(START, found('x'), at(0)))
  const doubted = advance(first, found('y'), at(1))
  t.same([doubted.status, doubted.certainty, doubted.steps], ['included', 'likely', []], 'at first that is one node that is behind')
  const { steps, status } = advance({ ...known(doubted), steps: 1 }, found('y'), at(6))
  t.equal(status, 'included')
  t.match(steps, [
    { step: 2, status: 'pending', finality: 'none', block: null, event: 'transaction.reorged' },
    { step: 3, status: 'included', finality: 'included', block: { height: '90', hash: 'y' }, event: 'transaction.included' },
  ])
  t.end()
})

t.test('a look is kept exactly', async (t) => {
  const units = { caip2: 'paper:1', decimals: 18, symbol: null }
  fc.assert(
    fc.property(look, (given) => {
      // Texts that no database takes are mended where they are written, and are of no node.
      const text = textOfLook({ look: given, units })
      t.equal(textOfLook(lookOfText(text)), text)
      const { fee, lookedAt, block, moved } = lookOfText(text).look
      return (
        fee === given.fee &&
        lookedAt === given.lookedAt &&
        block?.height === given.block?.height &&
        block?.time?.getTime() === given.block?.time?.getTime() &&
        (moved?.moves.every(({ amount }, index) => amount === given.moved?.moves[index]?.amount) ?? given.moved === null)
      )
    }),
    { numRuns: 200 },
  )
})

t.test('looks come further apart, and soon after an end that is expected', async (t) => {
  const after = (looks: number, ageMs = 0, endsInMs: number | null = null) => lookAfter({ looks, ageMs, endsInMs }, 2_000)
  t.same(
    [1, 2, 3, 4, 5, 6, 7, 99].map((looks) => after(looks)),
    [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000],
  )
  t.equal(after(9, 86_400_000), 3_600_000)
  t.equal(after(9, 7 * 86_400_000), 86_400_000)
  t.equal(after(9, 0, 10_000), 12_000)
  t.equal(after(9, 0, 59_500), 60_000)
  t.equal(after(9, 0, -5), 60_000)
})

const WAITS: Look = {
  ...{ status: 'pending', finality: 'none', certainty: 'likely', block: null, fee: null, moved: null, error: null, replacedBy: null },
  ...{ validUntil: null, lookedAt: 9n, keep: {} },
}

t.test('that no node holds it is told when that begins, five times at most, and changes no state', async (t) => {
  const waits = WAITS
  const dropped: Look = { ...waits, error: { code: 'NOT_HELD', reason: 'No node holds it.' } }
  let known: Known = { ...START, status: 'pending' }
  const see = (look: Look) => {
    const made = advance(known, look, new Date(0))
    known = {
      ...made,
      steps: known.steps + made.steps.length,
      differed: false,
      dropped: known.dropped + made.steps.filter(({ event }) => event === 'transaction.not_held').length,
    }
    return made.steps.map(({ step, status, event }) => [step, status, event])
  }
  t.same(see(waits), [])
  t.same(see(dropped), [[1, 'pending', 'transaction.not_held']])
  t.same(see(dropped), [], 'as long as it lasts, once')
  for (const step of [2, 3, 4, 5]) {
    t.same(see(waits), [], 'a node holds it again')
    t.same(see(dropped), [[step, 'pending', 'transaction.not_held']])
  }
  see(waits)
  t.same(see(dropped), [], 'nodes that take it and drop it each minute are no news any more')
  t.same(see({ ...dropped, error: { code: 'REFUSED', reason: 'No.' } }), [])
  const unknown: Known = { ...START }
  t.same(
    advance(unknown, dropped, new Date(0)).steps.map(({ step, event }) => [step, event]),
    [
      [1, null],
      [2, 'transaction.not_held'],
    ],
    'after the state that comes with it',
  )
  const ended: Known = {
    ...known,
    status: 'expired',
    certainty: 'proven',
    ended: true,
    look: { ...waits, status: 'expired' },
    dropped: 0,
    differed: false,
  }
  t.same(advance(ended, dropped, new Date(0)).steps, [])
})

t.test('that one endpoint shows something else than was promised is told once, and of nothing that has ended', async (t) => {
  const error = { code: 'PROMISE_NOT_SEEN', reason: 'One endpoint alone says so.' }
  const block = { height: 90n, hash: 'x', time: null }
  const doubted: Look = { ...WAITS, status: 'included', finality: 'included', certainty: 'likely', block, error }
  const first = advance(START, doubted, new Date(0))
  const told = ({ steps }: { steps: readonly Step[] }) => steps.map(({ step, status, event }) => [step, status, event])
  t.same(told(first), [
    [1, 'included', 'transaction.included'],
    [2, 'included', 'transaction.amounts_differ'],
  ])
  t.equal(first.ended, false)
  const known: Known = { ...first, steps: 2, dropped: 0, differed: true }
  t.same(told(advance(known, doubted, new Date(0))), [], 'once')
  t.same(told(advance({ ...known, differed: false, look: { ...doubted, error: null } }, doubted, new Date(0))), [
    [3, 'included', 'transaction.amounts_differ'],
  ])
  t.same(
    told(advance({ ...known, differed: false }, { ...doubted, error: null }, new Date(0))),
    [],
    'another endpoint shows what was promised',
  )
  const final: Look = { ...doubted, status: 'final', finality: 'final', certainty: 'proven', error: null }
  t.same(told(advance(known, final, new Date(0))), [[3, 'final', 'transaction.final']])
  t.same(told(advance({ ...known, ended: true, differed: false }, doubted, new Date(0))), [])
})
