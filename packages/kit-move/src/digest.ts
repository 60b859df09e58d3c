import { fromBase58 } from '@mysten/sui/utils'

/** Tells whether a text is 32 bytes in base58. */
export function isDigest(text: string): boolean {
  try {
    return fromBase58(text).length === 32
  } catch {
    return false
  }
}
