import type { Bucket } from '@svc/contract/book'
import fc from 'fast-check'
import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask, timeOrNull, type Work, type WorkDatabase } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { packAmounts, unpackAmounts } from '../../src/ledger/amounts.ts'
import { type BookRow, bookSoon, claimBooks, postponeBook } from '../../src/ledger/books.ts'
import type { NewEntry } from '../../src/ledger/close.ts'
import { type BookChange, basesOf, entriesSince, type NewLine, saveLine } from '../../src/ledger/lines.ts'
import { findBooks, linesOf } from '../../src/ledger/read.ts'
import { onBoth } from '../support/databases.ts'
import { shortOf } from './booking.ts'

const { sql } = core()
const memory = { memory: true }
const BEGIN = new Date('2026-11-25T12:00:00.000Z')
const KEY = { account: 'acme', protocol: 'paper', network: '1', wallet: 'p001' }
const CHANGE: BookChange = { openFrom: null, openSince: null, nextMs: null, sweepMs: 86_400_000, failures: 0 }
const BUCKETS: readonly Bucket[] = [
  { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['deposit'] },
  { name: 'rewards', asset: 'gMON', kind: 'accrual', movedBy: ['claim'] },
]
const at = (height: bigint) => ({ height, hash: `b${height}`, time: new Date(BEGIN.getTime() + Number(height) * 1000), epoch: 3 })
const entry = (kind: NewEntry['kind'], amount: bigint, from: string, to: string, more: Partial<NewEntry> = {}): NewEntry => ({
  ...{ kind, amount, from, to, asset: 'native', height: 9n, time: new Date(BEGIN), tx: 'tx', index: 4, reason: null },
  ...more,
})

function line(
  height: bigint,
  base: number | null,
  amounts: Record<string, bigint>,
  entries: readonly NewEntry[] = [],
  more: Partial<NewLine> = {},
): NewLine {
  return {
    reading: { mark: at(height), amounts, keep: { of: `${height}` } },
    base,
    entries,
    reasons: [],
    complete: true,
    source: 0,
    corrected: [],
    ...more,
  }
}

function rig(store: Store) {
  const clock = { now: BEGIN }
  const run = <T>(work: (database: WorkDatabase) => Work<T>) => store.transact(work, { now: () => clock.now })
  const book = async (wallet = 'p001'): Promise<BookRow> => {
    const [found] = await run((database) => findBooks(database, { wallet }, { after: 0, limit: 2 }))
    if (!found) throw new Error('it has a book')
    return found
  }
  return {
    clock,
    run,
    book,
    open: (key = KEY) => run((database) => bookSoon(database, key)),
    claim: (reason: 'due' | 'sweep' = 'due', place = KEY) =>
      run((database) => claimBooks(database, place, { most: 9, leaseMs: 60_000, after: '', reason })),
    save: (row: BookRow, next: NewLine, change = CHANGE) => run((database) => saveLine(database, row, next, change)),
    async lines() {
      const row = await book()
      return run((database) => linesOf(database, row, BUCKETS, { limit: 99 }))
    },
  }
}

t.test('amounts come back as they were packed, and other bytes are refused', async (t) => {
  const keys = ['stake', 'exit:7', 'rewards']
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), fc.bigInt(0n, 2n ** 256n)), (amounts) => {
      const back = unpackAmounts(packAmounts(amounts, keys), keys)
      for (const key of keys) if ((back[key] ?? 0n) !== (amounts[key] ?? 0n)) throw new Error(key)
      if (Object.values(back).includes(0n)) throw new Error('a zero takes no room')
    }),
  )
  t.equal(packAmounts({ stake: 10n ** 21n, rewards: 10n ** 18n }, keys).length, 23)
  const many = Array.from({ length: 300 }, (_, index) => `exit:${index}`)
  t.same(unpackAmounts(packAmounts({ 'exit:299': 1n, 'exit:256': 256n, 'exit:255': 255n }, many), many), {
    'exit:299': 1n,
    'exit:256': 256n,
    'exit:255': 255n,
  })
  t.throws(() => packAmounts({ other: 1n }, keys), /no bucket/)
  t.throws(() => packAmounts({ stake: -1n }, keys), /amount of -1/)
  t.throws(() => packAmounts({ stake: 2n ** 2040n }, keys), /256 bytes/)
  for (const bytes of [[0], [0, 0, 0], [0, 0, 2, 1], [0, 3, 1, 1], [1, 0, 1, 1]])
    t.throws(() => unpackAmounts(Uint8Array.from(bytes), keys), /no amounts of this book/)
})

