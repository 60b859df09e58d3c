import type { SQL } from 'drizzle-orm'
import { type AuditReader, searchAudit } from './audit-search.ts'
import { accepted, type ColumnsOf } from './conditions.ts'
import { type Ask, readCounts, trimCounts } from './counts.ts'
import { core } from './drizzle.ts'
import type { Credential, Store } from './store.ts'

const { and, eq, sql } = core()

/** A database, as far as what people look at is read from it. */
export interface ReadDatabase {
  readonly reader: AuditReader
  readonly ask: Ask
  readonly credentials: ColumnsOf<Credential>
  /** Those that expire first. */
  findKeys(where: SQL | undefined, most: number): Promise<readonly Credential[]>
}

/** What stores read in the same way, whatever the database. */
export function createReads(
  database: ReadDatabase,
): Pick<Store, 'readAudit' | 'readCounts' | 'trimCounts' | 'credentialNames' | 'keyStates'> {
  const { reader, ask, credentials, findKeys } = database
  const count = async (where: SQL | undefined) => {
    const [found] = await ask<{ count: number | string }>(sql`select count(*) as count from svc_credentials where ${where}`)
    return Number(found?.count)
  }
  return {
    readAudit: (filter) => searchAudit(reader, filter),
    readCounts: (filter) => readCounts(ask, filter, reader.pause),
    trimCounts: (now) => trimCounts(ask, now),
    async credentialNames(ulids) {
      if (ulids.length === 0) return new Map()
      const these = sql.join(
        ulids.map((ulid) => sql`${ulid}`),
        sql`, `,
      )
      const found = await ask<{ ulid: string; name: string }>(sql`select ulid, name from svc_credentials where ulid in (${these})`)
      return new Map(found.map(({ ulid, name }) => [ulid, name]))
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
