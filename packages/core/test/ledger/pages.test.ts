import { inspect, isDeepStrictEqual } from 'node:util'
import { deflateRawSync } from 'node:zlib'
import type { Bucket } from '@svc/contract/book'
import fc from 'fast-check'
import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { type BookRow, bookSoon } from '../../src/ledger/books.ts'
import type { NewEntry } from '../../src/ledger/close.ts'
import { basesOf, entriesSince, type NewLine, saveLine } from '../../src/ledger/lines.ts'
import { PAGE_LINES, packPage, unpackPage } from '../../src/ledger/pages.ts'
import { type BookLine, findBooks, linesBetween, linesOf } from '../../src/ledger/read.ts'
import { statementLines } from '../../src/ledger/statement.ts'
import type { StoredLine } from '../../src/ledger/stored-lines.ts'
import { turnPages } from '../../src/ledger/turn-pages.ts'
import { onBoth } from '../support/databases.ts'

const { sql } = core()
const memory = { memory: true }
const BEGIN = Date.UTC(2026, 10, 25, 12)
const HOUR = 3_600_000
const BUCKETS: readonly Bucket[] = [
  { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['deposit'] },
  { name: 'rewards', asset: 'gMON', kind: 'accrual', movedBy: ['claim'] },
]
const timeOfLine = (n: number) => new Date(BEGIN + n * HOUR)
const hashOfLine = (n: number) => `0x${n.toString(16).padStart(64, '7')}`

/** Writes lines of a wallet's book: each with a reward, each third with a deposit, each seventh incomplete. */
async function written(store: Store, wallet: string, lines: number) {
  const clock = { now: new Date(BEGIN) }
  const run: Store['transact'] = (work) => store.transact(work, { now: () => clock.now })
  await run((database) => bookSoon(database, { account: 'acme', protocol: 'paper', network: '1', wallet }))
  const book = () =>
    store.run(function* (database) {
      const [row] = yield* findBooks(database, { wallet }, { after: 0, limit: 1 })
      if (!row) throw new Error('it has a book')
      return row
    })
  const write = async (n: number, { openFrom = null, ...more }: Partial<NewLine> & { readonly openFrom?: number | null } = {}) => {
    const [height, time] = [BigInt(100 + n), timeOfLine(n)]
    clock.now = new Date(time.getTime() + 60_000)
    const flow = { height, asset: 'native', tx: hashOfLine(n + 1_000), index: 4, reason: null, time: null }
    const entries: NewEntry[] = [
      { ...flow, kind: 'reward', amount: BigInt(n), from: 'chain', to: 'rewards', asset: 'gMON', time, tx: null, index: null },
      ...(n % 3 === 0 ? [{ ...flow, kind: 'deposit' as const, amount: 10n ** 20n + BigInt(n), from: 'wallet', to: 'stake' }] : []),
    ]
    const line: NewLine = {
      reading: {
        mark: { height, hash: hashOfLine(n), time, epoch: n },
        amounts: { stake: 10n ** 21n + BigInt(n), rewards: BigInt(n * 5) },
        keep: { n: `${n}` },
      },
      base: n === 0 ? null : n - 1,
      entries: n === 0 ? [] : entries,
      reasons: n % 7 === 6 ? ['pruned', 'no_index'] : [],
      complete: n % 7 !== 6,
      source: n % 3,
      corrected: [],
      ...more,
    }
    const row = await book()
    return run((database) => saveLine(database, row, line, { openFrom, openSince: null, nextMs: null, sweepMs: null, failures: 0 }))
  }
  for (let n = 0; n < lines; n++) await write(n)
  return { run, book, write }
}

const between = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)

/** Line of `written`, as it is read. */
function expected(n: number): Partial<BookLine> {
  return {
    n,
    mark: { height: BigInt(100 + n), hash: hashOfLine(n), time: timeOfLine(n), epoch: n },
    closing: n === 0 ? { stake: 10n ** 21n } : { stake: 10n ** 21n + BigInt(n), rewards: BigInt(n * 5) },
    opening: n === 0 ? null : n - 1,
    isComplete: n % 7 !== 6,
    isSuperseded: false,
    reasons: n % 7 === 6 ? ['pruned', 'no_index'] : [],
    source: n % 3,
    bookedAt: new Date(timeOfLine(n).getTime() + 60_000),
  }
}

const count = (store: Store, table: string) =>
  store.run(function* () {
    const [row] = yield* ask(sql`select count(*) as count from ${sql.raw(table)}`)
    return Number(row?.count)
  })

