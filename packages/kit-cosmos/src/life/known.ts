import type { Facts, Subject } from '@svc/contract'
import type { Ends } from './bounds.ts'

/** What is known of a transaction before a node is asked. */
export interface Known extends Omit<Ends, 'wallet'> {
  readonly hash: string
  readonly wallet: string | null
  /** Height of a state in which its sequence was not used yet: no block up to it has the transaction. */
  readonly freeAt: bigint | null
  /** Height up to which blocks after that were looked through. */
  readonly scanned: bigint | null
  /** Hash of another transaction of the sequence that was found in them; null where none was, and empty where several were. */
  readonly rival: string | null
  readonly accepted: boolean
  readonly firstSeen: Date | null
}

/** @throws TypeError for facts of another family */
export function knownOf({ txHash: hash, bounds, keep, accepted, firstSeen }: Subject): Known {
  const facts = bounds?.facts ?? {}
  const timeoutAt = facts.timeout_at === undefined ? null : new Date(facts.timeout_at)
  return {
    hash,
    wallet: bounds?.wallet ?? null,
    sequence: integer(facts.sequence),
    timeoutHeight: integer(facts.timeout_height),
    timeoutAt,
    fee: integer(facts.fee),
    freeAt: integer(keep?.free_at),
    scanned: integer(keep?.scanned),
    rival: keep?.rival ?? null,
    accepted,
    firstSeen,
  }
}

/** What the next look is to know. */
export function keepOf({ freeAt, scanned, rival }: Pick<Known, 'freeAt' | 'scanned' | 'rival'>): Facts {
  return {
    ...(freeAt === null ? {} : { free_at: String(freeAt) }),
    ...(scanned === null ? {} : { scanned: String(scanned) }),
    ...(rival === null ? {} : { rival }),
  }
}

function integer(text: string | undefined): bigint | null {
  return text === undefined ? null : BigInt(text)
}
