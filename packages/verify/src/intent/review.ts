import { check } from '../check.ts'
import type { Bounds, Decoded } from '../types.ts'
import { parseUnits } from './amounts.ts'
import type { InputOf, Shape } from './input.ts'
import { rightNames } from './nearest.ts'
import type { NetworkTerms, ResponseStatements } from './network.ts'
import { Refused } from './refusal.ts'
import { describe } from './sentence.ts'
import type { ActionIntent, CraftRejection, CraftReview, Intent } from './types.ts'
import { warningsOf } from './usual-fee.ts'

export interface Review<T, S extends Shape, F> extends Judged<T, S, F> {
  /** Answer to the craft request, unchanged. */
  readonly answer: unknown
}

/** Request and terms with which a decoded transaction is compared. */
export interface Judged<T, S extends Shape, F> {
  readonly intent: Intent<T>
  readonly action: ActionIntent<T, S, F>
  readonly terms: T & NetworkTerms
  readonly input: InputOf<S>
  /** Statements of the service in the headers of its answer. */
  readonly stated?: ResponseStatements
  /** Facts that the caller knows; these are compared exactly and not assumed. */
  readonly facts?: Partial<F>
}

/**
 * Checks an answer to a craft request: decodes the bytes, takes from them the facts that only a node knows, each within its bound, and compares the whole with the request.
 * Never throws because of the answer.
 */
export function review<T, S extends Shape, F>(request: Review<T, S, F>): CraftReview | CraftRejection {
  try {
    // Which layouts apply is the intent's to say, never the answer's.
    return judge(request, decode(request, request.stated ?? {}))
  } catch (error) {
    if (Refused.is(error)) return { mismatches: [error.mismatch] }
    throw error
  }
}

/** Checks a transaction as `review` does, when it was decoded already by the layouts of the intent. Never throws because of the transaction. */
export function judge<T, S extends Shape, F>(
  { intent, action, terms, input, stated: headers = {}, facts }: Judged<T, S, F>,
  decoded: Decoded,
): CraftReview | CraftRejection {
  try {
    const read = action.factsOf?.(decoded, terms, input)
    const own: Record<string, unknown> = { ...facts }
    const effects = action.effects(terms, input, (read ? { ...read.facts, ...own } : undefined) as F)
    const isKnown = (fact: string) => Object.hasOwn(own, fact)
    const ofFamily = intent.family.claimed?.(headers, decoded, terms) ?? []
    const names = [...(intent.family.dictated ?? []), ...ofFamily, ...(read?.claimed ?? [])].map(({ fact }) => fact)
    refuseMisspelt(own, names, read?.facts)
    const claimed = [...ofFamily, ...(read?.claimed ?? [])].filter(({ fact }) => !isKnown(fact))
    const beyond = claimed.filter(({ holds }) => !holds)
    // Those of the family are in no effects; one that the transaction does not have cannot be what the caller knows.
    const other = (intent.family.dictated ?? []).flatMap(({ fact }) => {
      if (!isKnown(fact)) return []
      const claim = ofFamily.find((each) => each.fact === fact)
      const exact = claim?.exact ?? claim?.value ?? 'nothing'
      return [claim?.value, exact].includes(String(own[fact])) ? [] : [{ fact, value: exact }]
    })
    const assumed = claimed.map(({ fact, value, bound, cost }) => ({ fact, value, bound, ...(cost === undefined ? {} : { cost }) }))
    const mismatches = [
      ...beyond.map(({ fact, value, bound }) => ({ path: `facts.${fact}`, expected: bound, found: value })),
      ...other.map(({ fact, value }) => ({ path: `facts.${fact}`, expected: String(own[fact]), found: value })),
      ...check(decoded, effects, boundsOf(terms)),
    ]
    if (mismatches.length > 0) return { mismatches }
    return { decoded, effects, assumed, warnings: warningsOf(intent, terms, decoded), ...describe(intent, terms, decoded) }
  } catch (error) {
    if (Refused.is(error)) return { mismatches: [error.mismatch] }
    throw error
  }
}

/** @throws Refused for a fact that this transaction does not have: what a caller believes to be pinned would be believed of the service */
function refuseMisspelt(own: object, said: readonly string[], facts: unknown): void {
  const names = [...new Set([...said, ...Object.keys(Object(facts))])]
  const name = Object.keys(own).find((each) => !names.includes(each))
  if (name !== undefined) throw new Refused(`facts.${name}`, rightNames(name, names), 'the name of no fact of this action')
}

/** @throws Refused for whatever cannot be read */
function decode<T, S extends Shape, F>({ intent, terms, answer }: Review<T, S, F>, headers: ResponseStatements): Decoded {
  try {
    return intent.family.decode(answer, intent.layouts(terms), terms, headers)
  } catch (error) {
    // Terms that name no layouts.
    if (Refused.is(error)) throw error
    throw new Refused('bytes', 'one unsigned transaction in canonical form', error instanceof Error ? error.message : String(error))
  }
}

/** @throws Refused when the terms name no fee */
function boundsOf({ chainId, max_fee, decimals }: NetworkTerms): Bounds {
  const maxFee = parseUnits(max_fee, decimals)
  if (maxFee === null) throw new Refused('terms.max_fee', `decimal text with ${decimals} decimals at most`, max_fee)
  return { chainId, maxFee }
}
