import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { claimLease } from '../../src/db/leases.ts'
import { ask } from '../../src/db/work.ts'
import { createBudget } from '../../src/life/budget.ts'
import { createTenure } from '../../src/life/tenure.ts'
import { claimTransactions, postpone, saveLook } from '../../src/life/transactions.ts'
import { advance, type Known } from '../../src/life/transition.ts'
import { claimComparisons, dropDigest, keepDigest, postponeComparison } from '../../src/life/watch-digests.ts'
import { claimWatches, postponeWatch, saveBase, savePosition } from '../../src/life/watches.ts'
import type { Look } from '../../src/plugins/life/follow.ts'
import { inMemory, onBoth } from '../support/databases.ts'
import { following } from './heart.ts'

const { sql } = core()
const memory = { memory: true }
const place = { protocol: 'paper', network: '1' }
const CLAIM = { most: 10, leaseMs: 60_000, after: '' }

const WAITS: Look = {
  ...{ status: 'pending', finality: 'none', certainty: 'likely', block: null, fee: null, moved: null, error: null, replacedBy: null },
  ...{ validUntil: null, lookedAt: 100n, keep: {} },
}
const inBlock = (height: bigint | null, hash: string | null): Look => ({
  ...WAITS,
  ...{ status: 'included', finality: 'included', certainty: 'proven', block: { height, hash, time: null } },
})
const known = (look: Look): Known => ({
  ...{ status: look.status, finality: look.finality, certainty: look.certainty, look },
  ...{ steps: 1, doubtedAt: null, ended: false, dropped: 0, differed: false },
})

await t.test('whoever was overtaken writes nothing of a position', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, clock } = await following(t, state)
      const run = <T>(work: Parameters<typeof state.transact<T>>[0]) => state.transact(work, { now: () => clock.now })
      const rows = () => run(() => ask(sql`select * from svc_watches`))
      await call('PUT', '/api/v1/watch/paper/p001')
      const reading = { position: '"mine"', dueMs: 1, sweepMs: 1, digest: 'd', compareMs: 1 }
      await run(({ now }) => ask(sql`update svc_watches set compare_at = ${now}, position = '"theirs"' returning id`))
      for (const sooner of [sql`fence = fence + 1`, sql`fence = fence + 1, removed_at = created_at`]) {
        const [watch] = await run((database) => claimWatches(database, place, { ...CLAIM, reason: 'first' }))
        if (!watch) throw new Error('it is due')
        await run(() => ask(sql`update svc_watches set ${sooner}, lease_until = null returning id`))
        const before = await rows()
        t.equal(await run((database) => savePosition(database, watch, reading)), false)
        t.equal(await run((database) => saveBase(database, watch, '"mine"')), false)
        for (const work of [postponeWatch, postponeComparison, keepDigest]) await run((database) => work(database, watch, 5))
        await run((database) => dropDigest(database, watch))
        t.same(await rows(), before)
      }
      await run(() => ask(sql`update svc_watches set removed_at = null returning id`))
      const [one] = await run((database) => claimComparisons(database, place, { most: 1, leaseMs: 60_000, withinMs: 0 }))
      t.ok(one)
      t.same(
        await run((database) => claimComparisons(database, place, { most: 1, leaseMs: 60_000, withinMs: 0 })),
        [],
        'nor is it taken twice',
      )
      t.same(await run((database) => claimWatches(database, place, { ...CLAIM, reason: 'first' })), [])
      clock.now = new Date(clock.now.getTime() + 60_000)
      t.equal((await run((database) => claimWatches(database, place, { ...CLAIM, reason: 'first' }))).length, 1, 'until its time is over')
    },
    memory,
  ),
)

