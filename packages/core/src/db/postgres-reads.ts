import { AUDIT_COLUMNS } from './audit-row.ts'
import { core, nodePostgres, pgCore } from './drizzle.ts'
import { createReads } from './reads.ts'
import { audit, credentials } from './schema-postgres.ts'
import type { AuditRecord, Store } from './store.ts'

const { asc, desc } = core()

type Database = ReturnType<typeof open>
const open = (pool: import('pg').Pool) => nodePostgres().drizzle(pool)

/** So long one search may keep a connection before others have their turn, in milliseconds. */
const SLICE_MS = 30

/** The records of many transactions in one statement: for each an index finds the first ones. */
const STEPS = `
  select asked.n, step.* from unnest($1::text[], $2::text[]) with ordinality as asked (account, hash, n)
  cross join lateral (
    select * from svc_audit where unsigned_hash = asked.hash and account = asked.account and action <> 'inspect' order by time, id limit $3
  ) as step order by asked.n, step.time, step.id`

/** Creates the reads for people, on PostgreSQL. */
export function postgresReads(
  pool: import('pg').Pool,
  attempt: <T>(work: () => PromiseLike<T>) => Promise<T>,
): Pick<Store, 'pace' | 'readAudit' | 'readSteps' | 'readCounts' | 'trimCounts' | 'credentialNames' | 'keyStates'> {
  const db: Database = open(pool)
  const pace = { sliceMs: SLICE_MS, pause: async () => {} }
  return {
    pace,
    ...createReads({
      credentials,
      reader: {
        audit,
        newer: pgCore().alias(audit, 'newer'),
        ...pace,
        find: (where, limit) => attempt(() => db.select().from(audit).where(where).orderBy(desc(audit.time), desc(audit.id)).limit(limit)),
        place: (where, skip) =>
          attempt(async () => {
            const place = { time: audit.time, id: audit.id }
            const ordered = db.select(place).from(audit).where(where).orderBy(desc(audit.time), desc(audit.id))
            const [match] = await ordered.limit(1).offset(skip)
            return match ?? null
          }),
      },
      ask: <Row>(statement: Parameters<Database['execute']>[0]) => attempt(async () => (await db.execute(statement)).rows as Row[]),
      findKeys: (where, most) =>
        attempt(() => db.select().from(credentials).where(where).orderBy(asc(credentials.expirationDate)).limit(most)),
    }),
    async readSteps(transactions, most) {
      const groups: AuditRecord[][] = transactions.map(() => [])
      if (transactions.length === 0) return groups
      const values = [transactions.map(({ account }) => account), transactions.map(({ unsignedHash }) => unsignedHash), most]
      const { rows } = await attempt(() => pool.query<Record<string, unknown>>(STEPS, values))
      for (const row of rows) groups[Number(row.n) - 1]?.push(recordOf(row))
      return groups
    },
  }
}

/** The driver reads every type that the table has as the record has it. */
function recordOf(row: Readonly<Record<string, unknown>>): AuditRecord {
  return Object.fromEntries(AUDIT_COLUMNS.map(([column, member]) => [member, row[column]])) as unknown as AuditRecord
}
