import type { Intent } from '../intent/types.ts'
import { type Agreement, agreementOf } from './agreement.ts'
import { isTouched, type ProtocolReading, type ReadingOf, readByProtocol } from './protocols.ts'
import { type PinnedTerms, type TrustDocument, unfit } from './trust.ts'

/** Comparison of a transaction with a whole trust document. */
export interface Comparison {
  /** Networks whose terms fit the transaction best: more than one where the bytes do not tell them apart. */
  readonly agreements: readonly Agreement[]
  readonly best: ProtocolReading | null
  /** Reasons why no terms fit this transaction, a sentence each; empty when some do. */
  readonly unmatched: readonly string[]
}

/** Reads a transaction on the terms of every protocol and network of a trust document, and keeps the readings that explain it best. */
export async function compareWith(trust: TrustDocument, protocols: readonly Intent[], of: ReadingOf): Promise<Comparison> {
  const unmatched: string[] = []
  const matches: { readonly reading: ProtocolReading; readonly terms: PinnedTerms }[] = []
  for (const { path, networks } of trust.protocols) {
    const protocol = protocols.find((intent) => intent.path === path)
    if (!protocol) continue
    for (const { terms } of networks) {
      const where = `${path} on ${terms.chainId}`
      const wrong = unfit(protocol, terms)
      if (wrong !== null) {
        unmatched.push(wrong)
        continue
      }
      const reading = await readByProtocol(protocol, of, terms)
      if ('why' in reading) unmatched.push(`${where}: ${reading.why}.`)
      else if (isTouched(reading)) matches.push({ reading, terms })
      else unmatched.push(`${where}: no call of the transaction is one that its actions make.`)
    }
  }
  const least = Math.min(...matches.map(({ reading }) => reading.fit.score))
  const fitting = matches.filter(({ reading }) => reading.fit.score === least)
  const agreements = fitting.map(({ reading, terms }) => agreementOf(reading, terms, trust, of.stated))
  if (matches.length === 0 && unmatched.length === 0)
    unmatched.push(
      `The trust document of ${trust.account} has no protocol of ${of.reading.title}; it has ${trust.protocols.map(({ path }) => path).join(', ') || 'none'}.`,
    )
  return { agreements, best: fitting[0]?.reading ?? null, unmatched: matches.length > 0 ? [] : unmatched }
}
