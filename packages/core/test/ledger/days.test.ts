import type { Bucket, EntryKind } from '@svc/contract/book'
import t from 'tap'
import { daysOf, earnedOf } from '../../src/ledger/days.ts'
import type { BookLine } from '../../src/ledger/read.ts'
import { roleOf } from '../../src/ledger/roles.ts'

const DAY = 86_400_000
const START = Date.parse('2026-11-01T12:00:00.000Z')
const MON = 10n ** 18n
const BUCKETS: readonly Bucket[] = [
  { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['deposit', 'exit_requested', 'slash'] },
  { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: ['claim'] },
]

type Move = readonly [kind: EntryKind, amount: bigint, from: string, to: string, asset?: string]

/** A line of a book so many days after it began. */
function line(n: number, day: number, stake: bigint, moves: readonly Move[] = [], more: Partial<BookLine> = {}): BookLine {
  const time = new Date(START + day * DAY)
  return {
    n,
    mark: { height: BigInt(n), hash: null, time, epoch: null },
    closing: { stake },
    opening: n === 0 ? null : n - 1,
    isComplete: true,
    isSuperseded: false,
    reasons: [],
    source: 0,
    bookedAt: time,
    entries: moves.map(([kind, amount, from, to, asset = 'native'], index) => ({
      ...{
        line: n,
        name: String(index),
        kind,
        amount,
        from,
        to,
        asset,
        height: null,
        time,
        tx: null,
        index: null,
        reason: null,
        corrects: null,
      },
      bookedAt: time,
    })),
    ...more,
  }
}

const reward = (amount: bigint): Move => ['reward', amount, 'chain', 'rewards']

t.test('the rate is of the days that are explained whole, each by its stake and its length', async (t) => {
  // 366,000 for 7 days and 426,000 for 21: 1887.031640228114907733 × 365 ÷ (366,000 × 7 + 426,000 × 21).
  const first = [line(0, 0, 366_000n * MON), line(1, 7, 366_000n * MON, [reward(0n)])]
  const second = [line(2, 7.001, 426_000n * MON), line(3, 28.001, 426_000n * MON, [reward(1887_031640228114907733n)])]
  t.match(earnedOf([...first, { ...second[0]!, opening: null }, second[1]!], BUCKETS).rate, /^5\.985/)
  t.equal(earnedOf([line(0, 0, 10n ** 6n), line(1, 30, 10n ** 6n, [['revaluation', 500n, 'stake', 'chain']])], BUCKETS).rate, '-0.608333')
  t.equal(earnedOf([line(0, 0, 0n), line(1, 30, 0n)], BUCKETS).rate, null, 'nothing was staked')
  t.equal(earnedOf([line(0, 0, 10n), line(1, 6, 10n, [reward(1n)])], BUCKETS).rate, null, 'six days say little about a year')
  const gap = { isComplete: false, reasons: ['claims_not_known'] as const }
  const whole = [line(0, 0, 1_000n), line(1, 8, 1_000n, [reward(8n)])]
  const rate = earnedOf(whole, BUCKETS).rate
  t.match(earnedOf([...whole, line(2, 30, 1_000n, [['unexplained', 3n, 'unknown', 'rewards']], gap)], BUCKETS), {
    rate,
    days: 1,
    earned: 8n,
    isComplete: false,
    unexplained: 3n,
    isSlashed: false,
  })
  t.same(earnedOf([line(0, 0, 1n)], BUCKETS), { earned: null, days: 0, rate: null, isComplete: true, unexplained: 0n, isSlashed: false })
})

t.test('stake on its way out or in, which earns nothing, makes no rate smaller', async (t) => {
  const buckets: readonly Bucket[] = [
    { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['activation', 'exit_requested'] },
    { name: 'pending', asset: 'native', kind: 'principal', movedBy: ['deposit', 'activation'] },
    { name: 'exit', asset: 'native', kind: 'principal', movedBy: ['exit_requested', 'withdrawal'] },
    { name: 'queue', asset: 'native', kind: 'worth', units: 'tickets', movedBy: ['exit_requested', 'withdrawal'] },
    { name: 'tickets', asset: 'shares', kind: 'principal', movedBy: ['exit_requested', 'withdrawal'] },
  ]
  const year = (closing: Record<string, bigint>) =>
    earnedOf([line(0, 0, 0n, [], { closing }), line(1, 365, 0n, [['reward', 10n, 'chain', 'wallet']], { closing })], buckets).rate
  t.equal(year({ stake: 100n }), '10.000000')
  t.equal(year({ stake: 100n, pending: 900n, 'exit:7': 500n, tickets: 900n }), '10.000000')
  t.equal(year({ stake: 50n, 'queue:1': 50n }), '10.000000', 'what waits in a queue at a price earns by it')
  t.equal(year({ 'exit:7': 500n }), null)
})

