import type { Bounds, Facts } from '@svc/contract'
import { core } from '../db/drizzle.ts'
import { effectsToJson, storableText } from '../db/json.ts'
import { nextUlid } from '../db/ulid.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import { type Claim, claimInTurns } from './claim.ts'
import { type KeptLook, type Moves, movesOf, textOfLook, type WrittenMoves } from './look-text.ts'
import { type TransactionKey, type TransactionRow, transactionOf } from './row.ts'
import type { Advance } from './transition.ts'
import type { Promised } from './units.ts'

const { sql } = core()

/** A transaction that is followed from now on. */
interface NewTransaction extends TransactionKey {
  readonly origin: TransactionRow['origin']
  /** Id of the audit record that is saved in the same transaction. */
  readonly audit: string
  readonly unsignedHash: string | null
  readonly wallet: string | null
  readonly identity: string | null
  readonly requestId: string
  readonly sentence: string | null
  readonly promised: Moves | null
  readonly bounds: Bounds | null
  /** JSON: its signed bytes; null: they are not to be kept. */
  readonly signed: string | null
  readonly firstSeen: Date
}

/**
 * Follows a transaction. One that is followed already keeps its row, which learns what was not known of it, and is looked at anew unless it has ended: soon
 * and often again, and whoever is looking at it just now looks for nothing.
 */
export function* follow(database: WorkDatabase, transaction: NewTransaction): Work<void> {
  const { account, protocol, network, txHash, origin, audit, unsignedHash, wallet, identity, requestId, sentence } = transaction
  const { promised, bounds, signed, firstSeen } = transaction
  const time = database.at(firstSeen)
  yield* ask(sql`
    insert into svc_transactions (id, account, protocol, network, tx_hash, unsigned_hash, wallet, origin, audit, identity, request_id, sentence,
      promised, bounds, signed, status, finality, certainty, history, first_seen, next_at, looks, failures, fence)
    values (${nextUlid(firstSeen.getTime())}, ${account}, ${protocol}, ${network}, ${storableText(txHash)}, ${textOf(unsignedHash)},
      ${textOf(wallet)}, ${origin}, ${audit}, ${textOf(identity)}, ${requestId}, ${textOf(sentence)}, ${jsonText(promised)}, ${jsonText(bounds)}, ${signed},
      'unknown', 'none', 'likely', '[]', ${time}, ${time}, 0, 0, 0)
    on conflict (account, protocol, network, tx_hash) do update set
      unsigned_hash = coalesce(svc_transactions.unsigned_hash, excluded.unsigned_hash),
      wallet = coalesce(svc_transactions.wallet, excluded.wallet),
      sentence = coalesce(svc_transactions.sentence, excluded.sentence),
      promised = coalesce(svc_transactions.promised, excluded.promised),
      bounds = coalesce(svc_transactions.bounds, excluded.bounds),
      identity = coalesce(svc_transactions.identity, excluded.identity),
      signed = coalesce(svc_transactions.signed, excluded.signed),
      next_at = excluded.next_at, looks = 0, failures = 0, lease_until = null, fence = svc_transactions.fence + 1
      where svc_transactions.ended_at is null`)
}

/** Notes that an endpoint took a transaction, and makes it due now. A look that began before is not written any more. */
export function* accept(database: WorkDatabase, key: TransactionKey, at: Date): Work<void> {
  const time = database.at(at)
  yield* ask(sql`
    update svc_transactions set accepted_at = coalesce(accepted_at, ${time}), next_at = ${time}, looks = 0, lease_until = null, fence = fence + 1,
      status = case when status = 'unknown' then 'pending' else status end
    where ${isThe(key)} and ended_at is null`)
}

/** Deletes the row of a transaction that was not sent after all. @param audit id of the audit record with which the row was written; another record's row stays */
export function* forget(_database: WorkDatabase, key: TransactionKey, audit: string): Work<void> {
  yield* ask(sql`delete from svc_transactions where ${isThe(key)} and audit = ${audit} and accepted_at is null and look is null`)
}

/** Finds the row of a transaction that an account follows. @returns null when the account does not follow it */
export function* findTransaction(_database: WorkDatabase, key: TransactionKey): Work<TransactionRow | null> {
  const [row] = yield* ask(sql`select * from svc_transactions where ${isThe(key)}`)
  return row ? transactionOf(row) : null
}

/** Time, in milliseconds, that a transaction may have ended before a reading whose effects the reading did not show yet: nodes are seconds apart, and looks a minute. */
const APART_MS = 600_000

/**
 * Lists what the followed transactions of a wallet promised to pay out of units, or to stake: those that can still land or have, and those that have succeeded since a reading, or shortly before it.
 *
 * @param since time of that reading
 * @returns in the order in which they were first seen
 */