await t.test('a book is opened once, and read soon whenever its position was read', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { open, book, claim, run, clock } = rig(store)
      await open()
      await open({ ...KEY, account: 'beta', wallet: 'p002' })
      const first = await book()
      t.match(first, { ...KEY, keys: [], lines: 0, openFrom: null, openSince: null, sweepAt: null, failures: 0, fence: 0 })
      t.same(first.nextAt, BEGIN)
      const [held] = await claim()
      t.match(held, { wallet: 'p001', fence: 1 })
      t.same(await claim(), [], 'somebody has them in hand')
      clock.now = new Date(BEGIN.getTime() + 1_000)
      await open()
      t.match(await book(), { fence: 2, nextAt: BEGIN })
      t.equal((await claim()).length, 1, 'what was in hand is read anew')
      const last = await book()
      await run((database) => postponeBook(database, last, { nextMs: null, sweepMs: 5_000, failed: true }))
      t.match(await book(), { nextAt: null, failures: 1, sweepAt: new Date(BEGIN.getTime() + 6_000), fence: last.fence + 1 })
      await run((database) => postponeBook(database, last, { nextMs: 1, sweepMs: 1, failed: true }))
      t.match(await book(), { nextAt: null, failures: 1 }, 'not by who read an older one')
      const newer = await book()
      await run((database) => postponeBook(database, newer, { nextMs: 7_000, sweepMs: 5_000, failed: false }))
      t.match(await book(), { nextAt: new Date(BEGIN.getTime() + 8_000), failures: 0 })
      await open()
      t.same((await book()).nextAt, clock.now, 'sooner than planned')
      clock.now = new Date(BEGIN.getTime() + 5_999)
      t.equal((await claim('sweep')).length, 0)
      clock.now = new Date(BEGIN.getTime() + 6_000)
      for (const place of [
        { ...KEY, network: '2' },
        { ...KEY, protocol: 'stone' },
      ])
        t.same(await claim('sweep', place), [])
      t.equal((await claim('sweep')).length, 1)
      t.match(await run((database) => findBooks(database, { account: 'beta' }, { after: 0, limit: 9 })), [{ wallet: 'p002' }])
      const ids = async (after: number, limit: number) =>
        (await run((database) => findBooks(database, {}, { after, limit }))).map(({ wallet }) => wallet)
      t.same(await ids(0, 9), ['p001', 'p002'])
      t.same(await ids(first.id, 9), ['p002'])
      t.same(await ids(0, 1), ['p001'])
    },
    memory,
  ),
)

