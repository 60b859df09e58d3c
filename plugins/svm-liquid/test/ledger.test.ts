import type { PlacedRecord, RunInstruction, TokenChange } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'
import t from 'tap'
import { booksAt, holdingsOf, keepOf, type PoolFacts, poolFacts } from '../src/ledger/books.ts'
import { poolCalls } from '../src/ledger/pool-calls.ts'
import { walk } from '../src/ledger/walk.ts'

const keyOf = (byte: number) => new PublicKey(new Uint8Array(32).fill(byte)).toBase58()
const [WALLET, STRANGER, FIRST, SECOND] = [keyOf(1), keyOf(2), keyOf(3), keyOf(4)]
const [OTHERS, MANAGER, REFERRER, RESERVE, VALIDATOR] = [keyOf(5), keyOf(6), keyOf(7), keyOf(8), keyOf(9)]
const own = { pool: keyOf(20), mint: keyOf(21), program: keyOf(22), tokenProgram: keyOf(23) }

/** A pool of 2 lamports a token, whose deposits cost 1 % with half of it for the referrer, SOL 2 % and stake 4 %. */
const pool = (more: Partial<PoolFacts> = {}): PoolFacts => ({
  pool: own.pool,
  totalLamports: 2_000_000n,
  supply: 1_000_000n,
  updatedEpoch: 10n,
  last: { totalLamports: 1_900_000n, supply: 1_000_000n },
  depositFee: { numerator: 1n, denominator: 100n },
  referralPercent: 50n,
  solFee: fee(2n),
  stakeFee: fee(4n),
  schedule: { slots: 1_000n, firstEpoch: 0n, firstSlot: 0n },
  ...more,
})
const fee = (percent: bigint) => ({ numerator: percent, denominator: 100n })

const u64 = (tag: number, amount: bigint) => {
  const data = Buffer.alloc(9, tag)
  data.writeBigUInt64LE(amount, 1)
  return data
}
const call = (tag: number, amount: bigint, accounts: readonly string[], to = own): RunInstruction => ({
  program: to.program,
  accounts: [to.pool, ...accounts],
  data: u64(tag, amount),
})
const deposit = (lamports: bigint, { from = WALLET, to = FIRST, referrer = FIRST, tag = 14 } = {}) =>
  call(tag, lamports, ['authority', RESERVE, from, to, MANAGER, referrer, own.mint])
const withdrawSol = (units: bigint, to = WALLET, from = FIRST) =>
  call(16, units, ['authority', WALLET, from, RESERVE, to, MANAGER, own.mint])
const withdrawStake = (units: bigint, to = WALLET) =>
  call(10, units, ['list', 'authority', VALIDATOR, 'target', to, WALLET, FIRST, MANAGER, own.mint])

const change = (
  account: string,
  before: bigint,
  after: bigint,
  owner: string | null = WALLET,
  more: Partial<TokenChange> = {},
): TokenChange => ({
  ...{ account, mint: own.mint, owner, ownerBefore: owner, before, after },
  ...more,
})
/** A record in which each token account holds some lamports, and the pool's accounts those that are said. */
function record(
  slot: bigint,
  tokens: readonly TokenChange[],
  instructions: readonly RunInstruction[] = [],
  lamports: Record<string, readonly [bigint, bigint]> = {},
  name = `tx-${slot}`,
): PlacedRecord {
  const listed = new Set([...tokens.map(({ account }) => account), ...Object.keys(lamports)])
  const accounts = [...listed].map((address) => ({ address, before: lamports[address]?.[0] ?? 5n, after: lamports[address]?.[1] ?? 5n }))
  const receipt = { feePayer: WALLET, fee: 5n, accounts, tokens, instructions }
  return { signature: name, slot, time: new Date(Number(slot) * 1000), verdict: { err: null } as never, receipt }
}
const holdings = (entries: Record<string, bigint>) => new Map(Object.entries(entries))
function lines(
  records: readonly PlacedRecord[],
  opening: Record<string, bigint>,
  closing: Record<string, bigint>,
  [before, after]: readonly [PoolFacts, PoolFacts] = [pool(), pool()],
) {
  const ends = {
    opening: { holdings: holdings(opening), pool: before },
    closing: { holdings: holdings(closing), pool: after, time: new Date(0) },
  }
  const { moves, missing } = walk(WALLET, own, ends, records)
  return [missing, ...moves.map(({ kind, amount, from, to, asset = 'native' }) => `${kind} ${amount} ${asset} ${from} ${to}`)]
}