await t.test('whoever was overtaken writes nothing of a transaction', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, clock } = await following(t, state)
      const run = <T>(work: Parameters<typeof state.transact<T>>[0]) => state.transact(work, { now: () => clock.now })
      const rows = () => run(() => ask(sql`select * from svc_transactions`))
      await broadcast('a')
      const claim = () => run((database) => claimTransactions(database, place, CLAIM))
      const [row] = await claim()
      if (!row) throw new Error('it is due')
      t.same(await claim(), [], 'nobody else takes it')
      const change = {
        advance: advance(known(WAITS), inBlock(1n, 'x'), clock.now),
        units: { caip2: 'x', decimals: 1, symbol: null },
        keep: {},
      }
      await broadcast('a')
      const before = await rows()
      t.equal(
        await run((database) => saveLook(database, row, { ...change, nextMs: 1, scheduled: true })),
        false,
        'it was taken once more meanwhile',
      )
      await run((database) => postpone(database, row, 5_000))
      t.same(await rows(), before)
      const [again] = await claim()
      if (!again) throw new Error('it is due again')
      t.equal(await run((database) => saveLook(database, again, { ...change, nextMs: 1, scheduled: true })), true)
      t.equal(
        await run((database) => saveLook(database, again, { ...change, nextMs: 1, scheduled: true })),
        false,
        'and nobody writes twice',
      )
    },
    memory,
  ),
)

await t.test('leases are renewed before they end, and given up by whoever has lost them', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const clock = { now: new Date('2026-11-25T12:00:00Z') }
      const now = () => clock.now
      const mine = createTenure(state, 'me', now, now)
      const yours = createTenure(state, 'you', now, now)
      const pass = (ms: number) => {
        clock.now = new Date(clock.now.getTime() + ms)
      }
      await mine.keep(['task'])
      for (let turn = 0; turn < 6; turn++) {
        pass(10_000)
        await mine.keep(['task'])
        await yours.keep(['task'])
        t.ok(mine.of('task'), `${turn + 1}: it is renewed`)
        t.equal(yours.of('task'), null)
      }
      pass(29_999)
      const early = createTenure(state, 'early', now, now)
      await early.keep(['task'])
      t.equal(early.of('task'), null, 'not before its time is over')
      pass(1)
      const next = createTenure(state, 'next', now, now)
      await next.keep(['task'])
      t.ok(next.of('task'), 'who is silent for half a minute has lost it')
      await mine.keep(['task'])
      t.equal(mine.of('task'), null)

      const lost = next.of('task')
      if (!lost) return
      next.lose({ ...lost, fence: lost.fence - 1 })
      t.ok(next.of('task'), 'an earlier one was lost before')
      next.lose(lost)
      t.equal(next.of('task'), null)
      await next.release()
      const another = await state.transact((database) => claimLease(database, 'task', 'another', 30_000), { now })
      t.equal(another, null, 'what was lost is not given up for somebody else')
      pass(30_000)
      await yours.keep(['task'])
      await yours.release()
      t.ok(
        await state.transact((database) => claimLease(database, 'task', 'another', 30_000), { now }),
        'what is given up is taken at once',
      )
    },
    memory,
  ),
)

await t.test('a stream that has lost its lease begins nothing, and another one follows', async (t) => {
  let transactions = 0
  const { broadcast, pass, looksAt, store, clock } = await following(t, await inMemory(t), {
    store: (real) => ({
      ...real,
      transact(work, options) {
        transactions++
        return real.transact(work, options)
      },
    }),
  })
  await pass(1_000)
  await store.transact(
    ({ later }) =>
      ask(
        sql`update svc_leases set owner = 'another', fence = fence + 1, until = ${later(30_000)} where name like 'follow%' returning name`,
      ),
    { now: () => clock.now },
  )
  await broadcast('a')
  await pass(1_000)
  transactions = 0
  await pass(5_000)
  t.equal(transactions, 0, 'and does not try again before leases are renewed')
  await pass(14_000)
  t.equal(looksAt('a'), 0)
  await pass(20_000)
  t.ok(looksAt('a') > 0, 'when the other one is silent')
})