await t.test('a line is written with its entries, or not at all where somebody else was sooner', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { open, book, save, lines, run } = rig(store)
      await open()
      const first = await book()
      t.equal(await save(first, line(1n, null, { stake: 5n })), true)
      t.equal(await save(first, line(2n, null, { stake: 6n })), false, 'by who read the older one')
      const entries = [
        entry('deposit', 3n, 'wallet', 'stake'),
        entry('reward', 1n, 'chain', 'rewards', { height: 2n, time: null, tx: null, index: null }),
        entry('unexplained', 2n, 'unknown', 'rewards', { reason: 'claims_not_known', tx: null, index: null, height: null, time: null }),
      ]
      const change = { ...CHANGE, openFrom: 0, openSince: BEGIN, nextMs: 9_000, failures: 2 }
      t.equal(
        await save(
          await book(),
          line(2n, 0, { stake: 8n, rewards: 3n }, entries, { complete: false, reasons: ['claims_not_known', 'pruned'], source: 2 }),
          change,
        ),
        true,
      )
      t.match(await book(), {
        keys: ['stake', 'rewards'],
        lines: 2,
        openFrom: 0,
        openSince: BEGIN,
        nextAt: new Date(BEGIN.getTime() + 9_000),
        failures: 2,
      })
      const [, written] = await lines()
      t.match(written, {
        n: 1,
        opening: 0,
        isComplete: false,
        reasons: ['claims_not_known', 'pruned'],
        source: 2,
        mark: at(2n),
        closing: { stake: 8n, rewards: 3n },
      })
      t.same(shortOf([written].flatMap((each) => each ?? [])), [
        '1: deposit 3 wallet > stake',
        '1: reward 1 chain > rewards',
        '1: unexplained 2 unknown > rewards',
      ])
      t.match(written?.entries, [
        { height: 9n, time: BEGIN, tx: 'tx', index: 4, name: '0', bookedAt: BEGIN },
        {},
        { height: null, time: null, tx: null, index: null, reason: 'claims_not_known' },
      ])
      const late = await book()
      await run(() => ask(sql`update svc_books set lines = 9 returning id`))
      t.equal(await save(late, line(3n, 1, {})), false, 'nor where another line is the last')
    },
    memory,
  ),
)

await t.test('a reward by the rule takes no row, and is told as an entry of the bucket’s asset', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { open, book, save, lines, run } = rig(store)
      await open()
      await save(await book(), line(1n, null, {}))
      const plain = { height: 2n, tx: null, index: null, asset: 'gMON' }
      const next = line(2n, 0, { rewards: 9n, stake: 1n })
      const { time } = next.reading.mark
      const rewards = [
        entry('reward', 8n, 'chain', 'rewards', { ...plain, time }),
        entry('reward', 1n, 'chain', 'rewards', { ...plain, time, tx: 'tx' }),
      ]
      await save(await book(), {
        ...next,
        entries: [...rewards, entry('reward', 1n, 'chain', 'stake', { ...plain, time, asset: 'native' })],
      })
      t.equal((await run(() => ask(sql`select * from svc_entries`))).length, 1)
      const [, told] = await lines()
      t.match(told?.entries, [
        { kind: 'reward', amount: 1n, to: 'rewards', tx: 'tx', name: '0' },
        { kind: 'reward', amount: 8n, to: 'rewards', tx: null, asset: 'gMON', height: 2n, time, name: 'r0', bookedAt: BEGIN },
        { amount: 1n, to: 'stake', asset: 'native', name: 'r1' },
      ])
      const twice = line(3n, 1, { rewards: 11n })
      const same = entry('reward', 1n, 'chain', 'rewards', { ...plain, height: 3n, time: twice.reading.mark.time })
      await save(await book(), { ...twice, entries: [same, same] })
      t.equal((await lines())[2]?.entries.length, 2, 'two of one bucket keep their rows')
    },
    memory,
  ),
)

