/** Name of the term that says the last height of a block which takes the transaction: what follows from its block hash, and is not in the bytes. */
export const LAST_HEIGHT = 'lastValidBlockHeight'

type Terms = Readonly<Record<string, string | bigint>>

/** Adds to the decoded bytes the height that was noted with their block hash: bytes with a durable nonce have none, so that one noted there differs. */
export function withLastHeight<Decoded extends { readonly terms: Terms }>(decoded: Decoded, { [LAST_HEIGHT]: height }: Terms): Decoded {
  if (height === undefined || decoded.terms.blockhash === undefined) return decoded
  return { ...decoded, terms: { ...decoded.terms, [LAST_HEIGHT]: height } }
}
