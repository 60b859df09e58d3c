import { isServiceError } from '@svc/contract'
import { holdsLease, type Lease } from '../db/leases.ts'
import type { AuditRecord } from '../db/store.ts'
import { nextUlid } from '../db/ulid.ts'
import type { Looks } from '../plugins/life/follow.ts'
import type { StreamParts } from './follower.ts'
import { takeResend } from './resend-rows.ts'
import type { TransactionRow } from './row.ts'
import { answerInTime } from './time-limit.ts'
import { accept } from './transactions.ts'

/** Time that a broadcast may take, in milliseconds. */
const SEND_MS = 45_000

/** Sends transactions again that no node holds, or that only the node which accepted them may know. */
interface Resends {
  /**
   * Sends the very bytes of a transaction once more, if that may be: on record before it is sent, and again with how it ended. Never rejects for what the chain or
   * its nodes say.
   *
   * @param row as it was before the look which found, and saved, that no node holds it
   * @param to places in the config of the endpoints that may not know the transaction; it is sent to each of them @default one, by failover
   */
  sendAgain(row: TransactionRow, looks: Looks, lease: Lease, to?: readonly number[]): Promise<void>
}

/** Makes what sends a followed transaction once more. */
export function createResends({ store, now, clock, log }: StreamParts): Resends {
  const options = { now: clock }
  return {
    async sendAgain(row, looks, lease, to) {
      const { account, protocol, network, txHash } = row
      const signed = await store.transact(function* (database) {
        if (!(yield* holdsLease(database, lease))) return null
        return yield* takeResend(database, row, row.fence + 1)
      }, options)
      if (signed === null) return
      const record = recordOf(row, now())
      // What is on the chain and not in the audit log cannot be mended afterwards. The attempt counts, also where this throws.
      await store.appendAudit([record], [])
      const begun = performance.now()
      let refusal: unknown = null
      try {
        await answerInTime(SEND_MS, looks.send(signed, to))
      } catch (err) {
        refusal = err
      }
      const durationMs = Math.round((performance.now() - begun) * 1000) / 1000
      const status = refusal === null ? 200 : isServiceError(refusal) ? refusal.statusCode : 500
      const error = refusal === null ? null : isServiceError(refusal) ? refusal.code : 'INTERNAL_ERROR'
      log.info(
        { ...{ protocol, network, txHash, status, error }, attempt: row.resends + 1 },
        to
          ? 'a transaction that is in no block was sent to endpoints that may not have heard of it'
          : 'a transaction that no node held was sent again',
      )
      await store.appendAudit(
        [{ ...record, rev: 1, status, error, durationMs }],
        refusal === null ? [(database) => accept(database, { account, protocol, network, txHash }, now())] : [],
      )
    },
  }
}

/** Method and route of the audit record for a transaction that the service sends again by itself. */
const BY_ITSELF = { method: 'LIFE', route: 'life.resend' } as const

function recordOf(row: TransactionRow, time: Date): AuditRecord {
  const { account, protocol, network, txHash, unsignedHash, wallet, identity, requestId, sentence } = row
  return {
    ...{
      id: nextUlid(time.getTime()),
      rev: 0,
      time,
      account,
      protocol,
      network,
      txHash,
      unsignedHash,
      wallet,
      identity,
      requestId,
      sentence,
    },
    ...BY_ITSELF,
    ...{ key: '', address: null, status: 0, count: 1, durationMs: 0, action: 'resend' },
    ...{ effects: null, target: null, changes: null, moves: null, actor: null, error: null, asked: null, reason: null, path: null },
  }
}
