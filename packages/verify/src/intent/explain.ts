import { DecodeError } from '../errors.ts'
import type { Explanation } from './explained.ts'
import { hiddenIn } from './hidden.ts'
import type { NetworkTerms, ResponseStatements } from './network.ts'
import { describe } from './sentence.ts'
import type { Acts, Description, Intent } from './types.ts'
import { warningsOf } from './usual-fee.ts'

/** Transaction whose request is not known, read and put into words. `known` is true if it does what one request to the protocol leads to, on these terms. */
export interface ExplainedTransaction extends Description, Explanation {
  /** Time until which the transaction can be sent, as a phrase. */
  readonly validity: string
  /** Warnings for a person, a sentence each: a fee far above the usual one. */
  readonly warnings: readonly string[]
}

/**
 * Reads any transaction of a protocol's family, unsigned or signed, and puts it into words by the protocol's intent. It reports what the transaction does, not whether that
 * was requested: `review` checks that.
 *
 * @param terms pinned ones, of the network that the transaction is for
 * @param text hex or base64
 * @param headers what the bytes do not name and the caller knows, by the names of response headers: a Cosmos account number
 * @throws DecodeError with a sentence on what it is not: no transaction of the family, or one for another chain
 */
export async function explain<T>(
  intent: Intent<T>,
  terms: T & NetworkTerms,
  text: string,
  headers: ResponseStatements = {},
): Promise<ExplainedTransaction> {
  const { family } = intent
  if (!family.explain) throw new DecodeError(`transactions of the family ${family.name} can be read only as the answer to a craft`)
  const explanation = await family.explain(text, intent.layouts(terms), terms, headers)
  const { decoded } = explanation
  if (decoded.chainId !== null && decoded.chainId !== terms.chainId)
    throw new DecodeError(`the transaction is for the chain ${decoded.chainId}; it must be for ${terms.chainId}`)
  const [unsigned = text] = Object.values(explanation.unsigned)
  const signer = explanation.signers[0]?.address ?? null
  return {
    ...explanation,
    ...describe(intent, terms, decoded),
    known: hiddenIn(intent, terms, await actsOf(intent, terms, unsigned), () => signer) === null,
    validity: family.validity(decoded),
    warnings: warningsOf(intent, terms, decoded),
  }
}

/**
 * Reads the effects of a transaction that somebody is about to send.
 *
 * @param text hex or base64, unsigned where its family signs it in another form
 * @throws DecodeError
 */
export async function actsOf<T>({ family, layouts }: Intent<T>, terms: T & NetworkTerms, text: string): Promise<Acts> {
  if (family.acts) return family.acts(text, layouts(terms), terms)
  if (!family.explain) throw new DecodeError(`transactions of the family ${family.name} can be read only as the answer to a craft`)
  const { decoded } = await family.explain(text, layouts(terms), terms, {})
  return { decoded, signers: decoded.signers }
}
