import type { Assembly, NetworkBase } from '@svc/contract'
import type { Decoded, Mismatch } from '@svc/verify'
import { judge } from '@svc/verify/intent'
import { type Promising, pinnedTerms } from './pinned-terms.ts'

/** Checks a transaction that was read back for what it is held to besides its effects. @returns what a caller would refuse it for */
export type PromiseCheck = (
  network: NetworkBase,
  input: Readonly<Record<string, unknown>>,
  decoded: Decoded,
  terms: Assembly<unknown>['terms'],
) => readonly Mismatch[]

/**
 * Makes the check of the facts that only a node knows, by the same bounds that callers check. Effects and bytes may rest on the same wrong reading, such as an amount that
 * an endpoint has corrected: then they agree, and only the bound exposes it.
 *
 * @param name of the action
 */
export function promisedOf(protocol: Promising, name: string): PromiseCheck {
  const { kit, intent } = protocol
  const action = intent && Object.hasOwn(intent.actions, name) ? intent.actions[name] : undefined
  if (!intent || !action?.factsOf) return () => []
  const terms = pinnedTerms(protocol)
  const dictated = new Set((intent.family.dictated ?? []).map(({ fact }) => `facts.${fact}`))
  return (network, input, decoded, dictatedTerms) => {
    const judged = judge({ intent, action, terms: terms(network), input, stated: kit.stated?.(dictatedTerms) ?? {} }, decoded)
    if (!('mismatches' in judged)) return []
    // What the family bounds of every transaction the kit bounds itself, by more than the terms: by what several endpoints say.
    return judged.mismatches.filter(({ path }) => !dictated.has(path))
  }
}