t.test('a deposit is what was signed, and its fee the part whose tokens went elsewhere', (t) => {
  // 1,000 tokens are minted: 990 are the depositor's, 5 of the fee the referrer's.
  const minted = (referral: bigint, manager = 5n) => [
    change(FIRST, 0n, 990n),
    change(MANAGER, 7n, 7n + manager, STRANGER),
    change(REFERRER, 1n, 1n + referral, STRANGER),
  ]
  t.same(lines([record(10_500n, minted(5n), [deposit(2_000n, { referrer: REFERRER })])], {}, { [FIRST]: 990n }), [
    null,
    'deposit 990 pool_token chain tokens',
    'deposit 2000 native wallet worth',
    'fee 20 native worth chain',
  ])
  const referred = [change(FIRST, 0n, 995n), change(MANAGER, 7n, 12n, STRANGER)]
  t.same(
    lines([record(10_500n, referred, [deposit(2_000n)])], {}, { [FIRST]: 995n }).at(-1),
    'fee 10 native worth chain',
    'the referral comes back',
  )
  t.same(lines([record(10_500n, referred, [deposit(2_000n, { from: STRANGER, tag: 25 })])], {}, { [FIRST]: 995n }), [
    null,
    'transfer_in 995 pool_token chain tokens',
    'transfer_in 2000 native others worth',
    'fee 10 native worth chain',
  ])
  for (const [what, tokens] of [
    ['more than the rate', minted(5n, 7n)],
    ['less than the rate', minted(5n, 4n)],
  ] as const)
    t.equal(lines([record(10_500n, tokens, [deposit(2_000n, { referrer: REFERRER })])], {}, { [FIRST]: 990n })[0], 'flow_missing', what)
  const dearer = pool({ depositFee: fee(2n) })
  const paid = [change(FIRST, 0n, 980n), change(MANAGER, 0n, 10n, STRANGER), change(REFERRER, 0n, 10n, STRANGER)]
  t.equal(
    lines([record(10_500n, paid, [deposit(2_000n, { referrer: REFERRER })])], {}, { [FIRST]: 980n }, [pool(), dearer])[0],
    null,
    'a rate that came',
  )
  t.end()
})

t.test('a withdrawal is what the pool has paid, and its fee is beyond it', (t) => {
  const burnt = (manager: bigint) => [change(FIRST, 1_000n, 0n), change(MANAGER, 7n, 7n + manager, STRANGER)]
  const reserve = { [RESERVE]: [9_000n, 7_040n] as const }
  t.same(lines([record(10_500n, burnt(20n), [withdrawSol(1_000n)], reserve)], { [FIRST]: 1_000n }, { [FIRST]: 0n }), [
    null,
    'withdrawal 1000 pool_token tokens chain',
    'withdrawal 1960 native worth wallet',
    'fee 40 native worth chain',
  ])
  t.equal(
    lines([record(10_500n, burnt(20n), [withdrawSol(1_000n, STRANGER)], reserve)], { [FIRST]: 1_000n }, { [FIRST]: 0n })[2],
    'withdrawal 1960 native worth others',
  )
  const stake = { [VALIDATOR]: [9_000n, 7_080n] as const }
  t.same(lines([record(10_500n, burnt(40n), [withdrawStake(1_000n)], stake)], { [FIRST]: 1_000n }, { [FIRST]: 0n }).slice(2), [
    'withdrawal 1920 native worth wallet',
    'fee 80 native worth chain',
  ])
  t.equal(
    lines([record(10_500n, burnt(20n), [withdrawStake(1_000n)], stake)], { [FIRST]: 1_000n }, { [FIRST]: 0n })[0],
    'flow_missing',
    'the fee of SOL',
  )
  t.equal(
    lines([record(10_500n, burnt(0n), [withdrawSol(1_000n)], reserve)], { [FIRST]: 1_000n }, { [FIRST]: 0n })[0],
    'flow_missing',
    'no fee',
  )
  t.equal(
    lines([record(10_500n, burnt(20n), [withdrawSol(999n)], reserve)], { [FIRST]: 1_000n }, { [FIRST]: 0n })[0],
    'flow_missing',
    'another amount than was signed',
  )
  t.equal(
    lines([record(10_500n, burnt(20n), [withdrawSol(1_000n)])], { [FIRST]: 1_000n }, { [FIRST]: 0n })[0],
    'flow_missing',
    'nothing was paid',
  )
  const halves = [change(FIRST, 1_000n, 0n), change(MANAGER, 7n, 37n, STRANGER)]
  const both = [withdrawSol(500n), withdrawStake(500n)]
  const accounts = { [RESERVE]: [9_000n, 8_020n] as const, [VALIDATOR]: [9_000n, 8_040n] as const }
  t.same(lines([record(10_500n, halves, both, accounts)], { [FIRST]: 1_000n }, { [FIRST]: 0n }).slice(2, 3), [
    'withdrawal 1940 native worth wallet',
  ])
  const apart = [withdrawSol(500n), withdrawStake(500n, STRANGER)]
  t.equal(lines([record(10_500n, halves, apart, accounts)], { [FIRST]: 1_000n }, { [FIRST]: 0n })[0], 'flow_missing', 'to two people')
  const dearer = pool({ solFee: fee(3n) })
  for (const ends of [
    [pool(), dearer],
    [dearer, pool()],
  ] as const)
    t.equal(
      lines([record(10_500n, burnt(30n), [withdrawSol(1_000n)], reserve)], { [FIRST]: 1_000n }, { [FIRST]: 0n }, ends)[0],
      null,
      'at one end',
    )
  const free = [change(MANAGER, 1_000n, 0n)]
  const managers = lines([record(10_500n, free, [withdrawSol(1_000n, WALLET, MANAGER)], reserve)], { [MANAGER]: 1_000n }, { [MANAGER]: 0n })
  t.same(
    managers.slice(0, 3),
    [null, 'withdrawal 1000 pool_token tokens chain', 'withdrawal 1960 native worth wallet'],
    "the manager's bear no fee",
  )
  t.end()
})

