import t from 'tap'
import type { PositionDay } from '../src/api/positions.ts'
import type { StatementEntry } from '../src/api/statements.ts'
import { barsOf, stackOf, stepOf } from '../src/pages/positions/drawing.ts'
import { captionOf, countDays, dayText, historyOf, lastRead, totalOf } from '../src/pages/positions/history.ts'
import { directionOf, filtered, filterOf, operationsOf, placeText, signedOf } from '../src/pages/positions/operations.ts'
import { firstDay, placeOf, rangeOf } from '../src/pages/positions/place.ts'
import { openAmountOf, shareOf, verdictOf } from '../src/pages/positions/verdict.ts'
import { decimalText, placesOf, unitsOf } from '../src/text/decimal.ts'
import { walletOf } from './support/wallet.ts'

const BUCKETS = [
  { name: 'stake', kind: 'principal', role: 'earning' },
  { name: 'exit', kind: 'principal', role: 'leaving' },
  { name: 'shares', kind: 'principal', role: 'units' },
] as const
const bucket = (name: string, amount: string) => ({ bucket: name, amount, amount_base: '0' })
const day = (number: number, changes: Partial<PositionDay> = {}): PositionDay => ({
  day: `2026-11-${String(number).padStart(2, '0')}`,
  buckets: [bucket('stake', '100'), bucket('exit:7', '20.5'), bucket('exit:8', '0.000000000000000001'), bucket('shares', '999')],
  earned: '1.5',
  complete: true,
  unexplained: '0',
  slashed: '0',
  ...changes,
})
const NOT_READ = { buckets: null, earned: null, complete: false }

t.test('decimal text is read and written exactly', async (t) => {
  t.equal(placesOf(['1', null, '0.000000000000000001', '2.5']), 18)
  t.equal(unitsOf('377402.114518310774520116', 18), 377402114518310774520116n)
  t.equal(unitsOf('-0.5', 2), -50n)
  t.equal(unitsOf('0.001', 2), null, 'no digit is dropped')
  t.equal(unitsOf('1e5', 2), null)
  t.equal(unitsOf(null, 2), null)
  t.equal(decimalText(-50n, 2), '-0.5')
  t.equal(decimalText(1n, 18), '0.000000000000000001')
  t.equal(decimalText(1400n, 2), '14')
  t.equal(decimalText(7n, 0), '7')
})

t.test('a history has the parts that the protocol has, in the order of life, and no units of shares', async (t) => {
  const history = historyOf({ days: [day(1), day(2, NOT_READ), day(3)], buckets: BUCKETS }, '2026-11-03')
  t.same(history.roles, ['earning', 'leaving'])
  t.equal(history.places, 19)
  const total = totalOf(history.days[0] ?? { amounts: null })
  t.equal(decimalText(total ?? 0n, history.places), '120.500000000000000001', 'two exits are one part, to the last digit')
  t.equal(totalOf(history.days[1] ?? { amounts: [] }), null, 'what was not read is no zero')
  t.equal(lastRead(history)?.day, '2026-11-03')
  t.same(countDays(history), { all: 3, missing: 1, complete: 2, unexplained: 0 })
  const today = historyOf({ days: [day(1), day(2, NOT_READ)], buckets: BUCKETS }, '2026-11-02')
  t.equal(today.days.length, 1, 'today is not missing while it lasts')
  t.equal(shareOf(history), '82.98')
  t.equal(shareOf(historyOf({ days: [day(1, { buckets: [] })], buckets: BUCKETS }, '2026-11-02')), null)
})

t.test('a history is said in a sentence, and so is each of its days', async (t) => {
  const more = [bucket('stake', '400')]
  const history = historyOf(
    { days: [day(1), day(2, { buckets: more }), day(3, NOT_READ), day(4, { unexplained: '0.25', slashed: '1' })], buckets: BUCKETS },
    '2026-11-05',
  )
  const write = (text: string) => text.slice(-2)
  t.equal(captionOf(history, 'MON', write), '4 days: from 120 to 120 MON; most 400 on 02; 1 day not read; 1 day with something unexplained')
  const level = historyOf({ days: [day(1), day(2)], buckets: BUCKETS }, '2026-11-05')
  t.match(captionOf(level, 'MON', write), /most 120 on 01; each was read; all explained$/, 'the first of several')
  t.equal(captionOf(historyOf({ days: [], buckets: BUCKETS }, '2026-11-05'), 'MON', write), null)
  const [first, , third, fourth] = history.days
  t.ok(first && third && fourth)
  if (!first || !third || !fourth) return
  t.equal(dayText(history, first, write), '01: earning 100, leaving 20.500000000000000001, rewards 1.5')
  t.equal(dayText(history, third, write), '03: not read')
  t.match(dayText(history, fourth, write), /rewards 1\.5, unexplained 0\.25, slashed 1$/)
})