await t.test('a long book is read as it was written, whatever of it lies in pages', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const length = 3 * PAGE_LINES + 5
      const { book } = await written(store, 'p001', length)
      t.equal(await count(store, 'svc_pages'), 3)
      t.equal(await count(store, 'svc_lines'), 5)
      t.equal(await count(store, 'svc_marks'), 5, 'blocks go with their lines')
      t.equal(await count(store, 'svc_entries'), between(length - 5, length).filter((n) => n % 3 === 0).length, 'and so do entries')
      const row = await book()
      const read = (range: Parameters<typeof linesOf>[3]) => store.run((database) => linesOf(database, row, BUCKETS, range))
      const all = await read({ limit: 1_000 })
      t.equal(all.length, length)
      for (const [n, line] of all.entries()) {
        const { entries, ...rest } = line
        t.same(rest, expected(n))
        t.same(
          entries.map(({ kind, amount, from, to, asset, tx, name, time, height, index }) => [
            kind,
            amount,
            from,
            to,
            asset,
            tx,
            name,
            time,
            height,
            index,
          ]),
          [
            ...(n > 0 && n % 3 === 0
              ? [['deposit', 10n ** 20n + BigInt(n), 'wallet', 'stake', 'native', hashOfLine(n + 1_000), '0', null, BigInt(100 + n), 4]]
              : []),
            ...(n > 0 ? [['reward', BigInt(n), 'chain', 'rewards', 'gMON', null, 'r1', timeOfLine(n), BigInt(100 + n), null]] : []),
          ],
        )
      }
      const numbers = async (range: Parameters<typeof linesOf>[3]) => (await read(range)).map(({ n }) => n)
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: -1, max: length }),
          fc.integer({ min: 1, max: length }),
          fc.nat(length),
          fc.nat(length),
          async (after, limit, from, to) => {
            const want = between(Math.max(after + 1, from), Math.min(length, to)).slice(0, limit)
            const got = await numbers({ after, limit, from: timeOfLine(from), to: timeOfLine(to) })
            if (String(got) !== String(want)) throw new Error(`${got} in place of ${want}`)
          },
        ),
        {
          numRuns: 60,
          examples: [
            [-1, PAGE_LINES, 0, length],
            [PAGE_LINES - 1, 1, 0, length],
            [PAGE_LINES - 2, 2, 0, length],
          ],
        },
      )
      const early = await read({ limit: 3, to: timeOfLine(9) })
      t.same(early, all.slice(0, 3), 'where no row is read')
      const spanned = await store.run((database) =>
        linesBetween(database, row, BUCKETS, { from: timeOfLine(PAGE_LINES), to: timeOfLine(PAGE_LINES + 2), most: 9 }),
      )
      t.same(
        spanned?.map(({ n }) => n),
        [PAGE_LINES - 1, PAGE_LINES, PAGE_LINES + 1],
        'with the line that it begins with, of another page',
      )
      const stated: number[] = []
      for await (const { line } of statementLines(store, {}, () => BUCKETS)) stated.push(line.n)
      t.same(stated, between(0, length))
    },
    memory,
  ),
)

await t.test('no page takes a line that an interval may begin with, or that may be taken back', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { book, write } = await written(store, 'p001', PAGE_LINES + 1)
      t.equal(await count(store, 'svc_pages'), 0, 'the line before the last one is still a base')
      await write(PAGE_LINES + 1)
      t.equal(await count(store, 'svc_pages'), 1)
      const read = <T>(work: (database: WorkDatabase, row: BookRow) => Work<T>) =>
        book().then((row) => store.run((database) => work(database, row)))
      t.same(
        (await read(basesOf)).map(({ n }) => n),
        [PAGE_LINES + 1, PAGE_LINES],
      )
      // From here on nothing explains the interval, which is tried from the same line on again and again.
      const open = PAGE_LINES + 1
      for (let n = open + 1; n < open + 2 * PAGE_LINES; n++) await write(n, { openFrom: open })
      t.equal(await count(store, 'svc_pages'), 1)
      t.ok(
        (await read(basesOf)).some(({ n }) => n === open),
        'which it begins with',
      )
      const last = open + 2 * PAGE_LINES
      const since = await read((database, row) => entriesSince(database, row, open, BUCKETS))
      t.same(
        [...new Set(since.map(({ line }) => line))].toSorted((one, other) => one - other),
        between(open + 1, last),
      )
      await write(last, { base: open, corrected: since })
      t.equal(await count(store, 'svc_pages'), 1, 'the line before it is a base until the next one')
      await write(last + 1)
      t.equal(await count(store, 'svc_pages'), 3)
      const lines = await read((database, row) => linesOf(database, row, BUCKETS, { limit: 1_000 }))
      t.same(
        lines.filter(({ isSuperseded }) => isSuperseded).map(({ n }) => n),
        between(open + 1, last),
        'taken back, and packed as such',
      )
      t.same(lines.find(({ n }) => n === last)?.entries.filter(({ corrects }) => corrects !== null).length, since.length)
    },
    memory,
  ),
)

