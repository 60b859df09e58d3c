import type { Status } from '@svc/contract'
import type { SQL } from 'drizzle-orm'
import { encodeTime } from 'ulid'
import { core } from '../db/drizzle.ts'
import { aside, type ListStore, readList } from '../db/slices.ts'
import type { WorkDatabase } from '../db/work.ts'
import { type TransactionRow, transactionOf } from './row.ts'

const { sql } = core()

/** Filter of transactions. Members left out do not restrict. */
export interface TransactionFilter {
  readonly account?: string | undefined
  readonly protocol?: string | undefined
  /** A chain id. */
  readonly network?: string | undefined
  /** In whatever case. */
  readonly wallet?: string | undefined
  /** `open`: those that have not ended. */
  readonly status?: Status | 'open' | undefined
  /** A hash, signed or unsigned, in whatever case. */
  readonly hash?: string | undefined
  /** A whole hash or wallet, where a transaction has it; else an identity, request id, beginning of a hash or wallet, or part of the sentence, in whatever case. */
  readonly text?: string | undefined
  /** Inclusive, by the time at which it was first seen. */
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly to?: Date | undefined
  /** Id of the last of the page before. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Newest first. */
interface TransactionPage {
  readonly rows: readonly TransactionRow[]
  /** `before` of the next page; null: this was the last one. A page of which the search ran out of time has fewer rows than asked for, or none. */
  readonly next: string | null
}

/** Lists transactions that are followed or were, newest first, a page at a time. */
export async function listTransactions(store: ListStore, filter: TransactionFilter): Promise<TransactionPage> {
  return page(store, await withoutText(store, filter))
}

/** Replaces a text by the hash or wallet that it is, where a transaction has it: an index finds either. */
async function withoutText(store: ListStore, filter: TransactionFilter): Promise<TransactionFilter> {
  const { text, ...others } = filter
  if (text === undefined) return filter
  for (const member of ['hash', 'wallet'] as const) {
    if (filter[member] !== undefined) continue
    const { rows } = await page(store, { account: filter.account, [member]: text, limit: 1 })
    if (rows.length > 0) return { ...others, [member]: text }
  }
  return filter
}

async function page(store: ListStore, filter: TransactionFilter): Promise<TransactionPage> {
  const { before, limit } = filter
  const { rows, next } = await readList(store, (database) => ({
    columns: sql`*`,
    from: sql`svc_transactions`,
    by: sql`id`,
    order: 'newest first',
    ...conditionsOf(database, filter),
    behind: before,
    limit,
  }))
  return { rows: rows.map(transactionOf), next: next === null ? null : String(next) }
}

/** Makes the conditions of a filter, the most telling first: an index has the rows of the first in the order of the list. */
function conditionsOf(
  database: WorkDatabase,
  filter: TransactionFilter,
): { readonly scope: readonly SQL[]; readonly rest: readonly SQL[] } {
  const { account, protocol, network, wallet, status, hash, text, from, to } = filter
  const off = (column: SQL) => aside(database, column)
  const leading: readonly (readonly [value: string | undefined, first: (value: string) => SQL, later: (value: string) => SQL])[] = [
    [hash, ofHash, ofHash],
    [wallet, ofWallet, (value) => sql`lower(${off(sql`wallet`)}) = ${value.toLowerCase()}`],
    [account, (value) => sql`account = ${value}`, (value) => sql`${off(sql`account`)} = ${value}`],
  ]
  const conditions = leading.flatMap(([value, first, later]) => (value === undefined ? [] : [{ first: first(value), later: later(value) }]))
  const [lead, ...others] = conditions
  const rest = [
    ...others.map(({ later }) => later),
    protocol === undefined ? undefined : sql`${off(sql`protocol`)} = ${protocol}`,
    network === undefined ? undefined : sql`${off(sql`network`)} = ${network}`,
    status === undefined ? undefined : status === 'open' ? sql`${off(sql`ended_at`)} is null` : sql`${off(sql`status`)} = ${status}`,
    text === undefined ? undefined : isNamed(text),
    from === undefined ? undefined : sql`${off(sql`first_seen`)} >= ${database.at(from)}`,
    to === undefined ? undefined : sql`${off(sql`first_seen`)} < ${database.at(to)}`,
  ]
  return {
    scope: [...(lead ? [lead.first] : []), ...(from === undefined ? [] : [sql`id >= ${notBefore(from)}`])],
    rest: rest.filter((condition) => condition !== undefined),
  }
}

/** Computes the lowest id of a transaction that was first seen at a time or later: ids are made with this time, or a later one. */
function notBefore(time: Date): string {
  return encodeTime(Math.max(0, time.getTime()), 10).padEnd(26, '0')
}

/**
 * Makes the condition for a hash, by two indexes, by which few are found. Hashes are hex in one case of letters or the other, or of an alphabet in which the case
 * counts.
 */
function ofHash(text: string): SQL {
  const forms = sql`(${text}, ${text.toLowerCase()}, ${text.toUpperCase()})`
  return sql`id in (select id from svc_transactions where tx_hash in ${forms} union select id from svc_transactions where unsigned_hash in ${forms})`
}

/** Makes the condition for a wallet. The index is over the lower case, and over transactions with a wallet. */
function ofWallet(wallet: string): SQL {
  return sql`lower(wallet) = ${wallet.toLowerCase()} and wallet is not null`
}

/** Characters from which on a text is taken for the beginning of a hash or a wallet. */
const SHORTEST_BEGINNING = 8

function begins(text: string): SQL {
  if (!/^[0-9A-Za-z]+$/.test(text) || text.length < SHORTEST_BEGINNING) return sql`1 = 0`
  const pattern = `${text.toLowerCase()}%`
  return sql`(lower(wallet) like ${pattern} or lower(tx_hash) like ${pattern} or lower(unsigned_hash) like ${pattern})`
}

function isNamed(text: string): SQL {
  const part = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql`(identity = ${text} or request_id = ${text} or ${begins(text)} or lower(sentence) like ${part} escape '\\')`
}