t.test('a day has what its readings show, and nothing is carried over', async (t) => {
  const gap = { isComplete: false, reasons: ['flow_missing'] as const }
  const lines = [
    line(0, 0, 100n),
    line(1, 1, 103n, [reward(3n), ['unexplained', 5n, 'unknown', 'stake'], ['unexplained', 5n, 'stake', 'unknown']], gap),
    line(2, 3, 90n, [reward(1n), ['slash', 13n, 'stake', 'chain']]),
    // Taken back by the one after it, on the same day.
    line(3, 4, 77n, [reward(50n), ['unexplained', 9n, 'unknown', 'stake']], { ...gap, isSuperseded: true }),
    { ...line(4, 4.1, 91n, [reward(2n)]), opening: 2 },
  ]
  const days = daysOf(lines, new Date(START + 5 * DAY))
  t.same(days, [
    { day: '2026-11-01', closing: { stake: 100n }, earned: null, isComplete: false, unexplained: 0n, slashed: 0n },
    { day: '2026-11-02', closing: { stake: 103n }, earned: 3n, isComplete: false, unexplained: 10n, slashed: 0n },
    { day: '2026-11-03', closing: null, earned: null, isComplete: false, unexplained: 0n, slashed: 0n },
    { day: '2026-11-04', closing: { stake: 90n }, earned: 1n, isComplete: true, unexplained: 0n, slashed: 13n },
    { day: '2026-11-05', closing: { stake: 91n }, earned: 2n, isComplete: true, unexplained: 0n, slashed: 0n },
    { day: '2026-11-06', closing: null, earned: null, isComplete: false, unexplained: 0n, slashed: 0n },
  ])
  t.match(earnedOf(lines, BUCKETS), { earned: 6n, days: 2, isSlashed: true, unexplained: 10n, isComplete: false })
  const last = daysOf([line(0, 0, 1n), line(1, 0.1, 7n), { ...line(2, 0.2, 8n), isSuperseded: true }], new Date(START))
  t.same(
    last.map(({ closing }) => closing),
    [{ stake: 7n }],
    'what was taken back is no closing',
  )
  const ahead = daysOf([line(0, 0, 1n), line(1, 3, 2n)], new Date(START - 9 * DAY))
  t.same(
    ahead.map(({ closing }) => closing),
    [{ stake: 1n }, null, null, { stake: 2n }],
    'a chain whose clock is ahead has its days too',
  )
  t.same(daysOf([], new Date(START)), [])
})

t.test('the part of a position’s life that a bucket holds follows from what moves it', async (t) => {
  const bucket = (kind: Bucket['kind'], movedBy: readonly EntryKind[], more: Partial<Bucket> = {}) =>
    roleOf({ name: 'part', asset: 'native', kind, movedBy: movedBy as Bucket['movedBy'], ...more })
  t.equal(bucket('principal', ['activation', 'exit_requested']), 'earning')
  t.equal(bucket('principal', ['deposit', 'compound', 'activation']), 'activating')
  t.equal(bucket('principal', ['exit_requested', 'exit_cancelled', 'withdrawal']), 'leaving')
  t.equal(bucket('principal', ['deposit', 'withdrawal', 'reward']), 'earning')
  t.equal(bucket('accrual', ['claim']), 'unclaimed')
  t.equal(bucket('worth', ['deposit', 'exit_requested']), 'earning')
  t.equal(bucket('worth', ['deposit', 'withdrawal', 'exit_requested']), 'earning', 'shares that are redeemed at once, or go into the queue')
  t.equal(bucket('worth', ['exit_requested', 'transfer_in', 'withdrawal']), 'leaving', 'what waits in the queue')
  t.equal(bucket('principal', ['deposit', 'exit_requested'], { asset: 'share' }), 'units')
  t.same(
    ['staked', 'activating', 'deactivating', 'withdrawing'].map((name) => bucket('principal', [], { name })),
    ['earning', 'activating', 'leaving', 'withdrawable'],
  )
})
