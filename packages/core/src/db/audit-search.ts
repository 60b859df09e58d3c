import type { Column, SQL } from 'drizzle-orm'
import { type AuditTable, newestOfIts, notOlderThan, olderThan, passing } from './audit-conditions.ts'
import { type AuditPlace, cursorOf, readCursor, toPage } from './cursor.ts'
import { core } from './drizzle.ts'
import type { AuditFilter, AuditPage, AuditRecord } from './store.ts'

const { and } = core()

/** What a search asks of its database, each in one statement. Newest first. */
export interface AuditReader {
  readonly audit: AuditTable
  /** The same under the name `newer`. */
  readonly newer: AuditTable
  readonly aside?: (column: Column) => SQL
  /** How long one statement should take, in milliseconds. */
  readonly sliceMs: number
  /** @param few so few records pass that they are better put in order than read in order */
  find(where: SQL | undefined, limit: number, few?: boolean): Promise<readonly AuditRecord[]>
  /** The place after `skip` others. */
  place(where: SQL | undefined, skip: number): Promise<AuditPlace | null>
  /** Between two statements. */
  pause(): Promise<void>
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
export async function searchAudit(reader: AuditReader, asked: AuditFilter): Promise<AuditPage> {
  const { audit, newer, aside } = reader
  const began = performance.now()
  let from = asked.before === undefined ? undefined : readCursor(asked.before)
  const filter = await withoutText(reader, asked)
  const { scope, rest } = passing(audit, filter, aside)
  const { limit, patienceMs = Number.POSITIVE_INFINITY } = filter
  const told = and(rest, filter.collapse ? newestOfIts(audit, newer, filter) : undefined)
  const few = filter.transaction !== undefined
  if (!told || few) return toPage(await reader.find(and(scope, olderThan(audit, from), told), limit + 1, few), limit)

  const found: AuditRecord[] = []
  let size = FIRST
  while (true) {
    const slice = performance.now()
    const edge = (await reader.place(and(scope, olderThan(audit, from)), size - 1)) ?? undefined
    const within = and(scope, olderThan(audit, from), notOlderThan(audit, edge), told)
    found.push(...(await reader.find(within, limit + 1 - found.length)))
    if (found.length > limit || !edge) return toPage(found, limit)
    if (performance.now() - began > patienceMs) return { records: found, next: cursorOf(edge) }
    from = edge
    const pace = reader.sliceMs / Math.max(performance.now() - slice, 0.1)
    size = Math.round(Math.min(Math.max(size * Math.min(Math.max(pace, 0.25), 4), 100), MOST))
    await reader.pause()
  }
}

/** What is a whole wallet, hash, request id or code of a record is looked up as that, which an index does; a part of sentences is searched for. */
async function withoutText(reader: AuditReader, filter: AuditFilter): Promise<AuditFilter> {
  const { text, account, ...others } = filter
  if (text === undefined || !/^\S{3,200}$/.test(text)) return filter
  const scope = account === undefined ? {} : { account }
  for (const [name, value] of [
    ['wallet', text],
    ['transaction', text],
    ['requestId', text],
    ['error', text.toUpperCase()],
  ] as const) {
    if (others[name] !== undefined) continue
    const as = passing(reader.audit, { ...scope, [name]: value, limit: 1 }, reader.aside)
    if ((await reader.find(and(as.scope, as.rest), 1, name === 'transaction')).length > 0) return { ...others, ...scope, [name]: value }
  }
  return filter
}
