import type { SQL } from 'drizzle-orm'
import { core } from './drizzle.ts'
import type { Credential, CredentialScope, Store } from './store.ts'
import { type Also, ask, type Row, timeOf, timeOrNull, type Work, type WorkDatabase, type WorkRunner } from './work.ts'

const { sql } = core()

/** Name of the PostgreSQL channel that carries the ULID of a changed credential to every replica. */
export const CREDENTIAL_CHANNEL = 'svc_credential'
/** Class of the advisory locks under which credentials are counted: any number, the same in every replica. */
const COUNT_LOCK = 0x6b657973

/** Columns that may be changed afterwards, by their members. */
const CHANGED = { name: 'name', description: 'description', expirationDate: 'expiration_date', active: 'active' } as const

type Functions =
  | 'insertCredential'
  | 'findCredential'
  | 'listCredentials'
  | 'countCredentials'
  | 'updateCredential'
  | 'deleteCredential'
  | 'countPeppers'

/**
 * Makes a store's functions for credentials, on either database.
 *
 * @param told is called with the ULID of each credential that was changed
 * @param sawTime takes the database's time, which comes with a credential that is looked up, and also where there is none
 */
export function credentialStore(
  { run, transact }: WorkRunner,
  told: (ulid: string) => void,
  sawTime: (now: Date, began: number) => void,
): Pick<Store, Functions> {
  const changing = async (ulid: string, also: Also | undefined, work: (database: WorkDatabase) => Work<boolean>) => {
    const hasChanged = await (also ? transact : run)(work)
    if (hasChanged) told(ulid)
    return hasChanged
  }
  return {
    async insertCredential(credential, most, also) {
      const inserted = await transact((database) => insert(database, credential, most, also))
      if (inserted) told(credential.ulid)
      return inserted
    },
    async findCredential(ulid) {
      const began = performance.now()
      // The time comes with the row that it decides on.
      const [row] = await run((database) =>
        ask(sql`select ${database.now} as now, c.* from (select 1 as one) as o left join svc_credentials as c on c.ulid = ${ulid}`),
      )
      if (!row) return null
      sawTime(timeOf(row.now), began)
      return row.ulid === null ? null : credentialOf(row)
    },
    async listCredentials(account, kind, { limit, after }) {
      const behind = after === undefined ? sql`` : sql`and ulid > ${after}`
      const rows = await run(() =>
        ask(sql`select * from svc_credentials where ${ofAccount(account, kind)} ${behind} order by ulid limit ${limit}`),
      )
      return rows.map(credentialOf)
    },
    async countCredentials(account, kind) {
      const where = ofAccount(account, kind)
      const rows = await run(() => ask(sql`select account, count(*) as count from svc_credentials where ${where} group by account`))
      return rows.map((row) => ({ account: String(row.account), count: Number(row.count) }))
    },
    updateCredential(scope, changes, also) {
      const members = Object.entries(CHANGED).filter(([member]) => changes[member as keyof typeof CHANGED] !== undefined)
      if (members.length === 0) return run(() => isThere(scope))
      return changing(scope.ulid, also, (database) => {
        const written = boundOf(database, changes)
        const set = members.map(([member, column]) => sql`${sql.raw(column)} = ${written[member as keyof typeof CHANGED]}`)
        return change(database, sql`update svc_credentials set ${sql.join(set, sql`, `)} where ${ofScope(scope)}`, also)
      })
    },
    deleteCredential: (scope, also) =>
      changing(scope.ulid, also, (database) => change(database, sql`delete from svc_credentials where ${ofScope(scope)}`, also)),
    async countPeppers() {
      const rows = await run(() => ask(sql`select pepper, count(*) as count from svc_credentials group by pepper`))
      return rows.map((row) => ({ pepper: row.pepper === null ? null : String(row.pepper), count: Number(row.count) }))
    },
  }
}

