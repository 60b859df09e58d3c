import type { Status } from '@svc/contract'
import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import { type TransactionRow, transactionOf } from './row.ts'

const { sql } = core()

/** Which transactions. Members left out do not restrict. */
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
  /** A whole hash, wallet, identity or request id, or the beginning of a hash or wallet; else a part of the sentence, in whatever case. */
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
export interface TransactionPage {
  readonly rows: readonly TransactionRow[]
  /** `before` of the next page; null: this was the last one. */
  readonly next: string | null
}

/** Transactions that are followed, or were. */
export function* listTransactions(database: WorkDatabase, filter: TransactionFilter): Work<TransactionPage> {
  const { account, protocol, network, wallet, status, hash, text, from, to, before, limit } = filter
  const conditions = [
    account === undefined ? undefined : sql`account = ${account}`,
    protocol === undefined ? undefined : sql`protocol = ${protocol}`,
    network === undefined ? undefined : sql`network = ${network}`,
    wallet === undefined ? undefined : sql`lower(wallet) = ${wallet.toLowerCase()}`,
    status === undefined ? undefined : status === 'open' ? sql`ended_at is null` : sql`status = ${status}`,
    hash === undefined ? undefined : isHash(hash),
    text === undefined ? undefined : sql`(${isHash(text)} or ${isNamed(text)})`,
    from === undefined ? undefined : sql`first_seen >= ${database.at(from)}`,
    to === undefined ? undefined : sql`first_seen < ${database.at(to)}`,
    before === undefined ? undefined : sql`id < ${before}`,
  ].filter((condition) => condition !== undefined)
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const rows = yield* ask(sql`select * from svc_transactions ${where} order by id desc limit ${limit + 1}`)
  const page = rows.slice(0, limit).map(transactionOf)
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** Hashes are hex in one case of letters or the other, or of an alphabet in which the case counts. */
function isHash(text: string) {
  const forms = sql`(${text}, ${text.toLowerCase()}, ${text.toUpperCase()})`
  return sql`(tx_hash in ${forms} or unsigned_hash in ${forms})`
}

/** Characters from which on a text is taken for the beginning of a hash or a wallet. */
const SHORTEST_BEGINNING = 8

function begins(text: string) {
  if (!/^[0-9A-Za-z]+$/.test(text) || text.length < SHORTEST_BEGINNING) return sql`1 = 0`
  const pattern = `${text.toLowerCase()}%`
  return sql`(lower(wallet) like ${pattern} or lower(tx_hash) like ${pattern} or lower(unsigned_hash) like ${pattern})`
}

function isNamed(text: string) {
  const part = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql`(lower(wallet) = ${text.toLowerCase()} or identity = ${text} or request_id = ${text} or ${begins(text)} or lower(sentence) like ${part} escape '\\')`
}