t.test('a scale has three steps of round numbers', async (t) => {
  const step = (text: string) => decimalText(stepOf(unitsOf(text, 19) ?? 0n), 19)
  t.same(['428000', '79', '0.0712', '1', '450000', '450000.1', '0'].map(step).slice(0, 6), [
    '150000',
    '30',
    '0.025',
    '0.4',
    '150000',
    '200000',
  ])
  t.equal(stepOf(75n, 1n), 80n)
})

t.test('a stack is drawn in steps, with nothing through what was not read', async (t) => {
  const days = [day(1, { buckets: [bucket('stake', '100')] }), day(2), day(3, NOT_READ), day(4, { buckets: [bucket('stake', '50')] })]
  const drawing = stackOf(historyOf({ days, buckets: BUCKETS }, '2026-11-05'), 400, 150)
  t.equal(decimalText(drawing.step, 19), '50', 'the top is 150')
  const [earning, leaving] = drawing.bands
  t.equal(earning?.edge, 'M0 50H100V50H200M300 100H400', 'two runs, each level')
  t.equal(earning?.area, 'M0 150V50H100V50H200V150H100V150H0ZM300 150V100H400V150H300Z')
  t.equal(leaving?.edge, 'M100 29.5H200', 'on top of what earns, and only where there is some')
  t.same(drawing.gaps, [{ x: 200, width: 100 }])
})

t.test('bars are of days that have ended, and a loss hangs below the ground', async (t) => {
  const days = [
    day(1, { earned: '80' }),
    day(2, { earned: '40' }),
    day(3, { earned: '60', slashed: '5' }),
    day(4, NOT_READ),
    day(5, { earned: '1' }),
  ]
  const { bars, gaps, top } = barsOf(historyOf({ days, buckets: BUCKETS }, '2026-11-05'), '2026-11-05', 500, 54)
  t.equal(decimalText(top, 19), '80')
  t.same(
    bars.map(({ day: of, y, height, look }) => [of.slice(-2), y, height, look]),
    [
      ['01', 0, 54, 'earned'],
      ['02', 27, 27, 'earned'],
      ['03', 54, 10, 'loss'],
    ],
    'today has none yet',
  )
  t.same(gaps, [{ x: 300, width: 100 }])
  const first = barsOf(historyOf({ days: [day(1, { earned: null })], buckets: BUCKETS }, '2026-11-05'), '2026-11-05', 500, 54)
  t.same([first.bars, first.gaps], [[], []], 'the first day of a book has nothing before it, and was read')
})

t.test('a book’s verdict is the worst that is known of it', async (t) => {
  const counts = { all: 60, missing: 2, complete: 57, unexplained: 0 }
  const book = { opened_at: '2026-03-14T09:30:00.000Z', complete: true, unexplained: '0' }
  t.same(verdictOf({ book }, counts), { word: 'Adds up', look: 'ok', note: '2 days not read, 57 of 60 days whole' })
  t.equal(verdictOf({ book: { ...book, complete: false } }, { ...counts, missing: 0 }).look, 'warn')
  t.equal(verdictOf({ book: { ...book, unexplained: '0.000000000000000001' } }, counts).look, 'bad', 'to the last digit')
  t.equal(verdictOf({ book: { ...book, unexplained: '0.000' } }, counts).look, 'ok')
  t.equal(
    verdictOf({ book }, { ...counts, unexplained: 1 }).look,
    'bad',
    'also what is longer ago than the 30 days of which the book says it',
  )
  const days = [day(1, { unexplained: '0.25' }), day(2), day(3, { unexplained: '0.5' })]
  t.equal(openAmountOf({ book }, historyOf({ days, buckets: BUCKETS }, '2026-11-05')), '0.75')
  t.equal(openAmountOf({ book: { ...book, unexplained: '2' } }, historyOf({ days: [day(1)], buckets: BUCKETS }, '2026-11-05')), '2')
  t.equal(verdictOf({ book: null }, counts).word, 'No book yet')
})