/** Writes the condition for the API keys of an account, or of all, that are accepted at a time and, if `until` is given, expire before it. */
export function acceptedKeys({ at }: Pick<WorkDatabase, 'at'>, account: string | null, now: Date, until?: Date): SQL {
  const expires =
    until === undefined
      ? sql`(expiration_date is null or expiration_date > ${at(now)})`
      : sql`(expiration_date > ${at(now)} and expiration_date < ${at(until)})`
  return sql`${ofAccount(account, 'key')} and active = ${flag(true)} and ${expires}`
}

/** Writes the condition for the credentials of one kind of an account, or of all accounts (`null`). */
export function ofAccount(account: string | null, kind: Credential['kind']): SQL {
  return account === null ? sql`kind = ${kind}` : sql`account = ${account} and kind = ${kind}`
}

/** Reads a row of the credentials' table. */
export function credentialOf(row: Row): Credential {
  const { ulid, kind, account, name, description, hash, prefix, pepper } = row as unknown as Credential
  return {
    ulid,
    kind,
    account,
    name,
    description,
    hash,
    prefix,
    active: Boolean(row.active),
    expirationDate: timeOrNull(row.expiration_date),
    createdAt: timeOf(row.created_at),
    lastUsedAt: timeOrNull(row.last_used_at),
    pepper,
  }
}

function* insert(database: WorkDatabase, credential: Credential, most: number | undefined, also: Also | undefined): Work<boolean> {
  const { ulid, kind, account, hash, prefix, pepper, createdAt, lastUsedAt } = credential
  if (most !== undefined) {
    // One at a time for each account: two that count together would both find room. SQLite has one writer.
    if (database.dialect === 'postgres') yield* ask(sql`select pg_advisory_xact_lock(${COUNT_LOCK}, hashtext(${`${kind} ${account}`}))`)
    const rows = yield* ask(sql`select ulid from svc_credentials where ${ofAccount(account, kind)} limit ${most}`)
    if (rows.length >= most) return false
  }
  const { name, description, expirationDate, active } = boundOf(database, credential)
  const timed = (time: Date | null) => (time === null ? sql`null` : database.at(time))
  const columns = sql.raw('ulid, kind, account, name, description, hash, prefix, active, expiration_date, created_at, last_used_at, pepper')
  const values = sql`${ulid}, ${kind}, ${account}, ${name}, ${description}, ${hash}, ${prefix}, ${active}, ${expirationDate}, ${database.at(createdAt)}, ${timed(lastUsedAt)}, ${pepper}`
  return yield* change(database, sql`insert into svc_credentials (${columns}) values (${values})`, also)
}

/** Changes a credential. On PostgreSQL one statement changes and notifies, so that neither happens without the other. @returns whether there was anything to change */
function* change(database: WorkDatabase, statement: SQL, also: Also | undefined): Work<boolean> {
  const returning = sql`${statement} returning ulid`
  const rows = yield* ask(
    database.dialect === 'postgres'
      ? sql`with changed as (${returning}) select pg_notify(${CREDENTIAL_CHANNEL}, ulid) from changed`
      : returning,
  )
  if (rows.length > 0 && also) yield* also(database)
  return rows.length > 0
}

function* isThere(scope: CredentialScope): Work<boolean> {
  const rows = yield* ask(sql`select ulid from svc_credentials where ${ofScope(scope)}`)
  return rows.length > 0
}

/** Makes the condition for the one credential that a scope names: its ULID, its kind, and the account. */
function ofScope({ ulid, account, kind }: CredentialScope): SQL {
  return sql`ulid = ${ulid} and ${ofAccount(account, kind)}`
}

/** Converts members that may be changed to what a statement binds. */
function boundOf({ at }: WorkDatabase, { name, description, expirationDate, active }: Partial<Pick<Credential, keyof typeof CHANGED>>) {
  return {
    name: sql`${name}`,
    description: sql`${description}`,
    expirationDate: expirationDate ? at(expirationDate) : sql`null`,
    active: flag(active ?? false),
  }
}

/** Writes true or false, for databases of which one has a type for it and the other one numbers. */
function flag(value: boolean): SQL {
  return sql`(${value ? 1 : 0} = 1)`
}
