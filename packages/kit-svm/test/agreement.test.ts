import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { svmAgreement } from '../src/agreement.ts'

const CLOCK = 'SysvarC1ock11111111111111111111111111111111'
const SYSTEM = '11111111111111111111111111111111'
const inContext = (value: unknown, slot = 5) => ({ context: { slot, apiVersion: '3.0.0' }, value })

/** What the rule of a method makes of two results: the same, one of them, or neither. */
function verdict(method: string, one: unknown, other: unknown, params: unknown = []): 'same' | 'one' | 'other' | null {
  const { part = (result: unknown) => result, choose } = svmAgreement.rule(method, params) ?? {}
  if (isDeepStrictEqual(part(one), part(other))) return 'same'
  return choose?.(one, other) ?? null
}

t.test('what comes with its slot is the same whatever the slot', (t) => {
  for (const method of [
    'getAccountInfo',
    'getBalance',
    'getMinimumBalanceForRentExemption',
    'getStakeMinimumDelegation',
    'getMultipleAccounts',
    'getLatestBlockhash',
  ]) {
    t.equal(verdict(method, inContext([1]), inContext([1], 6)), 'same', method)
    t.equal(verdict(method, inContext([1]), inContext([2])), null, method)
  }
  t.equal(verdict('getMinimumBalanceForRentExemption', 890_880, 890_881), null)
  t.equal(verdict('getSomething', { a: 1 }, { a: 2 }), null)
  t.equal(svmAgreement.height, undefined)
  t.end()
})

t.test('a block hash is confirmed by the other node, unless their ends are far apart', (t) => {
  const latest = (blockhash: string, lastValidBlockHeight: number) => inContext({ blockhash, lastValidBlockHeight })
  const question = (one: unknown, other: unknown) => svmAgreement.rule('getLatestBlockhash', [])?.confirmation?.(one, other)
  const asked = question(latest('a', 200), latest('b', 232))
  t.match(asked, { method: 'isBlockhashValid', params: ['a', { commitment: 'confirmed' }] })
  t.equal(asked?.holds(inContext(true)), true)
  for (const result of [inContext(false), inContext('true'), true, null]) t.equal(asked?.holds(result), false)
  t.equal(question(latest('a', 200), latest('b', 233)), null)
  t.equal(question(latest('a', 233), latest('b', 200)), null)
  t.equal(verdict('getLatestBlockhash', latest('a', 200), latest('a', 201)), null, 'of one hash there is one end')
  t.equal(question(latest('a', 200), latest('a', 201)), null)
  t.end()
})

t.test('accounts are the same but for the clock, of which the epochs are, and the earlier time is taken', (t) => {
  const account = (lamports: number, data = '') => ({ lamports, owner: SYSTEM, data: [data, 'base64'] })
  const clock = (time: number, { slot = 1, epoch = 7, start = 3 } = {}) => {
    const data = Buffer.alloc(40)
    for (const [at, value] of [slot, start, epoch, epoch + 1, time].entries()) data.writeBigInt64LE(BigInt(value), at * 8)
    return account(1, data.toString('base64'))
  }
  const params = [['wallet', CLOCK], {}]
  const both = (lamports: number, its: unknown) => inContext([account(lamports), its])
  const judge = (one: unknown, other: unknown) => verdict('getMultipleAccounts', one, other, params)
  t.equal(judge(both(5, clock(100)), both(5, clock(160, { slot: 9 }))), 'one')
  t.equal(judge(both(5, clock(160)), both(5, clock(100))), 'other')
  t.equal(judge(both(5, clock(100, { slot: 2 })), both(5, clock(100))), 'one')
  t.equal(judge(both(5, clock(100)), both(5, clock(161))), null)
  t.equal(judge(both(5, clock(100)), both(5, clock(100, { epoch: 8 }))), null)
  t.equal(judge(both(5, clock(100)), both(5, clock(100, { start: 4 }))), null)
  t.equal(judge(both(5, clock(100)), both(6, clock(101))), null)
  t.equal(judge(both(5, clock(100)), both(5, { ...clock(101), owner: CLOCK })), null)
  t.equal(verdict('getMultipleAccounts', inContext([account(1)]), inContext([account(2)]), [['wallet'], {}]), null)
  t.end()
})

t.test('accounts of a program come in any order, and all of them', (t) => {
  const [a, b] = ['a', 'b'].map((pubkey) => ({ pubkey, account: { lamports: 1 } }))
  t.equal(verdict('getProgramAccounts', inContext([a, b]), inContext([b, a], 6)), 'same')
  t.equal(verdict('getProgramAccounts', inContext([a, b]), inContext([a])), null)
  t.equal(verdict('getProgramAccounts', inContext([a]), inContext([{ ...a, account: { lamports: 2 } }])), null)
  t.end()
})

