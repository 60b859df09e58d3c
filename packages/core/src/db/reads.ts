import type { SQL } from 'drizzle-orm'
import type { Beginning, NextValue } from './audit-beginning.ts'
import { type AuditReader, searchAudit } from './audit-search.ts'
import { accepted, type ColumnsOf } from './conditions.ts'
import { type Ask, readCounts, trimCounts } from './counts.ts'
import { core } from './drizzle.ts'
import type { Credential, Store } from './store.ts'

const { and, eq, sql } = core()

/** A database, as far as what people look at is read from it. */
interface ReadDatabase {
  readonly reader: Omit<AuditReader, 'keysNamed' | 'next'>
  readonly ask: Ask
  readonly credentials: ColumnsOf<Credential>
  /** Those that expire first. */
  findKeys(where: SQL | undefined, most: number): Promise<readonly Credential[]>
}

/** Most keys of one name that a search takes into account, the newest first. */
const NAMED = 50

/** Columns as their indexes have them. */
const INDEXED: Readonly<Record<Beginning, { readonly value: SQL; readonly isThere: SQL }>> = {
  wallet: { value: sql`lower(wallet)`, isThere: sql`wallet is not null` },
  txHash: { value: sql`tx_hash`, isThere: sql`tx_hash is not null` },
  unsignedHash: { value: sql`unsigned_hash`, isThere: sql`unsigned_hash is not null` },
}

/** Creates the reads that all stores share, whatever the database. */
export function createReads(
  database: ReadDatabase,
): Pick<Store, 'readAudit' | 'readCounts' | 'trimCounts' | 'credentialNames' | 'keyStates'> {
  const { reader, ask, credentials, findKeys } = database
  const count = async (where: SQL | undefined) => {
    const [row] = await ask<{ count: number | string }>(sql`select count(*) as count from svc_credentials where ${where}`)
    return Number(row?.count)
  }
  const keysNamed = async (name: string, account: string | undefined) => {
    const whose = account === undefined ? undefined : eq(credentials.account, account)
    const condition = and(whose, sql`lower(${credentials.name}) = ${name.toLowerCase()}`)
    const rows = await ask<{ ulid: string }>(sql`select ulid from svc_credentials where ${condition} order by ulid desc limit ${NAMED}`)
    return rows.map(({ ulid }) => ulid)
  }
  const next: NextValue = async (of, from, isBehind, below) => {
    const { value, isThere } = INDEXED[of]
    const begins = isBehind ? sql`${value} > ${from}` : sql`${value} >= ${from}`
    const where = sql`${isThere} and ${begins} and ${value} < ${below}`
    const [hit] = await ask<{ value: string }>(sql`select ${value} as value from svc_audit where ${where} order by ${value} limit 1`)
    return hit?.value ?? null
  }
  return {
    readAudit: (filter) => searchAudit({ ...reader, keysNamed, next }, filter),
    readCounts: (filter) => readCounts(ask, filter, reader.pause),
    trimCounts: (now) => trimCounts(ask, now),
    async credentialNames(ulids) {
      if (ulids.length === 0) return new Map()
      const these = sql.join(
        ulids.map((ulid) => sql`${ulid}`),
        sql`, `,
      )
      const match = await ask<{ ulid: string; name: string }>(sql`select ulid, name from svc_credentials where ulid in (${these})`)
      return new Map(match.map(({ ulid, name }) => [ulid, name]))
    },
    async keyStates(account, { now, until, most }) {
      const whose = account === null ? undefined : eq(credentials.account, account)
      const [all, active, expiring] = await Promise.all([
        count(and(eq(credentials.kind, 'key'), whose)),
        count(accepted(credentials, account, now)),
        findKeys(accepted(credentials, account, now, until), most),
      ])
      return { active, inactive: all - active, expiring }
    },
  }
}