t.test('operations are newest first, with what was taken back above its correction, and days not read as lines', async (t) => {
  const { detail, entries } = walletOf({ now: new Date('2026-11-22T12:14:00.000Z') })
  const rows = operationsOf(entries, detail.days)
  t.equal(rows.length, entries.length + 1, 'nothing is left out')
  const gap = rows.findIndex(({ kind }) => kind === 'gap')
  t.match(rows[gap], { from: '2026-11-05', to: '2026-11-06', days: 2 })
  const timeAt = (index: number) => (rows[index] as { readonly entry: StatementEntry }).entry.time ?? ''
  t.ok(timeAt(gap - 1) > '2026-11-07' && timeAt(gap + 1) < '2026-11-05', 'where it belongs')
  const unfinished = operationsOf([], [day(1), day(2, NOT_READ)])
  t.same(unfinished, [], 'today is no gap')
  const wrong = rows.findIndex((row) => row.kind === 'entry' && row.entry.superseded)
  const below = rows[wrong + 1]
  t.equal(below?.kind === 'entry' && below.entry.corrects, rows[wrong]?.id)
  t.same(filtered(rows, 'unexplained').length, 1)
  t.same(filtered(rows, 'gaps').length, 1)
  t.equal(filtered(rows, null), rows)
  const parts = (['unexplained', 'gaps', 'rewards', 'flows', 'slashes'] as const).map((filter) => filtered(rows, filter).length)
  t.equal(
    parts.reduce((sum, each) => sum + each, 0),
    rows.length,
    'each row is of one filter',
  )
  const [first] = entries
  t.ok(first)
  if (first) t.equal(filterOf({ kind: 'entry', id: '', entry: { ...first, kind: 'slash' } }), 'slashes')
})

t.test('an amount has a sign where the whole position changes', async (t) => {
  const of = (from: string, to: string, amount = '5') => signedOf(amount, directionOf({ from, to }))
  t.equal(of('wallet', 'pending'), '5')
  t.equal(of('exit:7', 'wallet'), '-5')
  t.equal(of('exit:7', 'wallet', '-5'), '5', 'what is taken back has come back')
  t.equal(of('stake', 'exit:7'), '5')
  t.same(
    [
      directionOf({ from: 'wallet', to: 'stake' }),
      directionOf({ from: 'stake', to: 'exit:7' }),
      directionOf({ from: 'chain', to: 'wallet' }),
    ],
    [1, 0, 0],
  )
  t.equal(placeText('exit:7', BUCKETS), 'leaving 7')
  t.equal(placeText('shares', BUCKETS), 'shares', 'units are named for what they are')
  const many = [...BUCKETS, { name: 'foreign', kind: 'accrual', role: 'foreign' } as const]
  t.equal(placeText('foreign:denom:uother', many), 'foreign denom:uother')
  t.equal(placeText(`foreign:denom:${'x'.repeat(300)}end`, many), 'foreign denom:xxxxxxxx…xxxend', 'a long name has its two ends')
  t.equal(placeText('unknown', BUCKETS), 'nothing known')
  t.equal(placeText('new_part', BUCKETS), 'new part')
  const twice = [...BUCKETS, { name: 'exit_liquid', kind: 'principal', role: 'leaving' } as const]
  t.equal(placeText('exit_liquid', twice), 'exit liquid', 'two of a part are told apart')
})

t.test('a wallet has an address of its own', async (t) => {
  t.equal(placeOf([]), null)
  t.equal(placeOf(['evm-three', '143']), null)
  t.same(placeOf(['evm-three', '143', '0x3c']), { protocol: 'evm-three', network: '143', address: '0x3c', account: null })
  t.equal(rangeOf(new URLSearchParams('days=30')), '30')
  t.equal(rangeOf(new URLSearchParams('days=31')), '60')
  t.equal(firstDay(60, Date.parse('2026-11-22T00:30:00.000Z')), '2026-09-24')
})
