import type { SQL } from 'drizzle-orm'
import { isValid } from 'ulid'
import { type NextValue, wholeOf } from './audit-beginning.ts'
import { type AuditTable, newestOfIts, notOlderThan, olderThan, passing } from './audit-conditions.ts'
import { type AuditPlace, cursorOf, readCursor, toPage } from './cursor.ts'
import { core } from './drizzle.ts'
import { type Pace, readInSlices } from './slices.ts'
import type { AuditFilter, AuditPage, AuditRecord } from './store.ts'
import type { WorkDatabase } from './work.ts'

const { and, sql } = core()

/** Condition of a statement. */
type Where = (database: WorkDatabase) => SQL | undefined

/** Reads that a search asks of its database, each in one statement. Newest first. */
interface AuditReader extends Pace {
  readonly audit: AuditTable
  /** The audit table under the alias `newer`. */
  readonly newer: AuditTable
  /** Wraps a column so that the database does not choose an index for a condition on it, where the database needs that. */
  readonly aside: (column: SQL) => SQL
  /** Finds records. @param few so few records match that sorting them is quicker than reading in order */
  find(where: Where, limit: number, few?: boolean): Promise<readonly AuditRecord[]>
  /** Finds the place after `skip` others. */
  place(where: Where, skip: number): Promise<AuditPlace | null>
  /** Finds the identifiers of keys and tokens with a name, in any case of letters, of one account or of all. */
  keysNamed(name: string, account: string | undefined): Promise<readonly string[]>
  /** Reads wallets and hashes in the order of their index. */
  readonly next: NextValue
}

/** Reads a page of the audit log; rare records are searched in slices of time. @throws 400 `INVALID_CURSOR` */
export async function searchAudit(reader: AuditReader, filter: AuditFilter): Promise<AuditPage> {
  return search(reader, await withoutText(reader, filter))
}

async function search(reader: AuditReader, filter: AuditFilter): Promise<AuditPage> {
  const { audit, aside } = reader
  const from = filter.before === undefined ? undefined : readCursor(filter.before)
  const { limit, patienceMs = Number.POSITIVE_INFINITY } = filter
  const { isOne, whereOf } = conditionsOf(reader, filter)
  const few = filter.transaction !== undefined
  if (isOne || few) {
    await reader.pause()
    return toPage(await reader.find((database) => whereOf(database, from), limit + 1, few), limit)
  }
  const slices = {
    place: (start: AuditPlace | undefined, skip: number) =>
      reader.place((database) => and(passing(audit, filter, database, aside).scope, olderThan(audit, start, database)), skip),
    find: (start: AuditPlace | undefined, edge: AuditPlace | undefined, most: number) =>
      reader.find((database) => and(whereOf(database, start), notOlderThan(audit, edge, database)), most),
  }
  const { rows, cutOff } = await readInSlices(reader, slices, { from, limit: limit + 1, patienceMs })
  return cutOff ? { records: rows, next: cursorOf(cutOff) } : toPage(rows, limit)
}

/** Makes the conditions of a filter. `isOne`: an index has exactly these records, in their order. */
function conditionsOf({ audit, newer, aside }: AuditReader, filter: AuditFilter) {
  const whereOf = (database: WorkDatabase, from: AuditPlace | undefined) => {
    const { scope, rest } = passing(audit, filter, database, aside)
    return and(scope, olderThan(audit, from, database), rest, filter.collapse ? newestOfIts(audit, newer, filter, database) : undefined)
  }
  return { isOne: !filter.collapse && passing(audit, filter, NO_TIMES, aside).rest === undefined, whereOf }
}

/** Where only the number of conditions counts. */
const NO_TIMES = { at: () => sql`null` }

/**
 * Replaces a text by the member of a record that it is, where a record has it: a wallet, hash, identity, request id, code, or key by its identifier or name, each
 * whole; or the beginning of a wallet or hash. An index finds each, in slices as every search. A text that no record has stays a part of sentences.
 */
async function withoutText(reader: AuditReader, filter: AuditFilter): Promise<AuditFilter> {
  const { text, ...others } = filter
  if (text === undefined || text.length < SHORTEST) return filter
  const { account, viewer } = filter
  const whose = { ...(account === undefined ? {} : { account }), ...(viewer === undefined ? {} : { viewer }) }
  const sees = async (member: Partial<AuditFilter>) => {
    if (Object.keys(member).some((name) => Object.hasOwn(others, name))) return false
    return (await search(reader, { ...whose, ...member, limit: 1 })).records.length > 0
  }
  for (const member of membersLike(text, await reader.keysNamed(text, account))) if (await sees(member)) return { ...others, ...member }
  const begun = await wholeOf(text, reader.next, sees)
  return begun === null ? filter : { ...others, ...begun }
}

/** Fewest characters of a text that is looked up. */
const SHORTEST = 3

/** Lists the members that a text may be, by its form. @param credentialIds identifiers of the keys of that name */
function membersLike(text: string, credentialIds: readonly string[]): readonly Partial<AuditFilter>[] {
  const oneWord = /^\S+$/.test(text)
  const id = text.toUpperCase()
  return [
    ...(oneWord ? [{ wallet: text }, { transaction: text }] : []),
    ...(isValid(id) ? [{ requestId: id }, { key: id }, { target: id }] : []),
    ...(/^[A-Z][A-Z0-9_]*$/.test(id) ? [{ error: id }] : []),
    { identity: text },
    ...(credentialIds.length > 0 ? [{ key: credentialIds }] : []),
  ]
}
