import { core } from '../db/drizzle.ts'
import { storableText } from '../db/json.ts'
import { ask, type Row, timeOf, type Work, type WorkDatabase } from '../db/work.ts'
import type { StreamPlace } from './transactions.ts'

const { sql } = core()

/** Most own addresses of an account: they are read whole with each change from elsewhere, and a vault has a few. A choice of this project. */
export const OWN_MOST = 1_000

/** Names an address that an account says is its own on a network. */
export interface OwnAddressKey extends StreamPlace {
  readonly account: string
  /** Canonical. */
  readonly address: string
}

/** Address that an account says is its own on a network, besides the wallets that it watches. */
export interface OwnAddress extends OwnAddressKey {
  readonly createdAt: Date
}

/** Adds an own address; once more changes nothing. @returns null: the account has as many as it may have */
export function* addOwn(database: WorkDatabase, key: OwnAddressKey): Work<OwnAddress | null> {
  const { account, protocol, network, address } = key
  yield* ask(sql`
    insert into svc_own_addresses (account, protocol, network, address, created_at)
    select ${account}, ${protocol}, ${network}, ${storableText(address)}, ${database.now}
    where (select count(*) from svc_own_addresses where account = ${account}) < ${OWN_MOST}
    on conflict (account, protocol, network, address) do nothing returning address`)
  const [row] = yield* ask(sql`select * from svc_own_addresses where ${isThe(key)}`)
  return row ? ownOf(row) : null
}

/** Removes an own address. @returns false: there is none */
export function* removeOwn(_database: WorkDatabase, key: OwnAddressKey): Work<boolean> {
  return (yield* ask(sql`delete from svc_own_addresses where ${isThe(key)} returning address`)).length > 0
}

/** Lists own addresses by account, protocol, network and address, a page at a time. @param account null: of all accounts @param after the last one of the page before */
export function* listOwn(
  _database: WorkDatabase,
  account: string | null,
  { limit, after }: { readonly limit: number; readonly after?: OwnAddressKey | undefined },
): Work<readonly OwnAddress[]> {
  const columns = sql`(account, protocol, network, address)`
  const rows = yield* ask(sql`
    select * from svc_own_addresses where ${account === null ? sql`true` : sql`account = ${account}`}
      ${after === undefined ? sql`` : sql`and ${columns} > (${after.account}, ${after.protocol}, ${after.network}, ${after.address})`}
    order by account, protocol, network, address limit ${limit}`)
  return rows.map(ownOf)
}

/** Reads the own addresses of an account on a network. */
export function* ownOn(_database: WorkDatabase, { account, protocol, network }: Omit<OwnAddressKey, 'address'>): Work<readonly string[]> {
  const rows = yield* ask<{ address: string }>(sql`
    select address from svc_own_addresses where account = ${account} and protocol = ${protocol} and network = ${network} order by address`)
  return rows.map(({ address }) => address)
}

function ownOf(row: Row): OwnAddress {
  return {
    account: String(row.account),
    protocol: String(row.protocol),
    network: String(row.network),
    address: String(row.address),
    createdAt: timeOf(row.created_at),
  }
}

function isThe({ account, protocol, network, address }: OwnAddressKey) {
  return sql`account = ${account} and protocol = ${protocol} and network = ${network} and address = ${storableText(address)}`
}