t.test('instructions of which some are for somebody else, or of two kinds, are not taken apart', (t) => {
  const tokens = [change(FIRST, 0n, 995n), change(OTHERS, 0n, 995n, STRANGER), change(MANAGER, 0n, 10n, STRANGER)]
  const strangers = deposit(2_000n, { from: STRANGER, to: OTHERS, referrer: OTHERS })
  t.equal(lines([record(10_500n, tokens, [deposit(2_000n), strangers])], {}, { [FIRST]: 995n })[0], 'flow_missing')
  const shared = [change(FIRST, 500n, 0n), change(OTHERS, 500n, 0n, STRANGER), change(MANAGER, 0n, 20n, STRANGER)]
  const together = [withdrawSol(500n), withdrawSol(500n, WALLET, OTHERS)]
  const paid = { [RESERVE]: [9_000n, 7_040n] as const }
  t.equal(lines([record(10_500n, shared, together, paid)], { [FIRST]: 500n }, { [FIRST]: 0n })[0], 'flow_missing')
  const mixed = [change(FIRST, 100n, 995n), change(MANAGER, 0n, 7n, STRANGER)]
  t.equal(lines([record(10_500n, mixed, [deposit(2_000n), withdrawSol(100n)])], { [FIRST]: 100n }, { [FIRST]: 995n })[0], 'flow_missing')
  const twice = [change(FIRST, 0n, 1_990n), change(MANAGER, 0n, 10n, STRANGER)]
  t.equal(lines([record(10_500n, twice, [deposit(2_000n), deposit(2_000n)])], {}, { [FIRST]: 1_990n })[0], 'flow_missing')
  const other = { ...own, pool: keyOf(30) }
  t.same(
    poolCalls(
      [call(14, 5n, [], other), { ...deposit(5n), program: keyOf(31) }, { ...deposit(5n), data: Buffer.from([14]) }, call(9, 5n, [])],
      own,
    ),
    [],
  )
  t.end()
})

t.test('tokens that come and go are worth the price of their epoch', (t) => {
  const given = (slot: bigint) => record(slot, [change(FIRST, 1_000n, 900n), change(OTHERS, 0n, 100n, STRANGER)])
  const now = pool({ totalLamports: 2_200_000n, updatedEpoch: 12n, last: { totalLamports: 2_100_000n, supply: 1_000_000n } })
  const worths = (slot: bigint, after = now) => lines([given(slot)], { [FIRST]: 1_000n }, { [FIRST]: 900n }, [pool(), after])
  t.same(worths(10_999n), [null, 'transfer_out 100 pool_token tokens others', 'transfer_out 200 native worth others'])
  t.equal(worths(11_000n)[2], 'transfer_out 210 native worth others', 'what the last update met')
  t.equal(worths(12_000n)[2], 'transfer_out 220 native worth others')
  t.equal(worths(13_500n, pool())[2], 'transfer_out 200 native worth others', 'a pool without an update')
  const late = { ...now, updatedEpoch: 15n }
  t.same(worths(12_500n, late), ['pruned', 'transfer_out 100 pool_token tokens others'])
  t.equal(
    worths(12_500n, { ...late, last: { totalLamports: 2_000_000n, supply: 1_000_000n } })[2],
    'transfer_out 200 native worth others',
    'no update between',
  )
  t.same(lines([record(10_500n, [change(FIRST, 5n, 105n)])], { [FIRST]: 5n }, { [FIRST]: 105n }), [
    null,
    'transfer_in 100 pool_token others tokens',
    'transfer_in 200 native others worth',
  ])
  const both = [change(FIRST, 0n, 895n), change(OTHERS, 0n, 100n, STRANGER), change(MANAGER, 0n, 5n, STRANGER)]
  t.same(lines([record(10_500n, both, [deposit(2_000n)])], {}, { [FIRST]: 895n }), [
    null,
    'deposit 995 pool_token chain tokens',
    'deposit 2000 native wallet worth',
    'fee 10 native worth chain',
    'transfer_out 100 pool_token tokens others',
    'transfer_out 200 native worth others',
  ])
  t.equal(booksAt(10_000n, pool(), now)?.totalLamports, 2_000_000n)
  t.end()
})

