import type { Balance, StakedObject } from '@svc/contract'
import t from 'tap'
import type { KeptPosition } from '../../src/life/kept-position.ts'
import { compare, isEmpty, isTellable, rewardsOf, shareOf } from '../../src/life/position.ts'
import { crossed, growsIn, unitsOf } from '../../src/life/rewards.ts'
import { lookAfter, retryAfter } from '../../src/life/schedule.ts'
import { NOTHING } from './living.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const at = new Date('2026-11-25T12:00:00.000Z')
/** A balance of a protocol that knows nothing but what is staked. */
const BARE: Balance = { ...NOTHING, activating: null, deactivating: null, withdrawing: null, rewards: null, objects: null }
const unit = (id: string, status: StakedObject['status'], changes: Partial<StakedObject> = {}): StakedObject => ({
  ...{ id, type: 'delegation', status, amount: 5n, rewards: null, validator: 'v1' },
  ...{ activationEpoch: null, withdrawableEpoch: null, withdrawableAt: null },
  ...changes,
})
const holding = (...objects: StakedObject[]): Balance => ({ ...NOTHING, objects })
const told = (before: KeptPosition | null, balance: Balance, chainTime?: Date) =>
  compare(before, balance, at, chainTime).news.map(({ type, object }) => `${type} ${object?.id ?? 'all'}`)

t.test('what is empty, what can be told of, and what can be claimed', async (t) => {
  t.ok(isEmpty(NOTHING))
  t.ok(isEmpty(BARE))
  t.ok(isEmpty({ ...NOTHING, rewards: 1n }), 'rewards are no stake')
  for (const bucket of ['staked', 'activating', 'deactivating', 'withdrawing'] as const)
    t.notOk(isEmpty({ ...NOTHING, [bucket]: 1n }), bucket)
  t.notOk(isEmpty(holding(unit('1', 'withdrawable', { amount: 0n }))))

  t.notOk(isTellable(BARE))
  t.ok(isTellable({ ...BARE, objects: [] }))
  t.ok(isTellable({ ...BARE, activating: 0n }))
  t.ok(isTellable({ ...BARE, rewards: 0n }))

  t.equal(rewardsOf(BARE), null)
  t.equal(rewardsOf({ ...BARE, rewards: 0n }), 0n)
  t.equal(rewardsOf({ ...BARE, objects: [unit('1', 'active')] }), null, 'no unit tells any')
  t.equal(
    rewardsOf({ ...BARE, objects: [unit('1', 'active', { rewards: 2n }), unit('2', 'active'), unit('3', 'active', { rewards: 3n })] }),
    5n,
  )
  t.equal(rewardsOf({ ...BARE, rewards: 1n, objects: [unit('1', 'active', { rewards: 2n })] }), 1n, 'of the whole, where it is told')
})

t.test('what is kept of a reading is exact, and begins with nothing told', async (t) => {
  const first = compare(null, { ...NOTHING, staked: 7n, activating: 1n, rewards: 3n, objects: [unit('1', 'active')] }, at)
  t.same(first.news, [])
  t.same(first.kept, {
    ...{ at: '2026-11-25T12:00:00.000Z', staked: '7', activating: '1', rewards: '3', objects: { 1: { status: 'active' } } },
    ...{ told: {}, step: 0, overdue: 0 },
  })
  t.match(compare(null, BARE, at).kept, { activating: null, rewards: null, objects: null })
  const before = { ...first.kept, told: { w: '2' }, step: 4, overdue: 2 }
  const same = { ...NOTHING, staked: 7n, activating: 1n, rewards: 3n, objects: [unit('1', 'active')] }
  t.match(compare(before, same, at).kept, { told: { w: '2' }, step: 4, overdue: 2 })
  t.match(compare(before, { ...same, objects: [unit('1', 'active'), unit('2', 'active')] }, at).kept, { step: 5 })
})

t.test('rewards were claimed where a tenth is gone', async (t) => {
  const kept = { ...compare(null, { ...NOTHING, rewards: 100n }, at).kept, told: { w: '1' } }
  const toldAfter = (rewards: bigint | null, before: KeptPosition = kept) =>
    compare(before, { ...NOTHING, rewards, objects: null }, at).kept.told
  t.same(toldAfter(100n), { w: '1' })
  t.same(toldAfter(90n), { w: '1' }, 'nodes differ that much')
  t.same(toldAfter(89n), {})
  t.same(toldAfter(null), { w: '1' }, 'what could not be read')
  t.same(toldAfter(0n, { ...kept, rewards: null }), { w: '1' }, 'nothing was known of any')
})

