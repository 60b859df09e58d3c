import type { Subject } from '@svc/contract'
import type { Work, WorkDatabase } from '../db/work.ts'
import { isDoubted } from '../plugins/life/facts-to-keep.ts'
import type { Look, Looks, Standing } from '../plugins/life/follow.ts'
import type { Events } from '../webhooks/events.ts'
import { eventsOf } from './emit-events.ts'
import { knownOf, type TransactionRow } from './row.ts'
import { lookAfter, PATIENCE_MS } from './schedule.ts'
import { type Looked, saveLook } from './transactions.ts'
import { type Advance, advance, mayNeverCome } from './transition.ts'
import { readSoon } from './watches.ts'

/** Result of a look at a transaction, before anything of it is saved. */
export interface Seen {
  readonly row: TransactionRow
  readonly looks: Looks
  readonly look: Look
  readonly at: Date
}

/** Asks the chain where a transaction of a row stands. @throws 502, 503, 504 */
export async function lookAt(row: TransactionRow, looks: Looks): Promise<Look> {
  if (!looks.transaction) throw new Error(`the family of ${row.protocol} tells nothing of the life of its transactions`)
  const look = await looks.transaction(subjectOf(row))
  return { ...look, validUntil: look.validUntil ?? row.bounds?.validUntil ?? null }
}

function subjectOf({ txHash, bounds, keep, firstSeen, acceptedAt, promised, wallet: signer }: TransactionRow): Subject {
  const wallet = bounds?.wallet ?? signer
  return { txHash, ...(wallet === null ? {} : { wallet }), bounds, keep, firstSeen, accepted: acceptedAt !== null, promised }
}

/** Number of usual block times within which every endpoint should know a transaction that one endpoint accepted. */
const WAITS = 2
/**
 * Shortest time within which every endpoint should know the transaction, in milliseconds: nodes need a few seconds to pass it on when a leader of Solana or a validator of Sui is
 * late.
 */
const LEAST_WAIT_MS = 5_000
/** Most endpoints to which a transaction is sent at a time. */
const MOST_PLACES = 3

/**
 * Finds the endpoints that may not have heard of a transaction that one of them took, and that is in no block.
 *
 * @returns their places in the config, from 0, others each time where there are more than three; none as long as nodes may still pass it on, and where they could not be asked
 */
export async function unheardBy({ row, looks, look, at }: Seen): Promise<readonly number[]> {
  const waitedMs = at.getTime() - row.firstSeen.getTime()
  if (look.status !== 'pending' || waitedMs < Math.max(LEAST_WAIT_MS, WAITS * looks.inclusionMs)) return []
  const places = await looks.lacking(subjectOf(row))
  const start = places.length > MOST_PLACES ? (row.resends * MOST_PLACES) % places.length : 0
  return [...places.slice(start), ...places.slice(0, start)].slice(0, MOST_PLACES)
}

/** Works out the advance that a look makes of its row. */
export function advanceOf({ row, look, at }: Seen): Advance {
  return advance(knownOf(row), look, at)
}

/** Tells whether a look brings something that the row does not say yet. */
export function isNews({ row, look }: Seen, { steps, ended, certainty, doubtedAt }: Advance): boolean {
  if (row.endedAt !== null) return false
  return (
    steps.length > 0 ||
    ended ||
    row.look === null ||
    certainty !== row.certainty ||
    (doubtedAt === null) !== (row.doubtedAt === null) ||
    !sameFacts(look.keep, row.keep ?? {})
  )
}

/**
 * Writes what a look has brought, with its events and what follows of it, as one transaction.
 *
 * @param scheduled whether it was one of the looks that are scheduled, which the next is counted from
 * @returns false: somebody else was sooner, and nothing is written
 */
export function* settle(
  database: WorkDatabase,
  events: Pick<Events, 'insert'>,
  sighting: Seen,
  scheduled: boolean,
  mostWatched: number,
): Work<boolean> {
  const { row, looks, at } = sighting
  const progress = advanceOf(sighting)
  const units = { caip2: looks.caip2, decimals: looks.decimals, symbol: looks.symbol }
  const change: Looked = {
    advance: progress,
    units,
    keep: sighting.look.keep,
    scheduled,
    nextMs: progress.ended ? null : nextMs(sighting, progress, scheduled),
  }
  if (!(yield* saveLook(database, row, change))) return false
  const { account, protocol, network, wallet } = row
  if (progress.ended && progress.status === 'final' && wallet !== null)
    yield* readSoon(database, { account, protocol, network, wallet }, { at, afterMs: looks.inclusionMs, most: mostWatched })
  yield* events.insert(database, eventsOf(row, progress, units, at))
  return true
}

/** Describes a transaction for its caller, from its row and a look. */
export function standingOf({ txHash, firstSeen }: TransactionRow, look: Look, checkedAt: Date): Standing {
  const { keep: _keep, ...rest } = look
  return { ...rest, txHash, firstSeen, checkedAt }
}

function nextMs({ row, looks, look, at }: Seen, progress: Advance, scheduled: boolean): number | null {
  const ageMs = at.getTime() - row.firstSeen.getTime()
  if (mayNeverCome({ ...row, status: progress.status }) && ageMs >= PATIENCE_MS) return null
  const ends = endOf(look.validUntil) ?? endOf(row.bounds?.validUntil ?? null)
  const timing = {
    ...{ looks: scheduled ? row.looks + 1 : row.looks, ageMs, endsInMs: ends && ends.getTime() - at.getTime() },
    isHearsay: row.bounds === null && progress.status === 'unknown',
  }
  const regular = lookAfter(timing, looks.inclusionMs)
  // What a node seems to have lost is looked at again soon.
  const next = progress.doubtedAt === null && !isDoubted(look.keep) ? regular : Math.min(regular, Math.max(DOUBT_MS, looks.inclusionMs))
  // Whoever asks does not put off the look that is planned: it alone sends again, and would never be made beside a caller who asks often enough.
  return scheduled || row.nextAt === null ? next : Math.min(next, Math.max(0, row.nextAt.getTime() - at.getTime()))
}

/** Returns the sooner of the ends that a transaction comes to by itself; null: it comes to none, or it is not known when. */
function endOf(until: Look['validUntil']): Date | null {
  const times = [until?.estimatedAt, until?.also?.estimatedAt].flatMap((time) => time?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/**
 * Time after which a transaction in a doubtful state is looked at again, in milliseconds: just longer than the time for which a doubt has to last (`transition.ts`, and
 * `confirm.ts`).
 */
const DOUBT_MS = 6_000

function sameFacts(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
