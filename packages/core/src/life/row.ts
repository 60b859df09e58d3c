import type { Bounds, Facts, Status } from '@svc/contract'
import { jsonOf, type Row, timeOf, timeOrNull } from '../db/work.ts'
import type { Look } from '../plugins/life/follow.ts'
import { type KeptLook, lookOfText, type Moves, movesOf, validUntilOf, type WrittenMoves, type WrittenValidUntil } from './look-text.ts'
import type { Known, Step } from './transition.ts'

/** Key of a transaction that an account follows. */
export interface TransactionKey {
  readonly account: string
  /** Short name of the plugin. */
  readonly protocol: string
  /** The chain id of the config. */
  readonly network: string
  /** Canonical. */
  readonly txHash: string
}

/** A transaction that is followed. */
export interface TransactionRow extends TransactionKey {
  readonly id: string
  readonly unsignedHash: string | null
  readonly wallet: string | null
  readonly origin: 'broadcast' | 'track'
  readonly audit: string
  readonly identity: string | null
  readonly requestId: string
  readonly sentence: string | null
  /** Moves that the bytes of the transaction promise; null: not known. */
  readonly promised: Moves | null
  /** null: only its hash is known. */
  readonly bounds: Bounds | null
  readonly keep: Facts | null
  readonly look: KeptLook | null
  readonly status: Status
  readonly finality: Look['finality']
  readonly certainty: Look['certainty']
  readonly history: readonly Step[]
  readonly doubtedAt: Date | null
  /** True if the signed bytes of the transaction are kept (`isSigned`), and the number of times that the service has sent them again. */
  readonly isSigned: boolean
  readonly resends: number
  /** Time at which the service last sent the transaction again. */
  readonly resentAt: Date | null
  readonly firstSeen: Date
  readonly acceptedAt: Date | null
  readonly checkedAt: Date | null
  readonly endedAt: Date | null
  readonly nextAt: Date | null
  readonly looks: number
  readonly failures: number
  readonly fence: number
}

/** Reads a row of `svc_transactions`. */
export function transactionOf(row: Row): TransactionRow {
  const optional = (value: unknown) => (value === null ? null : String(value))
  const promised = jsonOf<WrittenMoves>(row.promised)
  return {
    id: String(row.id),
    account: String(row.account),
    protocol: String(row.protocol),
    network: String(row.network),
    txHash: String(row.tx_hash),
    unsignedHash: optional(row.unsigned_hash),
    wallet: optional(row.wallet),
    origin: row.origin as TransactionRow['origin'],
    audit: String(row.audit),
    identity: optional(row.identity),
    requestId: String(row.request_id),
    sentence: optional(row.sentence),
    promised: promised && movesOf(promised),
    bounds: boundsOf(jsonOf<WrittenBounds>(row.bounds)),
    keep: jsonOf<Facts>(row.keep),
    look: row.look === null ? null : lookOfText(String(row.look)),
    status: row.status as Status,
    finality: row.finality as Look['finality'],
    certainty: row.certainty as Look['certainty'],
    history: (jsonOf<readonly WrittenStep[]>(row.history) ?? []).map(({ time, found, ...step }) => ({
      ...step,
      time: new Date(time),
      ...(found === undefined ? {} : { found: new Date(found) }),
    })),
    doubtedAt: timeOrNull(row.doubted_at),
    isSigned: row.signed !== null,
    resends: Number(row.resends),
    resentAt: timeOrNull(row.resent_at),
    firstSeen: timeOf(row.first_seen),
    acceptedAt: timeOrNull(row.accepted_at),
    checkedAt: timeOrNull(row.checked_at),
    endedAt: timeOrNull(row.ended_at),
    nextAt: timeOrNull(row.next_at),
    looks: Number(row.looks),
    failures: Number(row.failures),
    fence: Number(row.fence),
  }
}

/** Picks the members of a row on which its next state depends. */
export function knownOf({ status, finality, certainty, look, history, doubtedAt, endedAt }: TransactionRow): Known {
  const dropped = history.filter(({ event }) => event === 'transaction.not_held').length
  const differed = history.some(({ event }) => event === 'transaction.amounts_differ')
  return {
    status,
    finality,
    certainty,
    look: look?.look ?? null,
    steps: history.length,
    doubtedAt,
    ended: endedAt !== null,
    dropped,
    differed,
  }
}

type WrittenStep = Omit<Step, 'time' | 'found'> & { readonly time: string; readonly found?: string }
type WrittenBounds = Omit<Bounds, 'validUntil'> & {
  readonly validUntil: WrittenValidUntil
}

function boundsOf(written: WrittenBounds | null): Bounds | null {
  return written && { ...written, validUntil: validUntilOf(written.validUntil) }
}
