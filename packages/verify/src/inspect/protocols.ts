import { DecodeError } from '../errors.ts'
import type { ExplainedTransaction } from '../intent/explain.ts'
import { readInput } from '../intent/input.ts'
import type { ResponseStatements } from '../intent/network.ts'
import { Refused } from '../intent/refusal.ts'
import { describe } from '../intent/sentence.ts'
import type { Intent } from '../intent/types.ts'
import { warningsOf } from '../intent/usual-fee.ts'
import type { FamilyReading } from './families.ts'
import { type AnyTerms, type Fit, fit } from './fit.ts'
import type { Members } from './input-form.ts'

/** Result of reading a transaction by a protocol. */
export interface ProtocolReading {
  readonly protocol: Intent
  readonly explained: ExplainedTransaction
  readonly fit: Fit
}

/** Inputs of a reading, the same for every protocol. */
export interface ReadingOf {
  readonly text: string
  readonly reading: FamilyReading
  readonly stated: ResponseStatements
  /** Body of the request, where it is known. */
  readonly request: Members | null
  /** Action of the request, by its name in the API, where it is known. */
  readonly action: string | undefined
}

/**
 * Reads a transaction by a protocol's layouts and words.
 *
 * @param terms agreed ones; without them those of the network, and the rest is taken from the transaction itself
 * @returns why it is none of the protocol's, when it is none
 */
export async function readByProtocol(
  intent: Intent,
  { text, reading, stated: headers, request, action }: ReadingOf,
  agreed: AnyTerms | null,
): Promise<ProtocolReading | { readonly why: string }> {
  const terms: AnyTerms = agreed ?? { ...reading.network.terms, ...reading.ownTerms, max_fee: ENDLESS }
  const open = agreed ? [] : Object.keys(intent.terms)
  try {
    const explanation = await intent.family.explain?.(text, intent.layouts(terms), terms, headers)
    if (!explanation) return { why: `transactions of ${intent.path} can be read only as the answer to a craft` }
    const { decoded } = explanation
    if (agreed && decoded.chainId !== null && decoded.chainId !== agreed.chainId)
      return { why: `the transaction is for the chain ${decoded.chainId}; it must be for ${agreed.chainId}` }
    const inputs = request === null ? undefined : inputsOf(intent, request, terms.decimals)
    if (inputs && Object.keys(inputs).length === 0) return { why: `the request is of none of the actions of ${intent.path}` }
    const match = fit(decoded, { intent, terms, open, stated: headers, signer: reading.signer, action, ...(inputs ? { inputs } : {}) })
    if (match === null) return { why: `${intent.path} has no action ${action ?? ''} with such a body` }
    const words = describe(intent, match.terms, decoded)
    return {
      protocol: intent,
      fit: match,
      explained: {
        ...explanation,
        ...words,
        validity: intent.family.validity(decoded),
        warnings: warningsOf(intent, match.terms, decoded),
      },
    }
  } catch (error) {
    if (DecodeError.is(error) || Refused.is(error)) return { why: error.message }
    throw error
  }
}

/** Returns the name of a protocol for people: its title, or the path where it has none. */
export function titleOf({ title, path }: Pick<Intent, 'title' | 'path'>): string {
  return title ?? path
}

/** More than any fee: what has no agreed bound breaks none. */
const ENDLESS = '1000000000000000000000000000000'

/** Tells whether the transaction makes at least one call of the protocol's action; otherwise the protocol has nothing to say about it. */
export function isTouched({ explained: { decoded }, fit: { mismatches } }: ProtocolReading): boolean {
  const off = new Set(mismatches.map(({ path }) => path))
  if ([...off].some((path) => /^(calls|bytes)$|^(input|args|terms)\b/.test(path)))
    return decoded.calls.some(({ method }) => method !== '' && !method.startsWith('unknown'))
  return decoded.calls.some((_, i) => !off.has(`calls[${i}]`) && !off.has(`calls[${i}].method`))
}

/** Tells whether a protocol can put at least one call into words on the fitted terms. */
export function isSaid({ protocol: intent, explained: { decoded }, fit: { terms } }: ProtocolReading): boolean {
  return decoded.calls.some((call) => !call.method.startsWith('unknown') && intent.describe(call, terms) !== null)
}

/** Reads a request as the effects of each action take it, for those whose body it can be. */
function inputsOf(intent: Intent, request: Members, decimals: number): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return Object.fromEntries(
    Object.entries(intent.actions).flatMap(([name, { input: shape }]) => {
      const textual = Object.entries(request).map(([member, value]) => [
        member,
        shape[member]?.kind === 'amount' && typeof value === 'number' ? String(value) : value,
      ])
      try {
        return [[name, readInput(shape, Object.fromEntries(textual), decimals)] as const]
      } catch (error) {
        if (Refused.is(error)) return []
        throw error
      }
    }),
  )
}
