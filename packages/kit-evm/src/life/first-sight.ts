import type { Facts } from '@svc/contract'
import type { Block } from './receipt.ts'

/** A final block at which the nonce was free: what a node has to know of that time for its "not found" to mean something. */
export interface FirstSight {
  readonly height: bigint
  readonly hash: string
  /**
   * A transaction in it: a node that finds that one finds those after it. null where it had none: then nothing shows a node's memory, and blocks
   * before it are searched for one that has.
   */
  readonly witness: string | null
  /** Lowest block that was searched; its own height to begin with. */
  readonly searched: bigint
}

/**
 * Reads the facts that the first look at a transaction kept.
 *
 * @returns null where the nonce was used already then, and no block of before is known; undefined before the first look
 */
export function readFirst(keep: Facts | null): FirstSight | null | undefined {
  if (keep === null || keep.seen === undefined) return undefined
  const { seen: sight, height = '', hash = '', witness = '', searched = height } = keep
  const isValid = sight === 'free' && isHeight(height) && isHash(hash) && isHeight(searched) && BigInt(searched) <= BigInt(height)
  return isValid ? { height: BigInt(height), hash, witness: isHash(witness) ? witness : null, searched: BigInt(searched) } : null
}

/** Makes the first sight of a transaction from a block. @param block a final one */
export function sightOf({ number: height, hash, holds: witness }: Block): FirstSight {
  return { height, hash, witness, searched: height }
}

/** Writes the facts that the next look reads with `readFirst`. @param first null: the nonce was used already */
export function writeFirst(first: FirstSight | null): Facts {
  if (first === null) return { seen: 'used' }
  const { height, hash, witness, searched } = first
  return { seen: 'free', height: String(height), hash, ...(witness === null ? { searched: String(searched) } : { witness }) }
}

function isHeight(text: string): boolean {
  return /^\d{1,12}$/.test(text)
}

function isHash(text: string): boolean {
  return /^0x[0-9a-f]{64}$/.test(text)
}