export function* promisedSince(
  database: WorkDatabase,
  { account, protocol, network, wallet }: Omit<TransactionKey, 'txHash'> & { readonly wallet: string },
  since: Date,
): Work<readonly Promised[]> {
  const rows = yield* ask<{ id: string; promised: string }>(sql`
    select id, promised from svc_transactions where network = ${network} and wallet = ${wallet} and account = ${account} and protocol = ${protocol}
      and promised is not null and status in ('unknown', 'pending', 'included', 'final')
      and (ended_at is null or ended_at >= ${database.at(new Date(since.getTime() - APART_MS))})
    order by id`)
  return rows.flatMap(({ id, promised }) => {
    const moves = movesOf(JSON.parse(promised) as WrittenMoves)
    const [amount, staked] = [paidBy(moves), sumOf(moves, 'staked')]
    const units = moves.flatMap(({ kind, objectId }) => (kind === 'freed' && objectId !== undefined ? [objectId] : []))
    return amount + staked > 0n || units.length > 0 ? [{ id, amount, staked, units }] : []
  })
}

/** Adds up what moves pay out of units: what arrives, or is freed, whichever is more, since both may say the same amount from two sides. */
function paidBy(moves: Moves): bigint {
  const [arrives, freed] = [sumOf(moves, 'arrives'), sumOf(moves, 'freed')]
  const isMoreFreed = freed > arrives
  return isMoreFreed ? freed : arrives
}

function sumOf(moves: Moves, kind: Moves[number]['kind']): bigint {
  return moves.filter((move) => move.kind === kind && move.asset === 'native').reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
}

/** Counts the transactions that an account tracks and that have not ended. @param most nobody needs to know of more */
export function* countTracked(_database: WorkDatabase, account: string, most: number): Work<number> {
  const [row] = yield* ask<{ count: number | string }>(sql`select count(*) as count from
    (select 1 from svc_transactions where account = ${account} and origin = 'track' and ended_at is null limit ${most}) as tracked`)
  return Number(row?.count)
}

/** A network of a plugin, as the place where something is followed. */
export interface StreamPlace {
  readonly protocol: string
  readonly network: string
}

/** Number of turns by which a transaction of which only a hash is known waits longer than others for its next look. */
const HEARSAY_TURNS = 3

/**
 * Takes rows that are due, in turns of the accounts. Of one account, those that were never looked at come first, and those of which only a hash is known last:
 * anybody can make up any number of these.
 */
export function* claimTransactions(
  database: WorkDatabase,
  { protocol, network }: StreamPlace,
  claim: Claim,
): Work<readonly TransactionRow[]> {
  const rows = yield* claimInTurns(
    database,
    {
      table: 'svc_transactions',
      due: sql`protocol = ${protocol} and network = ${network} and next_at <= ${database.now}`,
      order: sql`case when bounds is null then 2 when look is null then 0 else 1 end, next_at`,
      standsBack: sql`case when bounds is null then ${sql.raw(String(HEARSAY_TURNS))} else 0 end`,
    },
    claim,
  )
  return rows.map(transactionOf)
}

/** Changes that a look makes to a row. */
export interface Looked {
  readonly advance: Advance
  readonly units: KeptLook['units']
  readonly keep: Facts
  /** Time until the next look, in milliseconds; null: there is none. */
  readonly nextMs: number | null
  /** True if this look was one of the scheduled ones. */
  readonly scheduled: boolean
}

/** Saves what a look at a transaction has shown. @returns false: somebody else has changed it since it was read, and nothing is written */
export function* saveLook(database: WorkDatabase, row: TransactionRow, { advance, units, keep, nextMs, scheduled }: Looked): Work<boolean> {
  const { status, finality, certainty, look, doubtedAt, ended, steps } = advance
  const { now } = database
  const history = [...row.history, ...steps]
  const saved = yield* ask(sql`
    update svc_transactions set status = ${status}, finality = ${finality}, certainty = ${certainty},
      look = ${look && textOfLook({ look: { ...look, keep: {} }, units })}, keep = ${jsonText(keep)}, history = ${jsonText(history)},
      doubted_at = ${doubtedAt && database.at(doubtedAt)}, checked_at = ${now},
      signed = ${ended || nextMs === null ? null : sql`signed`}, ended_at = ${ended ? sql`coalesce(ended_at, ${now})` : null}, next_at = ${nextMs === null ? null : database.later(nextMs)},
      looks = ${scheduled ? row.looks + 1 : row.looks}, failures = 0, lease_until = null, fence = fence + 1
    where id = ${row.id} and fence = ${row.fence} returning id`)
  return saved.length > 0
}

/** Puts off a transaction after a look that could not be made, and counts the failure. @param ms until the next look */
export function* postpone(database: WorkDatabase, { id, fence }: TransactionRow, ms: number): Work<void> {
  yield* ask(sql`
    update svc_transactions set next_at = ${database.later(ms)}, failures = failures + 1, lease_until = null, fence = fence + 1
    where id = ${id} and fence = ${fence}`)
}

function isThe({ account, protocol, network, txHash }: TransactionKey) {
  return sql`account = ${account} and protocol = ${protocol} and network = ${network} and tx_hash = ${txHash}`
}

function textOf(text: string | null): string | null {
  return text === null ? null : storableText(text)
}

function jsonText(value: object | null): string | null {
  return value === null ? null : JSON.stringify(effectsToJson(value))
}