t.test('a unit is told when it becomes active or can be withdrawn, and when the chain has paid it', async (t) => {
  const past = new Date(at.getTime() - 1)
  const keptAs = (status: StakedObject['status'], changes: Partial<StakedObject> = {}) =>
    compare(null, holding(unit('1', status, changes)), at).kept
  const leaving = { withdrawableAt: at }
  for (const [before, now, expected] of [
    ['activating', 'active', ['position.active 1']],
    ['deactivating', 'active', ['position.exit_cancelled 1']],
    ['deactivating', 'activating', ['position.exit_cancelled 1']],
    ['withdrawable', 'active', ['position.active 1']],
    ['active', 'active', []],
    ['unknown', 'active', []],
    ['activating', 'deactivating', []],
    ['deactivating', 'withdrawable', ['position.withdrawable 1']],
    ['active', 'withdrawable', ['position.withdrawable 1']],
    ['unknown', 'withdrawable', ['position.withdrawable 1']],
    ['withdrawable', 'withdrawable', []],
    ['active', 'unknown', []],
  ] as const)
    t.same(told(keptAs(before), holding(unit('1', now))), expected, `${before}, ${now}`)
  t.same(told(keptAs('active'), holding(unit('1', 'active'), unit('2', 'active'))), ['position.active 2'], 'one that is new')

  t.same(told(keptAs('deactivating', leaving), holding(), at), ['position.withdrawn 1'], 'gone in the moment in which it may be')
  t.same(told(keptAs('deactivating', leaving), holding(), past), [], 'gone before its time')
  t.same(told(keptAs('deactivating'), holding(), at), [], 'whose time nobody knows')
  t.same(told(keptAs('withdrawable', leaving), holding(), at), [], 'which had to be withdrawn')
  t.same(told(keptAs('active', leaving), holding(), at), [], 'which was not leaving')
  t.match(compare(keptAs('deactivating', leaving), holding(), at, at).news, [
    { amount: 5n, object: { id: '1', type: 'delegation', validator: 'v1', withdrawableAt: at, withdrawableEpoch: null } },
  ])
  t.match(compare(keptAs('deactivating', { ...leaving, amount: null }), holding(), at, at).news, [{ amount: null }])
})

t.test('that a unit can be withdrawn stays told until it is active or gone, and what could not be read is as it was', async (t) => {
  const then = (...states: readonly StakedObject['status'][]) => {
    let kept: KeptPosition | null = null
    for (const status of states) kept = compare(kept, holding(unit('1', status, { withdrawableAt: at })), at).kept
    return kept?.objects?.['1']
  }
  const leaves = { at: at.toISOString(), amount: '5', type: 'delegation', validator: 'v1' }
  t.same(then('withdrawable'), { status: 'withdrawable', withdrawable: true })
  t.same(then('withdrawable', 'deactivating'), { status: 'deactivating', withdrawable: true })
  t.same(then('withdrawable', 'unknown'), { status: 'unknown', withdrawable: true })
  t.same(then('withdrawable', 'active'), { status: 'active' })
  t.same(then('deactivating'), { status: 'deactivating', leaves })
  t.same(then('deactivating', 'unknown'), { status: 'deactivating', leaves })
  t.same(then('unknown'), { status: 'unknown' })
  t.same(then('active'), { status: 'active' })
})

t.test('where as many units were compared as may be, one of the least amount tells nothing by appearing', async (t) => {
  const many = (count: number, amount: bigint) => Array.from({ length: count }, (_, n) => unit(`d${n}`, 'active', { amount }))
  const full = compare(null, holding(...many(2_000, 2n)), at).kept
  t.same(told(full, holding(...many(1_999, 2n), unit('new', 'active', { amount: 2n }))), [], 'it may have been there before')
  t.same(told(full, holding(...many(1_999, 2n), unit('new', 'active', { amount: 3n }))), ['position.active new'])
  t.same(told(full, holding(...many(1_999, 2n), unit('new', 'active', { amount: null }))), ['position.active new'], 'of an unknown amount')
  const one = compare(null, holding(...many(1_999, 2n)), at).kept
  t.same(told(one, holding(...many(1_999, 2n), unit('new', 'active', { amount: 1n }))), ['position.active new'], 'where there was room')
  t.equal(Object.keys(full.objects ?? {}).length, 2_000)
  const kept = compare(null, holding(unit('small', 'active', { amount: 1n }), ...many(2_000, 2n)), at).kept
  t.notOk(kept.objects?.small, 'the least is the one that is not compared')
})

