import type { Amounts, BookReading, Bucket, Earnings, Flow, Flows } from '@svc/contract/book'
import fc from 'fast-check'
import t from 'tap'
import { closeInterval, type NewEntry } from '../../src/ledger/close.ts'

const BUCKETS: readonly Bucket[] = [
  { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['deposit', 'exit_requested', 'slash', 'compound'] },
  { name: 'exit', asset: 'native', kind: 'principal', movedBy: ['exit_requested', 'withdrawal', 'slash'], rounding: 1n },
  { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: ['claim', 'compound'] },
  { name: 'shares', asset: 'gMON', kind: 'principal', movedBy: ['transfer_in', 'transfer_out'] },
  { name: 'value', asset: 'native', kind: 'worth', movedBy: ['deposit', 'withdrawal'], units: 'shares' },
]
/** The same on a chain that cuts nothing: where it does, a flow within the bound passes for a rounding. */
const EXACT = BUCKETS.map(({ rounding: _, ...bucket }): Bucket => bucket)
const PARTS = BUCKETS.filter(({ name }) => name !== 'shares' && name !== 'value')

function reading(amounts: Amounts, height: bigint): BookReading {
  return { mark: { height, hash: `0x${height}`, time: new Date(Number(height) * 1000), epoch: 1 }, amounts, keep: {} }
}

function flow(kind: Flow['kind'], amount: bigint, from: string, to: string, height: bigint | null = 15n): Flow {
  return { kind, amount, from, to, height, time: null, tx: `tx-${kind}`, index: 0 }
}

const whole = (...flows: Flow[]): Flows => ({ flows, missing: null })
const ruled = (amount: bigint, slack = 0n): Earnings => ({ earnings: { rewards: { least: amount, most: amount + slack } } })
const close = (opening: Amounts, closing: Amounts, flows: Flows | null, earned: Earnings | null, buckets: readonly Bucket[] = PARTS) =>
  closeInterval({ buckets, opening: reading(opening, 10n), closing: reading(closing, 20n), flows, earned })
const kinds = (entries: readonly NewEntry[]) => entries.map(({ kind, amount, from, to }) => `${kind} ${amount} ${from} > ${to}`)

/** Change of each bucket by the entries. */
function sums(entries: readonly NewEntry[]): Record<string, bigint> {
  const out: Record<string, bigint> = {}
  for (const { from, to, amount } of entries) {
    out[from] = (out[from] ?? 0n) - amount
    out[to] = (out[to] ?? 0n) + amount
  }
  return out
}

t.test('a day with flows and a reward by the rule is complete', async (t) => {
  const flows = whole(
    flow('deposit', 5n, 'wallet', 'stake'),
    flow('exit_requested', 3n, 'stake', 'exit:7'),
    flow('claim', 4n, 'rewards', 'wallet'),
  )
  const closing = close({ stake: 10n, rewards: 4n }, { stake: 12n, 'exit:7': 3n, rewards: 2n }, flows, ruled(2n))
  t.same(kinds(closing.entries), [
    'deposit 5 wallet > stake',
    'exit_requested 3 stake > exit:7',
    'claim 4 rewards > wallet',
    'reward 2 chain > rewards',
  ])
  t.equal(closing.complete, true)
  t.same(closing.reasons, [])
  t.match(closing.entries[0], { asset: 'native', height: 15n, tx: 'tx-deposit', index: 0, reason: null })
  t.match(closing.entries[3], { height: 20n, tx: null, time: new Date(20_000), reason: null })
})

t.test('a flow that is missing leaves one entry that says so, and nothing else moves', async (t) => {
  const closing = close({ stake: 10n }, { stake: 15n, rewards: 2n }, whole(), ruled(2n))
  t.same(kinds(closing.entries), ['reward 2 chain > rewards', 'unexplained 5 unknown > stake'])
  t.match(closing, { complete: false, reasons: ['flow_missing'] })
  t.equal(closing.entries[1]?.reason, 'flow_missing')
  t.same(kinds(close({ stake: 10n }, { stake: 7n }, whole(), ruled(0n)).entries), ['unexplained 3 stake > unknown'])
})

