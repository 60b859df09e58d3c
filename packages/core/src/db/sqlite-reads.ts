import { type betterSqlite, core, sqliteCore } from './drizzle.ts'
import { createPause } from './pace.ts'
import { createReads } from './reads.ts'
import { audit, credentials } from './schema-sqlite.ts'
import type { AuditRecord, Store } from './store.ts'

const { and, asc, desc, eq, sql } = core()

type Database = ReturnType<ReturnType<typeof betterSqlite>['drizzle']>

/** A statement stops the whole process for as long as it runs, in milliseconds. */
const SLICE_MS = 4
/** Transactions whose records are read in one go: an index finds each. */
const STEPS = 10

/** Creates the reads for people, on the embedded database, in statements that are too short to be noticed. */
export function sqliteReads(
  db: Database,
  attempt: <T>(work: () => T) => Promise<T>,
): Pick<Store, 'pace' | 'readAudit' | 'readSteps' | 'readCounts' | 'trimCounts' | 'credentialNames' | 'keyStates'> {
  const newer = sqliteCore().alias(audit, 'newer')
  const pace = { sliceMs: SLICE_MS, pause: createPause(SLICE_MS) }
  const placeholder = (name: string) => sql.placeholder(name)
  const prepared = () => {
    const of = and(eq(audit.unsignedHash, placeholder('unsignedHash')), eq(audit.account, placeholder('account')))
    const query = db
      .select()
      .from(audit)
      .where(and(of, sql`${audit.action} <> 'inspect'`))
    return query.orderBy(asc(audit.time), asc(audit.id)).limit(placeholder('most')).prepare()
  }
  let statements: ReturnType<typeof prepared> | undefined
  const steps = () => {
    statements ??= prepared()
    return statements
  }
  return {
    pace,
    ...createReads({
      credentials,
      reader: {
        audit,
        newer,
        // A unary plus: the planner has no statistics by which it would choose well. https://www.sqlite.org/optoverview.html (read 2026-11-22)
        aside: (column) => sql`+${column}`,
        ...pace,
        find: (where, limit, few = false) =>
          attempt(() => {
            const time = few ? sql`+${audit.time}` : audit.time
            return db.select().from(audit).where(where).orderBy(desc(time), desc(audit.id)).limit(limit).all()
          }),
        place: (where, skip) =>
          attempt(() => {
            const place = { time: audit.time, id: audit.id }
            const ordered = db.select(place).from(audit).where(where).orderBy(desc(audit.time), desc(audit.id))
            return ordered.limit(1).offset(skip).get() ?? null
          }),
      },
      ask: (statement) => attempt(() => db.all(statement)),
      findKeys: (where, most) =>
        attempt(() => db.select().from(credentials).where(where).orderBy(asc(credentials.expirationDate)).limit(most).all()),
    }),
    async readSteps(transactions, most) {
      const groups: AuditRecord[][] = []
      for (let at = 0; at < transactions.length; at += STEPS) {
        const part = transactions.slice(at, at + STEPS)
        const read = await attempt(() => part.map(({ account, unsignedHash }) => steps().all({ account, unsignedHash, most })))
        groups.push(...read)
        await pace.pause()
      }
      return groups
    },
  }
}
