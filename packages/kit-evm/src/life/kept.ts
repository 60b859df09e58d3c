import type { Facts } from '@svc/contract'
import type { Block } from './receipt.ts'

/** What is noted at the first look, while the nonce was free: what a node has to know of that time for its "not found" to mean something. */
export interface FirstSight {
  /** Block that was final then. */
  readonly height: bigint
  readonly hash: string
  /** A transaction in it: a node that finds that one finds those after it. null where it had none. */
  readonly witness: string | null
}

/** @returns null where the nonce was used already then, and no block of before is known; undefined before the first look */
export function readFirst(keep: Facts | null): FirstSight | null | undefined {
  if (keep === null || keep.seen === undefined) return undefined
  const { seen, height = '', hash = '', witness = '' } = keep
  const known = seen === 'free' && /^\d{1,12}$/.test(height) && /^0x[0-9a-f]{64}$/.test(hash)
  return known ? { height: BigInt(height), hash, witness: /^0x[0-9a-f]{64}$/.test(witness) ? witness : null } : null
}

export function sightOf({ number: height, hash, holds: witness }: Block): FirstSight {
  return { height, hash, witness }
}

export function writeFirst(first: FirstSight | null): Facts {
  if (first === null) return { seen: 'used' }
  const { height, hash, witness } = first
  return { seen: 'free', height: String(height), hash, ...(witness === null ? {} : { witness }) }
}