t.test('a claim that nobody saw shows in no bucket, and in the rule of rewards', async (t) => {
  const closing = close({ stake: 10n, rewards: 4n }, { stake: 10n, rewards: 6n }, whole(), ruled(3n))
  t.same(kinds(closing.entries), ['unexplained 2 unknown > rewards'], 'no reward is told: which of the two is wrong is not known')
  t.match(closing, { complete: false, reasons: ['claims_not_known'] })
  for (const [slack, complete] of [
    [0n, false],
    [1n, true],
  ] as const)
    t.equal(close({ rewards: 4n }, { rewards: 6n }, whole(), ruled(1n, slack)).complete, complete)
  t.equal(close({ rewards: 4n }, { rewards: 6n }, whole(), ruled(3n, 5n)).complete, false, 'less than the rule says')
  t.equal(
    close({ rewards: 4n }, { rewards: 3n }, whole(), { earnings: { rewards: { least: -2n, most: 2n } } }).complete,
    false,
    'a reward is no loss',
  )
})

t.test('a remainder is a reward where it is proven that nothing was claimed, and a loss never is', async (t) => {
  const proven: Earnings = { earnings: { rewards: { proven: true } } }
  t.same(kinds(close({ rewards: 4n }, { rewards: 9n }, whole(), proven).entries), ['reward 5 chain > rewards'])
  t.equal(close({ rewards: 4n }, { rewards: 9n }, whole(), proven).complete, true)
  t.match(close({ rewards: 4n }, { rewards: 3n }, whole(), proven), { complete: false, reasons: ['claims_not_known'] })
  const lacking = close({ rewards: 4n }, { rewards: 9n }, { flows: [], missing: 'no_index' }, proven)
  t.same(kinds(lacking.entries), ['unexplained 5 unknown > rewards'], 'nor where the flows are not whole')
  t.same(lacking.reasons, ['no_index', 'claims_not_known'])
})

t.test('what is not known is said, also where everything balances', async (t) => {
  t.match(close({ stake: 1n, rewards: 4n }, { stake: 1n, rewards: 4n }, whole(), { earnings: {} }), {
    entries: [],
    complete: false,
    reasons: ['claims_not_known'],
  })
  t.match(close({ stake: 1n }, { stake: 1n }, whole(), { earnings: { rewards: { unknown: 'pruned' } } }), {
    entries: [],
    complete: false,
    reasons: ['pruned'],
  })
  t.match(close({ stake: 1n }, { stake: 1n }, { flows: [], missing: 'pruned' }, ruled(0n)), {
    entries: [],
    complete: false,
    reasons: ['pruned'],
  })
  t.match(close({ stake: 1n }, { stake: 1n }, whole(), null), { complete: false, reasons: ['not_declared'] })
  t.match(close({}, {}, whole(), { earnings: {} }), { entries: [], complete: true }, 'where there is nothing, nothing is earned')
})

t.test('a plugin that tells nothing has readings, and remainders without an explanation', async (t) => {
  const closing = close({ stake: 10n, rewards: 4n }, { stake: 12n, rewards: 6n }, null, null)
  t.same(kinds(closing.entries), ['unexplained 2 unknown > rewards', 'unexplained 2 unknown > stake'])
  t.same(closing.reasons, ['not_declared'])
  t.same(
    closing.entries.map(({ reason }) => reason),
    ['not_declared', 'not_declared'],
  )
})