await t.test('what is superseded is taken back once, whatever is taken back later', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { open, book, save, lines, run } = rig(store)
      await open()
      const since = async (after: number) => {
        const row = await book()
        return run((database) => entriesSince(database, row, after, BUCKETS))
      }
      const keeps = async () => {
        const row = await book()
        return (await run((database) => basesOf(database, row))).map(({ n, reading, isComplete }) => [n, reading.keep.of, isComplete])
      }
      await save(await book(), line(1n, null, {}))
      const open1 = { ...CHANGE, openFrom: 0, openSince: BEGIN }
      await save(
        await book(),
        line(2n, 0, { stake: 5n }, [entry('unexplained', 5n, 'unknown', 'stake', { reason: 'flow_missing' })], { complete: false }),
        open1,
      )
      t.same(await keeps(), [
        [1, '2', false],
        [0, '1', true],
      ])
      const reading = line(3n, 0, { stake: 6n, rewards: 1n }, [
        entry('deposit', 6n, 'wallet', 'stake'),
        entry('reward', 1n, 'chain', 'rewards', { height: 3n, time: at(3n).time, tx: null, index: null }),
      ])
      const again = {
        ...reading,
        entries: reading.entries.map((each) => (each.kind === 'reward' ? { ...each, time: reading.reading.mark.time } : each)),
      }
      await save(await book(), { ...again, corrected: await since(0) }, open1)
      t.same(await keeps(), [
        [2, '3', true],
        [0, '1', true],
      ])
      // That one, too, is superseded: by its own entries alone.
      t.same(
        (await since(0)).map(({ kind, amount, line: of, name }) => `${of}-${name} ${kind} ${amount}`),
        ['2-r1 reward 1', '2-1 deposit 6'],
      )
      await save(await book(), line(4n, 0, { stake: 7n }, [entry('deposit', 7n, 'wallet', 'stake')], { corrected: await since(0) }))
      t.same(shortOf(await lines()), [
        '1: unexplained 5 unknown > stake',
        '2: unexplained -5 unknown > stake (takes back 1-0)',
        '2: deposit 6 wallet > stake',
        '2: reward 1 chain > rewards',
        '3: reward -1 chain > rewards (takes back 2-r1)',
        '3: deposit -6 wallet > stake (takes back 2-1)',
        '3: deposit 7 wallet > stake',
      ])
      t.same(
        (await lines()).map(({ isSuperseded, isComplete }) => [isSuperseded, isComplete]),
        [
          [false, true],
          [true, false],
          [true, true],
          [false, true],
        ],
      )
      await save(await book(), line(5n, 3, { stake: 7n }))
      t.same(await keeps(), [
        [4, '5', true],
        [3, '4', true],
      ])
    },
    memory,
  ),
)

await t.test('whichever statement fails, nothing of a line is there, and the next attempt writes all of it', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { open, book, run, save, lines } = rig(store)
      await open()
      await save(await book(), line(1n, null, { stake: 1n }))
      const open1 = { ...CHANGE, openFrom: 0, openSince: BEGIN }
      await save(
        await book(),
        line(2n, 0, { stake: 5n }, [entry('unexplained', 4n, 'unknown', 'stake', { reason: 'flow_missing' })], { complete: false }),
        open1,
      )
      const row = await book()
      const corrected = await run((database) => entriesSince(database, row, 0, BUCKETS))
      const next = line(3n, 0, { stake: 5n, rewards: 2n }, [entry('deposit', 4n, 'wallet', 'stake')], { corrected })
      const before = JSON.stringify(await lines(), (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
      let failures = 0
      for (let stop = 0; ; stop++) {
        const done = await run(function* (database) {
          const work = saveLine(database, row, next, CHANGE)
          let step = work.next([])
          for (let count = 0; !step.done; count++) {
            if (count === stop) throw new Error('killed')
            step = work.next(yield step.value)
          }
          return step.value
        }).catch((error: Error) => error.message)
        if (done === true) break
        t.equal(done, 'killed')
        failures++
        t.equal(
          JSON.stringify(await lines(), (_key, value) => (typeof value === 'bigint' ? `${value}` : value)),
          before,
        )
        t.equal((await book()).fence, row.fence)
      }
      t.ok(failures >= 6, `${failures} places`)
      t.same(shortOf(await lines()).slice(1), ['2: unexplained -4 unknown > stake (takes back 1-0)', '2: deposit 4 wallet > stake'])
      t.equal((await run(() => ask(sql`select * from svc_marks`))).length, 3, 'and no mark twice')
    },
    memory,
  ),
)