await t.test('a block that another book still names stays', (t) =>
  onBoth(
    t,
    async (t, store) => {
      await written(store, 'p002', 5)
      await written(store, 'p001', PAGE_LINES + 2)
      t.equal(await count(store, 'svc_marks'), 5 + 2, 'those of the short book, and two of the long one')
      const { book } = await written(store, 'p003', 3)
      const row = await book()
      const lines = await store.run((database) => linesOf(database, row, BUCKETS, { limit: 9 }))
      t.same(
        lines.map(({ mark }) => mark.hash),
        [0, 1, 2].map(hashOfLine),
      )
    },
    memory,
  ),
)

await t.test('lines that are packed while they are read are there, and once', (t) =>
  onBoth(
    t,
    async (t, store) => {
      // After each of the statements that read: lines, their entries, pages.
      for (const after of [0, 1, 2]) {
        const wallet = `p00${after}`
        const { book } = await written(store, wallet, PAGE_LINES + 1)
        const row = await book()
        const read = () => store.run((database) => linesOf(database, row, BUCKETS, { limit: 100 }))
        const before = await read()
        const meanwhile = await store.run(function* (database) {
          const reading = linesOf(database, row, BUCKETS, { limit: 100 })
          let step = reading.next()
          for (let statement = 0; !step.done; statement++) {
            const rows = yield step.value
            if (statement === after) yield* turnPages(database, row, PAGE_LINES)
            step = reading.next(rows)
          }
          return step.value
        })
        t.equal(await count(store, 'svc_pages'), after + 1)
        t.equal(before.length, PAGE_LINES + 1)
        t.same(meanwhile, before)
        t.same(await read(), before)
      }
    },
    memory,
  ),
)

t.test('a page holds lines of any content, and one of another form is refused', async (t) => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const date = fc.date({ noInvalidDate: true, min: new Date(0) })
  const amounts = fc.dictionary(fc.constantFrom('stake', 'exit:7', 'foreign:ibc/"1,2'), fc.bigInt(0n, 2n ** 256n), {
    noNullPrototype: true,
  })
  const height = fc.option(fc.bigInt(0n, 2n ** 63n))
  const entry = fc.record(
    {
      line: fc.constant(0),
      name: text,
      kind: fc.constantFrom('claim' as const, 'reward' as const),
      asset: text,
      amount: fc.bigInt(-(2n ** 200n), 2n ** 200n),
      from: text,
      to: text,
      height,
      time: fc.option(date),
      tx: fc.option(text),
      index: fc.option(fc.nat()),
      reason: fc.option(fc.constantFrom('pruned' as const, 'no_index' as const)),
      corrects: fc.option(text),
      bookedAt: date,
    },
    { noNullPrototype: true },
  )
  const line: fc.Arbitrary<StoredLine> = fc
    .record({
      n: fc.nat(),
      mark: fc.record({ height, hash: fc.option(text), time: date, epoch: fc.option(fc.nat()) }, { noNullPrototype: true }),
      closing: amounts,
      rewards: amounts,
      opening: fc.option(fc.nat()),
      flags: fc.nat(3),
      reasons: fc.array(fc.constantFrom('pruned' as const, 'no_index' as const), { maxLength: 2 }),
      source: fc.nat(9),
      bookedAt: date,
      entries: fc.array(entry, { maxLength: 3 }),
    })
    .map((each) => ({ ...each, entries: each.entries.map((one) => ({ ...one, line: each.n })) }))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
      const back = unpackPage(packPage(lines))
      if (!isDeepStrictEqual(back, lines)) throw new Error(`${inspect(back)} in place of ${inspect(lines)}`)
    }),
  )
  t.throws(() => unpackPage(Buffer.from([2, ...deflateRawSync('[]')])), /a page of the form 2/)
  t.throws(() => unpackPage(Buffer.alloc(0)), /a page of the form undefined/)
  t.throws(() => unpackPage(packPage([]).subarray(0, 2)), { code: 'Z_BUF_ERROR' })
})
