import { isDoubted, type Look, type Looks, type Standing } from '@svc/contract'
import type { Work, WorkDatabase } from '../db/work.ts'
import type { Events } from '../webhooks/events.ts'
import { knownOf, type TransactionRow } from './row.ts'
import { lookAfter, PATIENCE_MS } from './schedule.ts'
import { eventsOf } from './tell.ts'
import { type Looked, saveLook } from './transactions.ts'
import { type Advance, advance, mayNeverCome } from './transition.ts'
import { readSoon } from './watches.ts'

/** A transaction that was looked at, before anything of it is written. */
export interface Seen {
  readonly row: TransactionRow
  readonly looks: Looks
  readonly look: Look
  readonly at: Date
}

/** Asks the chain where a transaction of a row stands. @throws 502, 503, 504 */
export async function lookAt(row: TransactionRow, looks: Looks): Promise<Look> {
  const { txHash, bounds, keep, firstSeen, acceptedAt } = row
  if (!looks.transaction) throw new Error(`the family of ${row.protocol} tells nothing of the life of its transactions`)
  const look = await looks.transaction({ txHash, bounds, keep, firstSeen, accepted: acceptedAt !== null })
  return { ...look, validUntil: look.validUntil ?? bounds?.validUntil ?? null }
}

/** What a look makes of its row. */
export function advanceOf({ row, look, at }: Seen): Advance {
  return advance(knownOf(row), look, at)
}

/** Whether there is something that the row does not say yet. */
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
  seen: Seen,
  scheduled: boolean,
  mostWatched: number,
): Work<boolean> {
  const { row, looks, at } = seen
  const made = advanceOf(seen)
  const units = { caip2: looks.caip2, decimals: looks.decimals, symbol: looks.symbol }
  const change: Looked = {
    advance: made,
    units,
    keep: seen.look.keep,
    scheduled,
    nextMs: made.ended ? null : nextMs(seen, made, scheduled),
  }
  if (!(yield* saveLook(database, row, change))) return false
  const { account, protocol, network, wallet } = row
  if (made.ended && made.status === 'final' && wallet !== null)
    yield* readSoon(database, { account, protocol, network, wallet }, { at, afterMs: looks.inclusionMs, most: mostWatched })
  yield* events.insert(database, eventsOf(row, made, units, at))
  return true
}

/** As the caller is told. */
export function standingOf({ txHash, firstSeen }: TransactionRow, look: Look, checkedAt: Date): Standing {
  const { keep: _keep, ...told } = look
  return { ...told, txHash, firstSeen, checkedAt }
}

function nextMs({ row, looks, look, at }: Seen, made: Advance, scheduled: boolean): number | null {
  const ageMs = at.getTime() - row.firstSeen.getTime()
  if (mayNeverCome({ ...row, status: made.status }) && ageMs >= PATIENCE_MS) return null
  const ends = look.validUntil?.estimatedAt ?? row.bounds?.validUntil.estimatedAt ?? null
  const asked = { looks: scheduled ? row.looks + 1 : row.looks, ageMs, endsInMs: ends && ends.getTime() - at.getTime() }
  const next = lookAfter(asked, looks.inclusionMs)
  // What a node seems to have lost is looked at again soon.
  return made.doubtedAt === null && !isDoubted(look.keep) ? next : Math.min(next, Math.max(DOUBT_MS, looks.inclusionMs))
}

/** How soon something doubtful is looked at again, in milliseconds: just after it counts (`transition.ts`, and the contract's own doubt). */
const DOUBT_MS = 6_000

function sameFacts(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
