import type { SQL } from 'drizzle-orm'
import type { Beginning, NextValue } from './audit-beginning.ts'
import { auditNames } from './audit-conditions.ts'
import { recordOf } from './audit-row.ts'
import { searchAudit } from './audit-search.ts'
import { readCounts, trimCounts } from './counts.ts'
import { acceptedKeys, credentialOf, ofAccount } from './credentials.ts'
import { core } from './drizzle.ts'
import type { Pace } from './slices.ts'
import type { AuditRecord, Store, Transaction } from './store.ts'
import { ask, listed, timeOf, type Work, type WorkDatabase, type WorkRunner } from './work.ts'

const { and, sql } = core()

/** Most keys of one name that a search takes into account, the newest first. */
const NAMED = 50
/** Transactions whose records are read by one work on the embedded database, which stops the process meanwhile: an index finds each. */
const STEPS = 10

/** Columns as their indexes have them. */
const INDEXED: Readonly<Record<Beginning, { readonly value: SQL; readonly isThere: SQL }>> = {
  wallet: { value: sql`lower(wallet)`, isThere: sql`wallet is not null` },
  txHash: { value: sql`tx_hash`, isThere: sql`tx_hash is not null` },
  unsignedHash: { value: sql`unsigned_hash`, isThere: sql`unsigned_hash is not null` },
}

/** Functions of a store by which people look at what it has. */
type Reads = Pick<Store, 'pace' | 'readAudit' | 'readSteps' | 'readCounts' | 'trimCounts' | 'credentialNames' | 'keyStates'>

/** Makes the reads for people, on either database, in statements that delay nobody for long. */
export function createReads({ run }: Pick<WorkRunner, 'run'>, dialect: Store['dialect'], pace: Pace): Reads {
  const [audit, newer] = [auditNames('svc_audit'), auditNames('newer')]
  const order = (time: SQL) => sql`order by ${time} desc, ${audit.id} desc`
  const rowsOf = <Row>(statement: SQL) => run(() => ask<Row>(statement))
  /** A unary plus: the planner of SQLite has no statistics by which it would choose well. @see https://www.sqlite.org/optoverview.html (read 2026-11-22) */
  const aside = dialect === 'sqlite' ? (column: SQL) => sql`+${column}` : (column: SQL) => column
  const count = async (conditionOf: (database: WorkDatabase) => SQL) => {
    const [row] = await run((database) =>
      ask<{ count: number | string }>(sql`select count(*) as count from svc_credentials where ${conditionOf(database)}`),
    )
    return Number(row?.count)
  }
  const next: NextValue = async (of, from, isBehind, below) => {
    const { value, isThere } = INDEXED[of]
    const begins = isBehind ? sql`${value} > ${from}` : sql`${value} >= ${from}`
    const where = sql`${isThere} and ${begins} and ${value} < ${below}`
    const [hit] = await rowsOf<{ value: string }>(sql`select ${value} as value from svc_audit where ${where} order by ${value} limit 1`)
    return hit?.value ?? null
  }
  const reader = {
    ...pace,
    audit,
    newer,
    aside,
    async find(whereOf: (database: WorkDatabase) => SQL | undefined, limit: number, few = false) {
      const time = few ? aside(audit.time) : audit.time
      const rows = await run((database) => ask(sql`select * from svc_audit ${only(whereOf(database))} ${order(time)} limit ${limit}`))
      return rows.map(recordOf)
    },
    async place(whereOf: (database: WorkDatabase) => SQL | undefined, skip: number) {
      const [row] = await run((database) =>
        ask(sql`select time, id from svc_audit ${only(whereOf(database))} ${order(audit.time)} limit 1 offset ${skip}`),
      )
      return row === undefined ? null : { time: timeOf(row.time), id: String(row.id) }
    },
    async keysNamed(name: string, account: string | undefined) {
      const whose = account === undefined ? undefined : sql`account = ${account}`
      const condition = and(whose, sql`lower(name) = ${name.toLowerCase()}`)
      const rows = await rowsOf<{ ulid: string }>(
        sql`select ulid from svc_credentials ${only(condition)} order by ulid desc limit ${NAMED}`,
      )
      return rows.map(({ ulid }) => ulid)
    },
    next,
  }
  return {
    pace,
    readAudit: (filter) => searchAudit(reader, filter),
    async readSteps(transactions, most) {
      if (dialect === 'postgres') return run(() => stepsAtOnce(transactions, most))
      const groups: (readonly AuditRecord[])[] = []
      for (let at = 0; at < transactions.length; at += STEPS) {
        const part = transactions.slice(at, at + STEPS)
        groups.push(...(await run(() => stepsOneByOne(part, most))))
        await pace.pause()
      }
      return groups
    },
    readCounts: (filter) => readCounts(rowsOf, filter, pace.pause),
    trimCounts: (now) => trimCounts(rowsOf, now),
    async credentialNames(ulids) {
      if (ulids.length === 0) return new Map()
      const match = await rowsOf<{ ulid: string; name: string }>(sql`select ulid, name from svc_credentials where ulid in ${listed(ulids)}`)
      return new Map(match.map(({ ulid, name }) => [ulid, name]))
    },
    async keyStates(account, { now, until, most }) {
      const [all, active, expiring] = await Promise.all([
        count(() => ofAccount(account, 'key')),
        count((database) => acceptedKeys(database, account, now)),
        run((database) =>
          ask(
            sql`select * from svc_credentials where ${acceptedKeys(database, account, now, until)} order by expiration_date limit ${most}`,
          ),
        ),
      ])
      return { active, inactive: all - active, expiring: expiring.map(credentialOf) }
    },
  }
}

/** Records of crafts, prepares and broadcasts: what was inspected is no step. */
const OF_STEPS = sql`action <> 'inspect' order by time, id`

/** Reads the records of many transactions in one statement: for each an index finds the first ones. */
function* stepsAtOnce(transactions: readonly Transaction[], most: number): Work<readonly (readonly AuditRecord[])[]> {
  const groups: AuditRecord[][] = transactions.map(() => [])
  if (transactions.length === 0) return groups
  const accounts = sql.param(transactions.map(({ account }) => account))
  const hashes = sql.param(transactions.map(({ unsignedHash }) => unsignedHash))
  const rows = yield* ask(sql`
    select asked.n, step.* from unnest(${accounts}::text[], ${hashes}::text[]) with ordinality as asked (account, hash, n)
    cross join lateral (
      select * from svc_audit where unsigned_hash = asked.hash and account = asked.account and ${OF_STEPS} limit ${most}
    ) as step order by asked.n, step.time, step.id`)
  for (const row of rows) groups[Number(row.n) - 1]?.push(recordOf(row))
  return groups
}

function* stepsOneByOne(transactions: readonly Transaction[], most: number): Work<readonly (readonly AuditRecord[])[]> {
  const groups: AuditRecord[][] = []
  for (const { account, unsignedHash } of transactions) {
    const rows = yield* ask(
      sql`select * from svc_audit where unsigned_hash = ${unsignedHash} and account = ${account} and ${OF_STEPS} limit ${most}`,
    )
    groups.push(rows.map(recordOf))
  }
  return groups
}

function only(condition: SQL | undefined): SQL {
  return condition === undefined ? sql`` : sql`where ${condition}`
}