await t.test('wallets that are read at one block share its row, and lines are found by the chain’s time', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { open, book, save, run } = rig(store)
      for (const wallet of ['p001', 'p002']) {
        await open({ ...KEY, wallet })
        await save(await book(wallet), line(1n, null, {}))
        await save(await book(wallet), line(5n, 0, {}))
        await save(await book(wallet), line(9n, 1, {}))
      }
      t.equal((await run(() => ask(sql`select * from svc_marks`))).length, 3)
      const row = await book()
      const numbers = async (range: object) =>
        (await run((database) => linesOf(database, row, BUCKETS, { limit: 9, ...range }))).map(({ n }) => n)
      t.same(await numbers({}), [0, 1, 2])
      t.same(await numbers({ from: at(5n).time }), [1, 2])
      t.same(await numbers({ to: at(5n).time }), [0])
      t.same(await numbers({ after: 0 }), [1, 2])
      t.same(await numbers({ after: 0, limit: 1 }), [1])
      t.same(
        (await run(() => ask(sql`select at from svc_lines where book = ${row.id} and n = 1`))).map(({ at: time }) => timeOrNull(time)),
        [at(5n).time],
      )
    },
    memory,
  ),
)

await t.test('a line that was written after its book was read, with a bucket that is new, is read as it is', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { open, book, save, run } = rig(store)
      await open()
      const before = await book()
      t.same(before.keys, [])
      const reward = (height: bigint) => {
        const next = line(height, height === 1n ? null : 0, { [`exit:${height}`]: height })
        const { time } = next.reading.mark
        return { ...next, entries: [entry('reward', height, 'chain', `exit:${height}`, { height, time, tx: null, index: null })] }
      }
      await save(before, reward(1n))
      await save(await book(), reward(2n))
      t.match(await run((database) => linesOf(database, before, BUCKETS, { limit: 9 })), [
        { n: 0, closing: { 'exit:1': 1n }, entries: [{ to: 'exit:1', amount: 1n, name: 'r0' }] },
        { n: 1, closing: { 'exit:2': 2n }, entries: [{ to: 'exit:2', amount: 2n, name: 'r1' }] },
      ])
      t.match(
        (await run((database) => basesOf(database, before))).map(({ reading }) => reading.amounts),
        [{ 'exit:2': 2n }, { 'exit:1': 1n }],
      )
      t.match(
        (await run((database) => entriesSince(database, before, -1, BUCKETS))).map(({ to }) => to),
        ['exit:1', 'exit:2'],
      )
    },
    memory,
  ),
)

await t.test('what is written in one book leaves every other as it is', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { open, book, save, run } = rig(store)
      const basesIn = async (wallet: string) => {
        const row = await book(wallet)
        return (await run((database) => basesOf(database, row))).map(({ n, reading }) => [n, reading.keep.of])
      }
      const linesIn = async (wallet: string) => {
        const row = await book(wallet)
        return run((database) => linesOf(database, row, BUCKETS, { limit: 99 }))
      }
      const open1 = { ...CHANGE, openFrom: 0, openSince: BEGIN }
      const deposit = (height: bigint) => {
        const next = line(height, 0, { rewards: height, stake: height }, [entry('deposit', height, 'wallet', 'stake')])
        const { time } = next.reading.mark
        return { ...next, entries: [...next.entries, entry('reward', height, 'chain', 'rewards', { height, time, tx: null, index: null })] }
      }
      for (const wallet of ['p001', 'p002']) {
        await open({ ...KEY, wallet })
        await save(await book(wallet), line(1n, null, {}))
        await save(await book(wallet), deposit(2n), open1)
      }
      const before = [await basesIn('p002'), await linesIn('p002')]
      t.same(before[0], [
        [1, '2'],
        [0, '1'],
      ])
      const row = await book()
      const of = async (after: number) =>
        (await run((database) => entriesSince(database, row, after, BUCKETS))).map(
          ({ line: at, kind, amount }) => `${at} ${kind} ${amount}`,
        )
      t.same(await of(0), ['1 reward 2', '1 deposit 2'])
      t.same(await of(1), [], 'of later lines alone')
      const corrected = await run((database) => entriesSince(database, row, 0, BUCKETS))
      await save(row, { ...deposit(3n), corrected })
      await save(await book(), { ...line(4n, 2, { stake: 3n, rewards: 3n }) })
      t.same(await basesIn('p001'), [
        [3, '4'],
        [2, '3'],
      ])
      t.same([await basesIn('p002'), await linesIn('p002')], before)
    },
    memory,
  ),
)