t.test('tokens move between the accounts of a wallet, and with an account that changes hands', (t) => {
  const between = record(10_500n, [change(FIRST, 100n, 40n), change(SECOND, 0n, 60n, WALLET, { ownerBefore: null })])
  t.same(lines([between], { [FIRST]: 100n }, { [FIRST]: 40n, [SECOND]: 60n }), [null])
  const gone = record(10_500n, [change(SECOND, 60n, 60n, STRANGER, { ownerBefore: WALLET })])
  t.same(lines([gone], { [FIRST]: 1n, [SECOND]: 60n }, { [FIRST]: 1n }).slice(0, 2), [null, 'transfer_out 60 pool_token tokens others'])
  const come = record(10_500n, [change(SECOND, 60n, 60n, WALLET, { ownerBefore: STRANGER })])
  t.same(lines([come], {}, { [SECOND]: 60n }).slice(0, 2), [null, 'transfer_in 60 pool_token others tokens'])
  const closed = record(10_500n, [change(SECOND, 0n, 0n)], [], { [SECOND]: [5n, 0n] })
  t.same(lines([closed], { [SECOND]: 0n }, {}), [null])
  t.same(lines([], { [SECOND]: 0n }, {}), ['flow_missing'], 'nothing has closed it')
  // A node may not say whose an account is.
  const untold = record(10_500n, [change(FIRST, 100n, 40n, null), change(SECOND, 0n, 60n, null)])
  t.same(lines([untold], { [FIRST]: 100n }, { [FIRST]: 40n, [SECOND]: 60n }), [null])
  t.end()
})

t.test('what is hidden, and what does not continue what was before, is left open', (t) => {
  const give = (slot: bigint, before: bigint, name?: string) =>
    record(slot, [change(FIRST, before, before - 10n), change(OTHERS, 0n, 10n, STRANGER)], [], {}, name)
  const chain = [give(10_100n, 100n), give(10_200n, 90n), give(10_300n, 80n)]
  const of = (records: readonly PlacedRecord[], closing = 70n) => lines(records, { [FIRST]: 100n }, { [FIRST]: closing })[0]
  t.equal(of(chain), null)
  for (const hidden of [0, 1, 2]) t.equal(of(chain.toSpliced(hidden, 1)), 'flow_missing', `without ${hidden}`)
  t.equal(of(chain, 71n), 'flow_missing')
  // One that comes back to where it was, and what was between.
  const back = [give(10_100n, 100n), record(10_200n, [change(FIRST, 90n, 100n), change(OTHERS, 10n, 0n, STRANGER)])]
  t.equal(of(back, 100n), null)
  t.equal(of(back.slice(1), 100n), 'flow_missing')
  t.equal(of([give(10_100n, 80n, 'c'), give(10_100n, 100n, 'a'), give(10_100n, 90n, 'b')]), null, 'in one slot by what they find')
  const filled = record(10_200n, [change(SECOND, 50n, 0n), change(OTHERS, 0n, 50n, STRANGER)])
  t.equal(lines([filled], {}, { [SECOND]: 0n })[0], 'flow_missing', 'an account that was filled unseen')
  t.end()
})

t.test('a reading keeps the pool and the accounts, and too many accounts are none', (t) => {
  const kept = keepOf(pool(), holdings({ [FIRST]: 5n, [SECOND]: 0n }))
  t.same(poolFacts(kept), pool())
  t.same(holdingsOf(kept), holdings({ [FIRST]: 5n, [SECOND]: 0n }))
  t.equal(holdingsOf(keepOf(pool(), null)), null)
  t.end()
})