await t.test('what a budget was asked for and is not used is given back', async (t) => {
  const { broadcast, call, pass, looksAt, script } = await following(t, await inMemory(t), { config: { life: { looks_per_minute: 40 } } })
  for (let turn = 0; turn < 10; turn++) {
    await broadcast(`t${turn}`)
    await call('PUT', `/api/v1/watch/paper/p00${turn}`)
    await pass(1_000)
    t.equal(looksAt(`t${turn}`), 1, `transaction ${turn + 1}`)
    t.ok(
      script.asked.some(({ of }) => of === `p00${turn}`),
      `wallet ${turn + 1}`,
    )
    script.transactions.set(`h-t${turn}|seal`, { ...inBlock(9n, 'x'), status: 'final', finality: 'final', receipt: null })
  }
})

t.test('what another look says of a block', async (t) => {
  const at = new Date(100_000)
  for (const [kept, seen, doubts, why] of [
    [inBlock(9n, 'x'), inBlock(9n, 'x'), false, 'the same'],
    [inBlock(9n, 'x'), inBlock(9n, 'y'), true, 'a sibling of the same height'],
    [inBlock(9n, 'x'), inBlock(10n, 'x'), false, 'the hash says which it is'],
    [inBlock(9n, null), inBlock(9n, 'y'), false, 'a height alone is all there is'],
    [inBlock(9n, null), inBlock(10n, null), true, 'another height'],
    [inBlock(9n, 'x'), { ...WAITS, lookedAt: 9n }, true, 'a node that is as far, and has it not'],
    [inBlock(9n, 'x'), { ...WAITS, lookedAt: 8n }, false, 'a node that is behind'],
    [inBlock(9n, 'x'), { ...WAITS, lookedAt: null }, false, 'a node that does not say how far it is'],
  ] as const) {
    const made = advance(known(kept), seen, at)
    t.equal(made.doubtedAt !== null, doubts, why)
    t.same(made.steps, [], `${why}: nothing is told at once`)
  }
  const doubted = { ...known(inBlock(9n, 'x')), doubtedAt: at }
  for (const [ms, steps] of [
    [4_999, []],
    [5_000, ['transaction.reorged', 'transaction.included']],
  ] as const)
    t.same(
      advance(doubted, inBlock(9n, 'y'), new Date(at.getTime() + ms)).steps.map(({ event }) => event),
      steps,
      `missed for ${ms} ms`,
    )
})

t.test('a budget fills evenly up to the whole, and takes back no more', async (t) => {
  let time = 0
  const budget = createBudget(10, 1_000, () => new Date(time))
  for (const [ms, back, most, expected] of [
    [0, 0, 4, 4],
    [0, 0, 100, 6],
    [0, 0, 1, 0],
    [99, 0, 1, 0],
    [1, 0, 1, 1],
    [250, 0, 9, 2],
    [50, 0, 9, 1],
    [1_000_000, 0, 100, 10],
    [0, 3, 100, 3],
    [1_000, 50, 100, 10],
    [-5_000, 0, 1, 0],
    [0, 0, -5, 0],
  ] as const) {
    time += ms
    budget.giveBack(back)
    const left = budget.left()
    t.equal(budget.take(most), expected, `after ${ms} ms, with ${back} given back, ${most} are wanted`)
    t.equal(budget.left(), left - expected)
  }
  t.equal(createBudget(10, 1_000, () => new Date(time), { first: 0 }).take(1), 0, 'one that begins empty')
  t.equal(createBudget(0, 1_000, () => new Date(time)).take(1), 0)
})

t.test('a budget of lots saves up for one', async (t) => {
  let time = 0
  const budget = createBudget(10, 1_000, () => new Date(time), { first: 4, lot: 4 })
  for (const [ms, back, most, expected] of [
    [0, 0, 3, 3],
    [0, 0, 1, 0],
    [200, 0, 9, 0],
    [100, 0, 9, 4],
    [399, 0, 9, 0],
    [0, 1, 9, 4],
    [1_000_000, 0, 6, 6],
    [0, 0, 9, 4],
  ] as const) {
    time += ms
    budget.giveBack(back)
    t.equal(budget.take(most), expected, `after ${ms} ms, with ${back} given back`)
  }
  const few = createBudget(2, 1_000, () => new Date(time), { first: 4, lot: 4 })
  t.same([few.take(4), few.left()], [2, 0], 'a lot is no more than the whole')
  time += 1_000
  t.equal(few.take(4), 2)
})