t.test('a share of an id is always the same, and between 0 and 1', async (t) => {
  // FNV-1a of 32 bits: the offset basis of an empty text, and the published values of "a" and "foobar".
  for (const [text, hash] of [
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ] as const)
    t.equal(shareOf(text), hash / 2 ** 32, text)
})

t.test('thresholds are told once, each receiver has his own, and the next is the lowest that is open', async (t) => {
  const thresholds = [
    { webhook: 'a', threshold: '3' },
    { webhook: 'b', threshold: '2' },
    { webhook: 'c', threshold: '9' },
    { webhook: 'd', threshold: '7' },
  ]
  t.same(crossed(null, { a: '3' }, thresholds, 0), { now: [], told: {}, next: null })
  t.same(crossed(3n, {}, thresholds, 0), { now: ['a', 'b'], told: { a: '3', b: '2' }, next: 7n })
  t.same(
    crossed(3n, { a: '3', b: '1' }, thresholds, 0),
    { now: ['b'], told: { a: '3', b: '2' }, next: 7n },
    'a threshold that was moved is another',
  )
  t.same(crossed(2n, { a: '3', b: '2' }, thresholds, 0), { now: [], told: { b: '2' }, next: 3n }, 'fallen below, it may be told again')
  t.same(crossed(9n, {}, thresholds, 0).next, null)
  t.equal(unitsOf('1.05', 2), 105n)
  t.equal(unitsOf('1.050', 2), 105n)
  t.equal(unitsOf('1.051', 2), 106n)
  t.equal(unitsOf('7', 0), 7n)
  for (const [to, rewards, before, agoMs, expected] of [
    [30n, 20n, 10n, 500, 500],
    [50n, 20n, 10n, 500, 1_500],
    [20n, 20n, 10n, 500, 0],
    [10n, 20n, 10n, 500, 0],
    [30n, 10n, 10n, 500, null],
    [30n, 9n, 10n, 500, null],
    [30n, 20n, 10n, 0, null],
    [30n, 20n, 10n, -1, null],
    [BigInt(Number.MAX_SAFE_INTEGER) + 1n, 1n, 0n, 1, Number.MAX_SAFE_INTEGER],
    [BigInt(Number.MAX_SAFE_INTEGER) + 2n, 1n, 0n, 1, null],
  ] as const)
    t.equal(growsIn(to, rewards, { rewards: before, agoMs }), expected, `${to} from ${rewards}, ${before} ${agoMs} ms before`)
})

t.test('looks come further apart with their number and with age, and hearsay more seldom from the start', async (t) => {
  for (const [looks, ageMs, endsInMs, isHearsay, expected] of [
    [0, 0, null, false, 2_000],
    [1, 0, null, false, 2_000],
    [2, 0, null, false, 4_000],
    [6, 0, null, false, MINUTE],
    [6, 0, null, true, 64_000],
    [17, 0, null, true, HOUR],
    [99, 0, null, true, HOUR],
    [1, DAY - 1, null, false, 2_000],
    [1, DAY, null, false, HOUR],
    [1, 7 * DAY - 1, null, false, HOUR],
    [1, 7 * DAY, null, false, DAY],
    [9, 0, 1, false, 2_001],
    [9, 0, 0, false, MINUTE],
    [9, 0, MINUTE - 1, false, MINUTE],
    [9, 0, MINUTE, false, MINUTE],
    [9, 0, 59_000, false, MINUTE],
    [9, 0, 57_000, false, 59_000],
  ] as const)
    t.equal(
      lookAfter({ looks, ageMs, endsInMs, isHearsay }, 2_000),
      expected,
      `${looks} looks, ${ageMs} ms old, ends in ${endsInMs}, ${isHearsay}`,
    )
  t.equal(lookAfter({ looks: 99, ageMs: 0, endsInMs: null }, 0.5), 32_768, 'doubled sixteen times at most')
  t.same(
    [1, 2, 3, 7, 99].map((failures) => retryAfter(failures, MINUTE)),
    [MINUTE, 2 * MINUTE, 4 * MINUTE, HOUR, HOUR],
  )
})
