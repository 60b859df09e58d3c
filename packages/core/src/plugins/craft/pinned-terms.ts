import { formatAmount, type NetworkBase } from '@svc/contract'
import type { AnyKit } from '@svc/contract/host'
import type { Intent, NetworkTerms, TermValue } from '@svc/verify/intent'

/** The terms of one network, as a trust document pins them: plain data, by the names that the intent gives them. */
export type PinnedTerms = NetworkTerms & Readonly<Record<string, TermValue>>

/** Members of a protocol that say which of its settings are terms. */
export interface Promising {
  /** npm name. */
  readonly name: string
  readonly kit: AnyKit
  readonly intent?: Intent
}

/**
 * Returns those settings of a network on which a protocol's promises rest, and no others.
 *
 * @param network settings as they were checked and filled in
 * @throws Error when the protocol has no intent, or its network lacks a term that the intent names: a mistake of the plugin
 */
export function termsOf(protocol: Promising, network: NetworkBase): PinnedTerms {
  const { kit, intent, name } = protocol
  if (!intent) throw new Error(`${name} declares no intent, so that nobody can check what it crafts`)
  const settings: Readonly<Record<string, unknown>> = { ...network, ...kit.terms?.(network) }
  const own: Record<string, TermValue> = {}
  for (const [term, kind] of Object.entries({ ...intent.family.terms, ...intent.terms })) {
    const value = settings[term]
    if (kind.type === 'list') {
      if (Array.isArray(value) && value.length > 0) own[term] = value
    } else if (typeof value === 'string' || typeof value === 'number') own[term] = value
    else if (value !== undefined || !kind.optional) throw new Error(`${name}: the intent names the term ${term}, which the network lacks`)
  }
  const { chainId, decimals, maxFee, symbol = 'native tokens' } = network
  return { chainId, caip2: kit.caip2(network), decimals, symbol, max_fee: formatAmount(maxFee, decimals), ...own }
}

/** Makes the reader of a protocol's pinned terms, which computes those of each network once. */
export function pinnedTerms(protocol: Promising): (network: NetworkBase) => PinnedTerms {
  const terms = new WeakMap<NetworkBase, PinnedTerms>()
  return (network) => {
    const pinned = terms.get(network) ?? termsOf(protocol, network)
    terms.set(network, pinned)
    return pinned
  }
}
