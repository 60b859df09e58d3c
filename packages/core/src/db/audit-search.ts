import type { Column, SQL } from 'drizzle-orm'
import { isValid } from 'ulid'
import { type NextValue, wholeOf } from './audit-beginning.ts'
import { type AuditTable, newestOfIts, notOlderThan, olderThan, passing } from './audit-conditions.ts'
import { type AuditPlace, cursorOf, readCursor, toPage } from './cursor.ts'
import { core } from './drizzle.ts'
import type { AuditFilter, AuditPage, AuditRecord } from './store.ts'

const { and } = core()

/** Reads that a search asks of its database, each in one statement. Newest first. */
export interface AuditReader {
  readonly audit: AuditTable
  /** The same under the name `newer`. */
  readonly newer: AuditTable
  readonly aside?: (column: Column) => SQL
  /** Time that one statement should take, in milliseconds. */
  readonly sliceMs: number
  /** @param few so few records pass that they are better put in order than read in order */
  find(where: SQL | undefined, limit: number, few?: boolean): Promise<readonly AuditRecord[]>
  /** The place after `skip` others. */
  place(where: SQL | undefined, skip: number): Promise<AuditPlace | null>
  /** Between two statements. */
  pause(): Promise<void>
  /** Identifiers of keys and tokens of that name, in either case of letters: of an account, or of all. */
  keysNamed(name: string, account: string | undefined): Promise<readonly string[]>
  /** Reads wallets and hashes in the order of their index. */
  readonly next: NextValue
}

/** Records looked through by the first statement, and by any; between them as many as the time allows. */
const FIRST = 1_000
const MOST = 32_000

/**
 * Reads a page of the audit log, through as many short statements as it takes: what is rare is looked for in slices, so that neither the database nor
 * this process is busy with one search for long, and the search can end when its time is over.
 *
 * @throws 400 `INVALID_CURSOR`
 */
export async function searchAudit(reader: AuditReader, filter: AuditFilter): Promise<AuditPage> {
  return search(reader, await withoutText(reader, filter))
}

async function search(reader: AuditReader, filter: AuditFilter): Promise<AuditPage> {
  const { audit, newer, aside } = reader
  const began = performance.now()
  let from = filter.before === undefined ? undefined : readCursor(filter.before)
  const { scope, rest } = passing(audit, filter, aside)
  const { limit, patienceMs = Number.POSITIVE_INFINITY } = filter
  const clause = and(rest, filter.collapse ? newestOfIts(audit, newer, filter) : undefined)
  const few = filter.transaction !== undefined
  if (!clause || few) {
    await reader.pause()
    return toPage(await reader.find(and(scope, olderThan(audit, from), clause), limit + 1, few), limit)
  }

  const records: AuditRecord[] = []
  let size = FIRST
  while (true) {
    await reader.pause()
    const slice = performance.now()
    const edge = (await reader.place(and(scope, olderThan(audit, from)), size - 1)) ?? undefined
    const within = and(scope, olderThan(audit, from), notOlderThan(audit, edge), clause)
    records.push(...(await reader.find(within, limit + 1 - records.length)))
    if (records.length > limit || !edge) return toPage(records, limit)
    if (performance.now() - began > patienceMs) return { records: records, next: cursorOf(edge) }
    from = edge
    const pace = reader.sliceMs / Math.max(performance.now() - slice, 0.1)
    size = Math.round(Math.min(Math.max(size * Math.min(Math.max(pace, 0.25), 4), 100), MOST))
  }
}

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

/** Letters from which on a text is looked up. */
const SHORTEST = 3

/** Members that a text may be, by its form. @param credentialIds identifiers of the keys of that name */
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
