import type { Stirring } from '@svc/contract/control'
import { core } from '../db/drizzle.ts'
import { storableText } from '../db/json.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import type { KeptPosition } from './kept-position.ts'
import type { StreamPlace } from './transactions.ts'
import { type Watch, watchOf } from './watches.ts'

const { sql } = core()

/** Most wallets that one statement looks up. */
const PER_STATEMENT = 500
const KEY = 'height'

/** Reads the height up to which a network was searched with some settings. @param path of the settings in the config @returns null: it never was */
export function* searchedUpTo(_database: WorkDatabase, path: string): Work<bigint | null> {
  const [row] = yield* ask<{ value: string }>(sql`select value from svc_records where place = ${placeOf(path)} and key = ${KEY}`)
  return row === undefined || !/^\d{1,18}$/.test(row.value) ? null : BigInt(row.value)
}

/** Keeps the height up to which a network was searched. */
export function* keepSearched(database: WorkDatabase, path: string, height: bigint): Work<void> {
  yield* ask(sql`
    insert into svc_records (place, key, value, updated_at) values (${placeOf(path)}, ${KEY}, ${String(height)}, ${database.now})
    on conflict (place, key) do update set value = excluded.value, updated_at = excluded.updated_at returning key`)
}

function placeOf(path: string): string {
  return `stirrings ${path}`
}

/** Finds the watches of wallets that have stirred since they were read; those that were never read are read anyway. */
export function* stirredWatches(
  _database: WorkDatabase,
  { protocol, network }: StreamPlace,
  stirrings: readonly Stirring[],
): Work<readonly Watch[]> {
  const heights = new Map<string, bigint | null>()
  for (const { wallet, height } of stirrings) heights.set(wallet, later(heights.get(wallet), height))
  const wallets = [...heights.keys()]
  const watches: Watch[] = []
  for (let at = 0; at < wallets.length; at += PER_STATEMENT) {
    const list = wallets.slice(at, at + PER_STATEMENT).map((wallet) => sql`${storableText(wallet)}`)
    const rows = yield* ask(sql`
      select * from svc_watches where protocol = ${protocol} and network = ${network} and removed_at is null and position is not null
        and wallet in (${sql.join(list, sql`, `)})`)
    watches.push(...rows.map(watchOf).filter(({ wallet, position }) => isNews(position, heights.get(wallet) ?? null)))
  }
  return watches
}

/** Most watched wallets of a network that a search is told of. */
const MOST_WALLETS = 100_000

/** Lists the wallets that anybody watches on a network, each once. */
export function* watchedWallets(_database: WorkDatabase, { protocol, network }: StreamPlace): Work<readonly string[]> {
  const rows = yield* ask<{ wallet: string }>(sql`
    select distinct wallet from svc_watches where protocol = ${protocol} and network = ${network} and removed_at is null
    order by wallet limit ${MOST_WALLETS}`)
  return rows.map(({ wallet }) => wallet)
}

/** Has a position read now, also where a reading of it is under way, which may have begun before the change. */
export function* readNow({ now }: WorkDatabase, { id }: Watch): Work<void> {
  yield* ask(sql`
    update svc_watches set due_at = case when due_at < ${now} then due_at else ${now} end, failures = 0, lease_until = null, fence = fence + 1
    where id = ${id} and removed_at is null returning id`)
}

/** The later of two heights of changes; null where one of them is not known. */
function later(before: bigint | null | undefined, height: bigint | undefined): bigint | null {
  if (before === null || height === undefined) return null
  return before === undefined || height > before ? height : before
}

function isNews(position: string | null, height: bigint | null): boolean {
  const read = position === null ? undefined : (JSON.parse(position) as KeptPosition).height
  return height === null || read === undefined || BigInt(read) < height
}