t.test('a floor of a division is a rounding up to the bound of the flows beside it, and no unit more', async (t) => {
  const flows = whole(flow('exit_requested', 3n, 'stake', 'exit:1'))
  const after = (exit: bigint, ...more: Flow[]) =>
    close({ stake: 10n }, { stake: 7n, 'exit:1': exit }, whole(...flows.flows, ...more), ruled(0n))
  t.same(kinds(after(2n).entries).slice(1), ['rounding 1 exit:1 > chain'])
  t.same(kinds(after(4n).entries).slice(1), ['rounding 1 chain > exit:1'])
  t.equal(after(2n).complete, true)
  const exact = whole({ ...flow('exit_requested', 3n, 'stake', 'exit:1'), exact: true })
  t.same(kinds(close({ stake: 10n }, { stake: 7n, 'exit:1': 2n }, exact, ruled(0n)).entries).slice(1), ['unexplained 1 exit:1 > unknown'])
  t.same(kinds(after(1n).entries).slice(1), ['unexplained 2 exit:1 > unknown'])
  t.same(
    kinds(after(2n, flow('slash', 1n, 'exit:1', 'chain'), flow('slash', 1n, 'exit:2', 'chain')).entries).at(-1),
    'rounding 1 chain > exit:2',
    'each by its own flows',
  )
  t.same(
    kinds(close({ 'exit:1': 3n }, { 'exit:1': 2n }, whole(), ruled(0n)).entries),
    ['unexplained 1 exit:1 > unknown'],
    'without a flow nothing is rounded',
  )
  t.same(
    kinds(close({ stake: 3n }, { stake: 2n }, flows, ruled(0n)).entries)
      .slice(1)
      .sort()[0],
    'unexplained 2 unknown > stake',
    'nor in a bucket without a bound',
  )
})

t.test('what a share is worth is revalued as soon as its units add up', async (t) => {
  const buckets = BUCKETS
  const earned = ruled(0n)
  const good = close(
    { shares: 5n, value: 50n },
    { shares: 7n, value: 90n },
    whole(flow('transfer_in', 2n, 'others', 'shares'), flow('deposit', 20n, 'wallet', 'value')),
    earned,
    buckets,
  )
  t.same(kinds(good.entries).slice(2), ['revaluation 20 chain > value'])
  t.equal(good.complete, true)
  t.equal(good.entries[0]?.asset, 'gMON')
  const lost = close({ shares: 5n, value: 50n }, { shares: 5n, value: 40n }, whole(), earned, buckets)
  t.same(kinds(lost.entries), ['revaluation 10 value > chain'])
  const open = close({ shares: 5n, value: 50n }, { shares: 7n, value: 90n }, whole(), earned, buckets)
  t.same(kinds(open.entries), ['unexplained 2 unknown > shares', 'unexplained 40 unknown > value'])
  const cut = close({ shares: 5n, value: 50n }, { shares: 5n, value: 90n }, { flows: [], missing: 'pruned' }, earned, buckets)
  t.same(kinds(cut.entries), ['unexplained 40 unknown > value'])
})

t.test('units are judged before what they are worth, whatever their names', async (t) => {
  const buckets: readonly Bucket[] = [
    { name: 'assets', asset: 'native', kind: 'worth', movedBy: [], units: 'tokens' },
    { name: 'tokens', asset: 'gMON', kind: 'principal', movedBy: [] },
  ]
  const closing = close({ tokens: 5n, assets: 50n }, { tokens: 7n, assets: 90n }, whole(), { earnings: {} }, buckets)
  t.same(kinds(closing.entries), ['unexplained 2 unknown > tokens', 'unexplained 40 unknown > assets'])
  t.same(
    closing.entries.map(({ reason }) => reason),
    ['flow_missing', 'flow_missing'],
  )
})

t.test('a proof with nothing left over is complete, and what is not known is unexplained', async (t) => {
  const proven: Earnings = { earnings: { rewards: { proven: true } } }
  t.match(close({ rewards: 4n }, { rewards: 4n }, whole(), proven), { entries: [], complete: true, reasons: [] })
  const unknown = close({ rewards: 4n }, { rewards: 6n }, whole(), { earnings: { rewards: { unknown: 'no_index' } } })
  t.match(unknown, { entries: [{ kind: 'unexplained', amount: 2n, from: 'unknown', to: 'rewards', reason: 'no_index' }], complete: false })
})

const MANY: readonly Bucket[] = [...PARTS, { name: 'foreign', asset: null, kind: 'accrual', movedBy: ['claim'] }]

