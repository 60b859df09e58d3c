import type { Amounts, Bucket } from '@svc/contract/book'
import t from 'tap'
import { addendOf, intervalsOf, rateOf } from '../../src/ledger/intervals.ts'
import type { BookLine } from '../../src/ledger/read.ts'
import type { BookedEntry } from '../../src/ledger/stored-lines.ts'

/** A share token beside native stake: 100 shares, and what they are worth. */
const BUCKETS: readonly Bucket[] = [
  { name: 'stake', asset: 'native', kind: 'principal', movedBy: [] },
  { name: 'shares', asset: 'gMON', kind: 'principal', movedBy: [] },
  { name: 'value', asset: 'native', kind: 'worth', movedBy: [], units: 'shares' },
  { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: [] },
]
const YEAR_MS = 31_536_000_000

const entry = (kind: BookedEntry['kind'], amount: bigint, from: string, to: string, corrects: string | null = null) =>
  ({ kind, amount, from, to, asset: 'native', corrects }) as BookedEntry

function line(n: number, at: number, closing: Amounts, entries: readonly BookedEntry[] = []): BookLine {
  const mark = { height: BigInt(n), hash: null, time: new Date(at), epoch: null }
  const opening = n === 0 ? null : n - 1
  return { n, mark, closing, opening, entries, isComplete: true, isSuperseded: false, reasons: [], source: 0, bookedAt: new Date(at) }
}

t.test('what a price takes is subtracted from what it has brought, and so is what left unexplained', (t) => {
  const lines = [
    line(0, 0, { shares: 100n, value: 1_000n }),
    line(1, 1_000, { shares: 100n, value: 1_300n }, [
      entry('revaluation', 300n, 'chain', 'value'),
      entry('rounding', 2n, 'chain', 'stake'),
    ]),
    line(2, 2_000, { shares: 100n, value: 1_100n }, [
      entry('revaluation', 200n, 'value', 'chain'),
      entry('unexplained', 7n, 'stake', 'unknown'),
      entry('rounding', 3n, 'stake', 'chain'),
      entry('unexplained', 4n, 'unknown', 'stake', '1-0'),
    ]),
  ]
  const [month] = intervalsOf(lines, 'month')
  t.same(
    month?.sums.map(({ kind, amount }) => `${kind} ${amount}`),
    ['revaluation 100', 'rounding -1', 'unexplained -7'],
  )
  t.end()
})

t.test('an entry whose kind says which way its units went counts as it stands', (t) => {
  t.equal(addendOf(entry('withdrawal', 5n, 'stake', 'wallet')).amount, 5n)
  t.equal(addendOf(entry('slash', 5n, 'stake', 'chain')).amount, 5n)
  t.equal(addendOf(entry('unexplained', 5n, 'unknown', 'stake')).amount, 5n)
  t.equal(addendOf(entry('unexplained', -5n, 'stake', 'unknown')).amount, 5n, 'what takes one back that had left adds')
  t.end()
})

t.test('shares earn by their price: a year of 100 more on a mean of 1,050 is 9.52 percent, and a loss is below zero', (t) => {
  const rate = (opening: Amounts, closing: Amounts, ...entries: readonly BookedEntry[]) => {
    const [interval] = intervalsOf([line(0, 0, opening), line(1, YEAR_MS, closing, entries)], 'month')
    return interval && rateOf(interval, BUCKETS)
  }
  t.equal(rate({ shares: 100n, value: 1_000n }, { shares: 100n, value: 1_100n }, entry('revaluation', 100n, 'chain', 'value')), '9.523809')
  t.equal(rate({ shares: 100n, value: 1_100n }, { shares: 100n, value: 1_000n }, entry('revaluation', 100n, 'value', 'chain')), '-9.523809')
  t.equal(
    rate({ stake: 1_000n }, { stake: 1_000n, rewards: 50n }, entry('reward', 50n, 'chain', 'rewards')),
    '5.000000',
    'rewards that wait are no stake',
  )
  t.equal(rate({ shares: 100n }, { shares: 100n }), null, 'units of another asset are no stake')
  t.end()
})
