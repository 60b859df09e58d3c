import type { Facts, Subject } from '@svc/contract'
import type { Ends } from './bounds.ts'

/** Known facts of a transaction before a node is asked. */
export interface Known extends Omit<Ends, 'wallet'> {
  readonly hash: string
  readonly wallet: string | null
  /** Height of a state in which the transaction's sequence was not used yet, so that no block up to it has the transaction. */
  readonly freeAt: bigint | null
  /** Height up to which the blocks after `freeAt` were searched. */
  readonly scanned: bigint | null
  /** Hash of another transaction with the sequence that was found in these blocks and is not proven; null where none was found, empty where several were. */
  readonly rival: string | null
  /** Height of the block in which a look has found the transaction, or another one of the sequence that is proven: another look begins there. */
  readonly rivalAt: bigint | null
  /** Height of the earliest state that was seen with its sequence used, of one that was never seen free: no later block has used it. */
  readonly usedAt: bigint | null
  /** Height from which on blocks were looked through, of one that was never seen free. */
  readonly back: bigint | null
  /** What it does, see `deedOf`; null where only its hash is known, or a version before has read its bounds. */
  readonly does: string | null
  readonly accepted: boolean
  readonly firstSeen: Date | null
}

/** Reads the known facts of a transaction that is looked for. @throws TypeError for facts of another family */
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
    rivalAt: integer(keep?.rival_at),
    usedAt: integer(keep?.used_at),
    back: integer(keep?.back),
    does: facts.does ?? null,
    accepted,
    firstSeen,
  }
}

/** Facts that a look leaves for the next. */
type Kept = Pick<Known, 'freeAt' | 'scanned' | 'rival' | 'rivalAt' | 'usedAt' | 'back'>

/** Writes what a look found as facts for the next one: decimal texts, and no member for what is null. */
export function keepOf({ freeAt, scanned, rival, rivalAt, usedAt, back }: Kept): Facts {
  return {
    ...(freeAt === null ? {} : { free_at: String(freeAt) }),
    ...(scanned === null ? {} : { scanned: String(scanned) }),
    ...(rival === null ? {} : { rival }),
    ...(rivalAt === null ? {} : { rival_at: String(rivalAt) }),
    ...(usedAt === null ? {} : { used_at: String(usedAt) }),
    ...(back === null ? {} : { back: String(back) }),
  }
}

/** Names of the facts that are of one node's blocks: who confirms looks through his own. */
export const PROGRESS: readonly string[] = ['scanned', 'rival', 'used_at', 'back']

function integer(text: string | undefined): bigint | null {
  return text === undefined ? null : BigInt(text)
}
