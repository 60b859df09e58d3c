import type { Bounds } from '@svc/contract'
import type { Validity } from '@svc/contract/host'
import { core } from '../db/drizzle.ts'
import { ask, jsonOf, type Work, type WorkDatabase } from '../db/work.ts'
import type { TransactionRow } from './row.ts'

const { sql } = core()

/** Number of times that the service sends a transaction again by itself. */
const MOST = 5
/** Time since a transaction was first seen after which the service no longer sends it again and forgets its bytes, in milliseconds: a day. */
const PATIENCE_MS = 86_400_000
/** Time between one attempt and the next, in milliseconds; doubled each time: 5, 10, 20 and 40 minutes. */
const PAUSE_MS = 300_000
/** Kinds of validity that exclude each other: of two transactions with the same value, at most one can land. */
const EXCLUSIVE: ReadonlySet<string> = new Set(['nonce', 'sequence', 'nonce_account'])

/**
 * Tells whether a transaction may be sent again, by what its row says: endpoints are not asked whether they have heard of it as long as it may not. That nothing has changed since,
 * and that it has no rival, is found out where the attempt is taken.
 */
export function mayBeSent({ isSigned, acceptedAt, resends, resentAt, firstSeen }: TransactionRow, at: Date): boolean {
  if (!isSigned || acceptedAt === null || resends >= MOST || at.getTime() - firstSeen.getTime() >= PATIENCE_MS) return false
  return resentAt === null || at.getTime() - resentAt.getTime() >= pauseMs(resends)
}

/** Computes the time that has to pass after so many attempts, in milliseconds. */
function pauseMs(resends: number): number {
  return PAUSE_MS * 2 ** Math.max(0, resends - 1)
}

/**
 * Takes an attempt to send a transaction again, before it is made. Nothing is sent of what has ended, what somebody has changed since it was looked at, what was
 * sent as often as it may be or just now, or what has a rival.
 *
 * @param fence of the row as the look has left it
 * @returns its signed bytes; null: it is not to be sent
 */
export function* takeResend(database: WorkDatabase, row: TransactionRow, fence: number): Work<Readonly<Record<string, unknown>> | null> {
  if (yield* hasRival(database, row)) return null
  const [claim] = yield* ask<{ signed: string }>(sql`
    update svc_transactions set resends = resends + 1, resent_at = ${database.now}, fence = fence + 1
    where id = ${row.id} and fence = ${fence} and ended_at is null and signed is not null and accepted_at is not null and status = 'pending'
      and resends < ${MOST} and first_seen > ${database.later(-PATIENCE_MS)} and (resent_at is null or resent_at <= ${database.later(-pauseMs(row.resends))})
    returning signed`)
  return claim ? jsonOf<Readonly<Record<string, unknown>>>(claim.signed) : null
}

/**
 * Tells whether a rival of a transaction is followed, for whichever account: one of the same wallet, where only one of the two can land; and, where their
 * validity does not say that, any that came later and is still open.
 */
function* hasRival(database: WorkDatabase, { network, wallet, txHash, bounds, firstSeen }: TransactionRow): Work<boolean> {
  if (wallet === null || bounds === null) return true
  const rows = yield* ask<{ bounds: string | null; first_seen: unknown; later: unknown; open: unknown }>(sql`
    select bounds, case when first_seen >= ${database.at(firstSeen)} then 1 else 0 end as later,
      case when ended_at is null then 1 else 0 end as open
    from svc_transactions where network = ${network} and wallet = ${wallet} and tx_hash <> ${txHash} and status not in ('replaced', 'expired')`)
  const own = onceOf(bounds)
  return rows.some((other) => {
    const match = jsonOf<Bounds>(other.bounds)
    const once = match && onceOf(match)
    if (own && once) return once.kind === own.kind && once.value === own.value
    return Number(other.later) === 1 && Number(other.open) === 1
  })
}

/** Returns what of the ends of a transaction only one transaction can use; undefined where its bytes do not say it. */
function onceOf({
  validUntil: { also, ...until },
}: {
  readonly validUntil: Pick<Validity, 'kind' | 'value'> & { readonly also?: Pick<Validity, 'kind' | 'value'> }
}) {
  return [until, also].find((end) => end !== undefined && EXCLUSIVE.has(end.kind) && end.value !== null)
}

/** Forgets signed bytes that are not sent again any more. */
export function* forgetSigned(database: WorkDatabase): Work<void> {
  const over = sql`(ended_at is not null or next_at is null or resends >= ${MOST} or first_seen <= ${database.later(-PATIENCE_MS)})`
  yield* ask(sql`update svc_transactions set signed = null where signed is not null and ${over} returning id`)
}