t.test('each unit of a bucket of many assets is of the asset that its key names', async (t) => {
  const earnings: Earnings['earnings'] = { rewards: { proven: true }, foreign: { proven: true }, 'foreign:ics20:A': { proven: true } }
  const claim = flow('claim', 4n, 'foreign:ics20:A', 'wallet')
  const closing = close({ rewards: 1n, 'foreign:ics20:A': 3n }, { rewards: 2n, 'foreign:ics20:A': 9n }, whole(claim), { earnings }, MANY)
  t.same(
    closing.entries.map(({ kind, amount, asset, to }) => `${kind} ${amount} ${asset} > ${to}`),
    ['claim 4 ics20:A > wallet', 'reward 10 ics20:A > foreign:ics20:A', 'reward 1 native > rewards'],
  )
  t.equal(closing.complete, true)
  const unknown = close({ rewards: 1n }, { rewards: 1n, 'foreign:denom:x': 9n }, whole(), { earnings }, MANY)
  t.match(unknown.entries, [{ kind: 'unexplained', amount: 9n, asset: 'denom:x', reason: 'claims_not_known' }])
  t.equal(unknown.complete, false)
  t.throws(
    () => close({}, { rewards: 1n }, whole({ ...claim, asset: 'native' }), { earnings }, MANY),
    /turns ics20:A into another asset/,
    'none is added to another',
  )
})

t.test('assets that a book leaves out are said, and what its buckets hold stays explained', async (t) => {
  const earnings: Earnings['earnings'] = { rewards: { proven: true }, foreign: { unknown: 'not_declared' } }
  const closing = close({ rewards: 1n }, { rewards: 3n }, whole(), { earnings }, MANY)
  t.same(kinds(closing.entries), ['reward 2 chain > rewards'])
  t.match(closing, { complete: true, reasons: ['not_declared'] })
  const unseen = close({ rewards: 1n }, { rewards: 3n }, whole(), { earnings: { rewards: { proven: true } } }, MANY)
  t.match(unseen, { complete: false, reasons: ['claims_not_known'] }, 'where nothing is said of them they may have come and gone')
})

t.test('flows that the declaration rules out are a fault of the plugin', async (t) => {
  const refused = (bad: Flow) => () => close({ stake: 1n }, { stake: 1n }, whole(bad), ruled(0n), BUCKETS)
  t.throws(refused(flow('claim', 1n, 'stake', 'wallet')), /moves stake, which is moved by deposit/)
  t.throws(refused(flow('deposit', 0n, 'wallet', 'stake')), /moves nothing/)
  t.throws(refused(flow('deposit', -1n, 'wallet', 'stake')), /moves nothing/)
  t.throws(refused(flow('deposit', 1n, 'stake', 'stake')), /goes nowhere/)
  t.throws(refused(flow('deposit', 1n, 'wallet', 'nowhere')), /no bucket nowhere/)
  t.throws(refused(flow('deposit', 1n, 'wallet', 'unknown')), /no bucket unknown/, 'what is not known is for the book to say')
  t.throws(refused(flow('deposit', 1n, 'wallet', 'stake', 10n)), /outside of the interval from 10 to 20/)
  t.throws(refused(flow('deposit', 1n, 'wallet', 'stake', 21n)), /outside of the interval/)
  t.throws(refused({ ...flow('deposit', 1n, 'wallet', 'stake'), asset: 'gMON' }), /another asset/)
  t.doesNotThrow(refused(flow('deposit', 1n, 'wallet', 'stake', 11n)))
  t.doesNotThrow(refused(flow('deposit', 1n, 'wallet', 'stake', 20n)))
  t.doesNotThrow(refused(flow('deposit', 1n, 'wallet', 'stake', null)))
})

t.test('a reward that is paid out past the position is an entry of no bucket', async (t) => {
  const closing = close(
    { 'exit:7': 500n },
    {},
    whole(flow('withdrawal', 500n, 'exit:7', 'wallet'), flow('reward', 3n, 'chain', 'wallet')),
    ruled(0n),
  )
  t.equal(closing.complete, true)
  t.same(kinds(closing.entries), ['withdrawal 500 exit:7 > wallet', 'reward 3 chain > wallet'])
})

