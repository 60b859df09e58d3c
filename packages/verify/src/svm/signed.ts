import type { Decoded } from '../types.ts'
import { isAssertion } from './assertion.ts'

/** Most assertions that a wallet adds: one for who pays and one for each token account, of which staking has two at most. A choice of this project. */
const MOST_ASSERTIONS = 4

/**
 * Leaves out what wallets add to a transaction before they sign it, which are assertions of Lighthouse, and the fee payer's signature, so that a signed transaction reads
 * like the craft. An assertion moves nothing.
 *
 * @see https://docs.phantom.com/developer-powertools/lighthouse (read 2026-11-29)
 */
export function withoutAdditions(decoded: Decoded): Decoded {
  const { calls, signers, terms } = decoded
  const { signed, ...rest } = terms
  const others = String(signed ?? '')
    .split(',')
    .filter((address) => address !== '' && address !== signers?.[0])
  const own = calls.filter((call) => !isAssertion(call))
  return {
    ...decoded,
    calls: calls.length - own.length > MOST_ASSERTIONS ? calls : own,
    terms: others.length === 0 ? rest : { ...rest, signed: others.join(',') },
  }
}
