import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask, listed } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { bookSoon } from '../../src/ledger/books.ts'
import type { NewEntry } from '../../src/ledger/close.ts'
import { saveLine } from '../../src/ledger/lines.ts'
import { findBooks } from '../../src/ledger/read.ts'
import { onBoth } from '../support/databases.ts'

const { sql } = core()
const DAY_MS = 86_400_000
const BEGIN = Date.UTC(2026, 0, 1)
const MON = 10n ** 18n
/** Wallets and days of the test, and those of the demand: 400 MB a year. */
const WALLETS = 16
const DAYS = 365
const DEMAND = { bytes: 400_000_000, lines: 10_000 * 365 }
/** Wallets whose readings share a block, as many as are read at once; and lines to one flow, as of the wallets of the ledger's design. */
const A_BLOCK = 8
const A_FLOW = 15
const VACUUM_DAYS = 8
const TABLES = ['svc_lines', 'svc_marks', 'svc_entries', 'svc_pages']

/** Sums the bytes of the tables that grow with lines, their indexes included. */
async function bytesOf(store: Store): Promise<number> {
  const rows = await store.run(function* ({ dialect }) {
    return dialect === 'sqlite'
      ? yield* ask(sql`
          select sum(d.pgsize) as bytes from dbstat d join sqlite_master m on m.name = d.name
          where m.tbl_name in ${listed(TABLES)}`)
      : yield* ask(
          sql`select ${sql.join(
            TABLES.map((name) => sql`pg_total_relation_size(${name})`),
            sql` + `,
          )} as bytes`,
        )
  })
  return Number(rows[0]?.bytes)
}

async function vacuum(store: Store): Promise<void> {
  await store.run(function* ({ dialect }) {
    if (dialect === 'postgres') for (const table of TABLES) yield* ask(sql`vacuum ${sql.raw(table)}`)
  })
}

await t.test('a year of ten thousand wallets, a line a day, takes at most 400 MB', (t) =>
  onBoth(t, async (t, store) => {
    const clock = { now: new Date(BEGIN) }
    const run: Store['transact'] = (work) => store.transact(work, { now: () => clock.now })
    const wallets = Array.from({ length: WALLETS }, (_, index) => `0x${(index + 1).toString(16).padStart(40, 'a')}`)
    for (const wallet of wallets)
      await run((database) => bookSoon(database, { account: 'acme', protocol: 'evm-three', network: '143', wallet }))
    const before = await bytesOf(store)
    for (let day = 0; day < DAYS; day++) {
      await run(function* (database) {
        const books = yield* findBooks(database, {}, { after: 0, limit: WALLETS })
        for (const [index, book] of books.entries()) {
          clock.now = new Date(BEGIN + day * DAY_MS + index * 7_000)
          const block = Math.floor(index / A_BLOCK)
          const height = 50_000_000n + BigInt(day * 288_000 + block * 23)
          const time = new Date(BEGIN + day * DAY_MS + block * 56_000)
          const [stake, gained] = [BigInt(index + 3) * 1_234n * MON + 1n, 6_749_999_437_500_046n * BigInt(index + 1)]
          const entries: NewEntry[] = [
            {
              kind: 'reward',
              amount: gained,
              from: 'chain',
              to: 'rewards',
              asset: 'native',
              height,
              time,
              tx: null,
              index: null,
              reason: null,
            },
          ]
          const tx = `0x${(day * WALLETS + index).toString(16).padStart(64, 'f')}`
          if ((day + index) % A_FLOW === 0)
            entries.push({
              kind: 'deposit',
              amount: MON + 1n,
              from: 'wallet',
              to: 'stake',
              asset: 'native',
              height: height - 5n,
              time,
              tx,
              index: 3,
              reason: null,
            })
          const reading = {
            mark: { height, hash: `0x${height.toString(16).padStart(64, 'b')}`, time, epoch: 100 + day },
            amounts: { stake, rewards: gained * BigInt(day + 1) },
            keep: { accumulated: '1234567890123456789012345678', validator: '7', epoch: String(100 + day), settled: `${height}` },
          }
          const line = {
            reading,
            base: day === 0 ? null : day - 1,
            entries: day === 0 ? [] : entries,
            reasons: [],
            complete: true,
            source: 0,
            corrected: [],
          }
          yield* saveLine(database, book, line, { openFrom: null, openSince: null, nextMs: null, sweepMs: DAY_MS, failures: 0 })
        }
      })
      // As PostgreSQL does by itself once a fifth of a table's rows is gone (autovacuum_vacuum_scale_factor, 0.2 by default), and a page takes the oldest of all rows.
      if (day % VACUUM_DAYS === 0) await vacuum(store)
    }
    const perLine = ((await bytesOf(store)) - before) / (WALLETS * DAYS)
    t.comment(`${perLine.toFixed(1)} bytes a line, flows and blocks included`)
    t.ok(perLine <= DEMAND.bytes / DEMAND.lines, `${perLine} bytes a line`)
  }),
)