t.test('fees are the same in every slot that both tell, which are nearly all; the list with the lower ones is taken', (t) => {
  const fees = (from: number, fee: (slot: number) => number, count = 150) =>
    Array.from({ length: count }, (_, at) => ({ slot: from + at, prioritizationFee: fee(from + at) }))
  const flat = () => 10
  t.equal(verdict('getRecentPrioritizationFees', fees(0, flat), fees(0, flat)), 'same')
  t.equal(
    verdict(
      'getRecentPrioritizationFees',
      fees(0, (slot) => (slot < 5 ? 90 : 10)),
      fees(5, flat),
    ),
    'other',
  )
  t.equal(
    verdict(
      'getRecentPrioritizationFees',
      fees(0, flat),
      fees(5, (slot) => (slot >= 150 ? 90 : 10)),
    ),
    'one',
  )
  t.equal(
    verdict(
      'getRecentPrioritizationFees',
      fees(0, flat),
      fees(0, (slot) => (slot === 7 ? 11 : 10)),
    ),
    null,
  )
  t.equal(verdict('getRecentPrioritizationFees', fees(0, flat), fees(37, flat)), 'one')
  t.equal(verdict('getRecentPrioritizationFees', fees(0, flat), fees(38, flat)), null)
  t.equal(verdict('getRecentPrioritizationFees', fees(0, flat, 1), fees(1, flat, 1)), null, 'nothing in common')
  t.end()
})

t.test('an epoch is the same, and the earlier slot of it is taken', (t) => {
  const epoch = (slotIndex: number, more: object = {}) => ({ epoch: 5, slotsInEpoch: 432_000, slotIndex, blockHeight: slotIndex, ...more })
  t.equal(verdict('getEpochInfo', epoch(10), epoch(10, { blockHeight: 1 })), 'same')
  t.equal(verdict('getEpochInfo', epoch(10), epoch(160)), 'one')
  t.equal(verdict('getEpochInfo', epoch(160), epoch(10)), 'other')
  t.equal(verdict('getEpochInfo', epoch(10), epoch(161)), null)
  t.equal(verdict('getEpochInfo', epoch(10), epoch(11, { epoch: 6 })), null)
  t.equal(verdict('getEpochInfo', epoch(10), epoch(11, { slotsInEpoch: 1 })), null)
  t.end()
})

t.test('a supply may be a thousandth apart, and votes of the epoch under way as they are', (t) => {
  const supply = (total: number, circulating = 1) => inContext({ total, circulating })
  t.equal(verdict('getSupply', supply(1000, 1), supply(1000, 2)), 'same')
  t.equal(verdict('getSupply', supply(1000), supply(1001)), 'one')
  t.equal(verdict('getSupply', supply(1001), supply(1000)), 'other')
  t.equal(verdict('getSupply', supply(1000), supply(1002)), null)
  const vote = (votePubkey: string, more: object = {}) => ({
    votePubkey,
    activatedStake: 1,
    commission: 5,
    lastVote: 9,
    epochCredits: [
      [1, 10, 0],
      [2, 15, 10],
    ],
    ...more,
  })
  const votes = (...current: unknown[]) => ({ current, delinquent: [] })
  const [a, b] = [vote('a'), vote('b')]
  t.equal(
    verdict(
      'getVoteAccounts',
      votes(a, b),
      votes(
        b,
        vote('a', {
          lastVote: 10,
          epochCredits: [
            [1, 10, 0],
            [2, 16, 10],
          ],
        }),
      ),
    ),
    'same',
  )
  for (const wrong of [
    { activatedStake: 2 },
    { commission: 6 },
    { inflationRewardsCommissionBps: 1 },
    {
      epochCredits: [
        [1, 11, 0],
        [2, 15, 10],
      ],
    },
  ])
    t.equal(verdict('getVoteAccounts', votes(a, b), votes(vote('a', wrong), b)), null, JSON.stringify(wrong))
  t.equal(verdict('getVoteAccounts', votes(a), { current: [], delinquent: [a] }), null)
  t.end()
})

t.test('of two simulations the one that used more units is taken, within two in a hundred', (t) => {
  const run = (unitsConsumed: number | null, err: unknown = null, log = 'a') => inContext({ err, unitsConsumed, logs: [log] })
  t.equal(verdict('simulateTransaction', run(1000), run(1000, null, 'b')), 'same')
  t.equal(verdict('simulateTransaction', run(1000), run(1020)), 'other')
  t.equal(verdict('simulateTransaction', run(1020), run(1000)), 'one')
  t.equal(verdict('simulateTransaction', run(1000), run(1021)), null)
  t.equal(verdict('simulateTransaction', run(1000), run(null)), null)
  t.equal(verdict('simulateTransaction', run(1000, 'AccountNotFound'), run(2000, 'AccountNotFound', 'b')), 'same')
  t.equal(verdict('simulateTransaction', run(1000, 'AccountNotFound'), run(1000)), null)
  t.equal(verdict('simulateTransaction', run(1000), run(1001, 'AccountNotFound')), null)
  t.end()
})
