import { holdsLease, type Lease } from '../db/leases.ts'
import { isNotHeld } from '../plugins/life/confirm.ts'
import type { Looks } from '../plugins/life/follow.ts'
import type { Budget } from './budget.ts'
import { lastOf } from './claim.ts'
import type { Stream, StreamParts } from './follower.ts'
import { nameOf } from './networks.ts'
import { areSilent, countsOf, failureOf, type Outcome } from './outcome.ts'
import { createResends } from './resend.ts'
import { mayBeSent } from './resend-rows.ts'
import type { TransactionRow } from './row.ts'
import { retryAfter } from './schedule.ts'
import { answerInTime } from './time-limit.ts'
import { lookAt, type Seen, settle, unheardBy } from './transaction-look.ts'
import { claimTransactions, postpone, type StreamPlace } from './transactions.ts'

/** Number of transactions of a network that are looked at at once. */
const AT_ONCE = 8
/** Time for which a claimed row belongs to the process that claimed it, in milliseconds: longer than a look may take. */
const ROW_MS = 60_000
const LOOK_MS = 45_000
/** Longest time until a failed look is tried again (`RETRY_MOST_MS`), and time until the next try where the account does not have the network (`NO_NETWORK_MS`). */
const RETRY_MOST_MS = 300_000
const NO_NETWORK_MS = 3_600_000

/** Looks at the transactions of a network that are due. */
export function createTransactionStream(parts: StreamParts, budgetOf: (place: StreamPlace) => Budget): Stream {
  const { store, events, networks, now, clock, limits, log, seen: note } = parts
  const options = { now: clock }
  const resends = createResends(parts)
  /** The account that had the last turn, by network. */
  const turns = new Map<string, string>()

  /** Looks at one, and writes what it found. */
  async function look(row: TransactionRow, place: StreamPlace, lease: Lease): Promise<Outcome> {
    const looks = networks.seenBy(row.account, place)
    if (!looks?.transaction) {
      await store.transact((database) => postpone(database, row, NO_NETWORK_MS), options)
      return 'ok'
    }
    let sighting: Seen
    try {
      sighting = { row, looks, look: await answerInTime(LOOK_MS, lookAt(row, looks)), at: now() }
    } catch (err) {
      log.info({ err, ...place, txHash: row.txHash, failures: row.failures + 1 }, 'where a transaction stands could not be found out')
      await store.transact((database) => postpone(database, row, failedMs(row, looks)), options)
      return failureOf(err)
    }
    const written = await events.transact(function* (database) {
      if (!(yield* holdsLease(database, lease))) return false
      return yield* settle(database, events, sighting, true, limits.watched_per_account)
    })
    if (!(written && mayBeSent(row, sighting.at))) return 'ok'
    const to = await unheardBy(sighting)
    if (to.length > 0) await resends.sendAgain(row, looks, lease, to)
    else if (isNotHeld(sighting.look)) await resends.sendAgain(row, looks, lease)
    return 'ok'
  }

  return {
    kind: 'transactions',
    isDue: (place, due) => due.transactions && budgetOf(place).left() > 0,
    async run(place, lease) {
      const budget = budgetOf(place)
      for (;;) {
        const room = budget.take(AT_ONCE)
        if (room === 0) return 'done'
        const rows = await store.transact(function* (database) {
          if (!(yield* holdsLease(database, lease))) return null
          return yield* claimTransactions(database, place, { most: room, leaseMs: ROW_MS, after: turns.get(nameOf(place)) ?? '' })
        }, options)
        budget.giveBack(room - (rows?.length ?? 0))
        if (rows === null) return 'lost'
        if (rows.length === 0) return 'done'
        turns.set(
          nameOf(place),
          lastOf(
            rows.map(({ account }) => account),
            turns.get(nameOf(place)) ?? '',
          ),
        )
        note('transactions', place, { due: rows.map(({ nextAt }) => nextAt) })
        const outcomes = await Promise.all(rows.map((row) => look(row, place, lease)))
        note('transactions', place, countsOf(outcomes))
        // A network that answers nothing is left alone for a while: its rows are there when it is back.
        if (areSilent(outcomes)) return 'failed'
        if (rows.length < room) return 'done'
      }
    },
  }
}

function failedMs({ failures }: TransactionRow, { inclusionMs }: Looks): number {
  return Math.min(RETRY_MOST_MS, retryAfter(failures + 1, Math.max(1_000, inclusionMs)))
}