const amounts = fc.dictionary(fc.constantFrom('stake', 'exit:1', 'exit:2', 'rewards', 'shares', 'value'), fc.bigInt(0n, 40n))
const flows = fc.array(
  fc
    .tuple(
      fc.constantFrom(
        ...([
          ['deposit', 'wallet', 'stake'],
          ['exit_requested', 'stake', 'exit:1'],
          ['exit_requested', 'stake', 'exit:2'],
          ['withdrawal', 'exit:1', 'wallet'],
          ['slash', 'stake', 'chain'],
          ['claim', 'rewards', 'wallet'],
          ['compound', 'rewards', 'stake'],
          ['transfer_in', 'others', 'shares'],
          ['withdrawal', 'value', 'wallet'],
          ['reward', 'chain', 'wallet'],
        ] as const),
      ),
      fc.bigInt(1n, 20n),
    )
    .map(([[kind, from, to], amount]) => flow(kind, amount, from, to)),
  { maxLength: 6 },
)
const earnings = fc.option(
  fc.constantFrom<Earnings>(
    { earnings: {} },
    { earnings: { rewards: { proven: true } } },
    { earnings: { rewards: { unknown: 'pruned' } } },
    ruled(3n),
    ruled(0n, 40n),
  ),
  { nil: null },
)
const missing = fc.constantFrom(null, null, 'pruned' as const)

t.test('the law holds for whatever is told: each bucket changes by the sum of its entries, exactly', async (t) => {
  fc.assert(
    fc.property(amounts, amounts, fc.option(flows, { nil: null }), earnings, missing, (opening, closing, list, earned, lacks) => {
      const result = close(opening, closing, list && { flows: list, missing: lacks }, earned, BUCKETS)
      const changes = sums(result.entries)
      for (const key of new Set([...Object.keys(opening), ...Object.keys(closing), ...Object.keys(changes)]))
        if (!['wallet', 'chain', 'others', 'unknown'].includes(key))
          if ((changes[key] ?? 0n) !== (closing[key] ?? 0n) - (opening[key] ?? 0n)) throw new Error(`${key} does not add up`)
      if (result.entries.some(({ amount }) => amount <= 0n)) throw new Error('an entry moves nothing')
      const unexplained = result.entries.filter(({ kind }) => kind === 'unexplained')
      if (result.complete && unexplained.length > 0) throw new Error('complete, and not explained')
      if (result.complete !== (result.reasons.length === 0)) throw new Error('incomplete without a reason')
      if (unexplained.some(({ reason }) => reason === null)) throw new Error('unexplained without a reason')
      if (unexplained.length > new Set(unexplained.map(({ from, to }) => (from === 'unknown' ? to : from))).size) throw new Error('spread')
    }),
    { numRuns: 2_000 },
  )
  t.pass('2,000 intervals')
})

t.test('closed twice from the same facts it is the same; and one flow withheld of a complete interval is never complete', async (t) => {
  let tried = 0
  fc.assert(
    fc.property(amounts, flows, fc.bigInt(0n, 9n), fc.nat(5), (opening, list, reward, which) => {
      // A life without a remainder: the closing follows from what happened.
      const closing: Record<string, bigint> = { ...opening }
      for (const { from, to, amount } of list) {
        for (const [key, by] of [
          [from, -amount],
          [to, amount],
        ] as const)
          if (!['wallet', 'chain', 'others'].includes(key)) closing[key] = (closing[key] ?? 0n) + by
      }
      closing.rewards = (closing.rewards ?? 0n) + reward
      const told = close(opening, closing, whole(...list), ruled(reward), EXACT)
      const text = (value: unknown) => JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? String(each) : each))
      if (!told.complete) throw new Error(`a life that is told whole is not complete: ${text(told)}`)
      if (text(told) !== text(close(opening, closing, whole(...list), ruled(reward), EXACT))) throw new Error('twice, and not the same')
      const gone = list[which]
      // What moves no bucket, and the worth of units, is proven by its source alone.
      if (!gone || gone.kind === 'reward' || gone.from === 'value' || (gone.amount === 1n && `${gone.from}${gone.to}`.includes('exit')))
        return
      tried++
      const rest = list.filter((each) => each !== gone)
      if (close(opening, closing, whole(...rest), ruled(reward), EXACT).complete)
        throw new Error(`${gone.kind} of ${gone.amount} withheld, and complete`)
    }),
    { numRuns: 1_000 },
  )
  t.ok(tried > 300, `${tried} were withheld`)
})
