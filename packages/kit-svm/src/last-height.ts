/** Name of the term that says the last height of a block which takes the transaction: what follows from its block hash, and is not in the bytes. */
export const LAST_HEIGHT = 'lastValidBlockHeight'

type Terms = Readonly<Record<string, string | bigint>>

/**
 * Adds to the decoded terms the last valid height that was noted with the block hash. Bytes with a durable nonce have no such height, so that one noted for them shows as a
 * difference.
 */
export function withLastHeight<Decoded extends { readonly terms: Terms }>(decoded: Decoded, { [LAST_HEIGHT]: height }: Terms): Decoded {
  if (height === undefined || decoded.terms.blockhash === undefined) return decoded
  return { ...decoded, terms: { ...decoded.terms, [LAST_HEIGHT]: height } }
}
