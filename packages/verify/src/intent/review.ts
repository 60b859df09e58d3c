import { check } from '../check.ts'
import type { Bounds, Decoded, Effects, Mismatch } from '../types.ts'
import { parseUnits } from './amounts.ts'
import type { InputOf, Shape } from './input.ts'
import type { NetworkTerms, Stated } from './network.ts'
import { Refused } from './refused.ts'
import { type Described, describe } from './sentence.ts'
import type { ActionIntent, Assumed, Intent } from './types.ts'

/** A craft that was checked against what was asked for. */
export interface Reviewed extends Described {
  readonly decoded: Decoded
  readonly effects: Effects
  /** What was taken on the service's word, each within its bound. */
  readonly assumed: readonly Assumed[]
}

/** A craft that was refused, and every reason that was found. */
export interface Rejected {
  readonly mismatches: readonly Mismatch[]
}

export interface Review<T, S extends Shape, F> extends Judged<T, S, F> {
  /** The answer to the craft request, as it came. */
  readonly answer: unknown
}

/** What a transaction that was read is compared with. */
export interface Judged<T, S extends Shape, F> {
  readonly intent: Intent<T>
  readonly action: ActionIntent<T, S, F>
  readonly terms: T & NetworkTerms
  readonly input: InputOf<S>
  /** What the service said in headers of its answer. */
  readonly stated?: Stated
  /** Facts that the caller knows himself; these are compared exactly and not assumed. */
  readonly facts?: Partial<F>
}

/**
 * Checks an answer to a craft request: reads the bytes back, takes from them the facts that only a node knows, each within its bound, and
 * compares the whole with what was asked for. Never throws on account of the answer.
 */
export function review<T, S extends Shape, F>(request: Review<T, S, F>): Reviewed | Rejected {
  try {
    // Which layouts apply is the intent's to say, never the answer's.
    return judge(request, decode(request, request.stated ?? {}))
  } catch (error) {
    if (Refused.is(error)) return { mismatches: [error.mismatch] }
    throw error
  }
}

/** As `review`, for a transaction that was read already, by the layouts of the intent. Never throws on account of it. */
export function judge<T, S extends Shape, F>(
  { intent, action, terms, input, stated = {}, facts }: Judged<T, S, F>,
  decoded: Decoded,
): Reviewed | Rejected {
  try {
    const read = action.factsOf?.(decoded, terms, input)
    const own: Record<string, unknown> = { ...facts }
    const effects = action.effects(terms, input, (read ? { ...read.facts, ...own } : undefined) as F)
    const ofFamily = intent.family.claimed?.(stated, decoded) ?? []
    const claimed = [...ofFamily, ...(read?.claimed ?? [])].filter(({ fact }) => !Object.hasOwn(own, fact))
    const beyond = claimed.filter(({ holds }) => !holds)
    // Those of the family are in no effects.
    const other = ofFamily.filter(({ fact, value }) => Object.hasOwn(own, fact) && String(own[fact]) !== value)
    const assumed = claimed.map(({ fact, value, bound }) => ({ fact, value, bound }))
    const mismatches = [
      ...beyond.map(({ fact, value, bound }) => ({ path: `facts.${fact}`, expected: bound, found: value })),
      ...other.map(({ fact, value }) => ({ path: `facts.${fact}`, expected: String(own[fact]), found: value })),
      ...check(decoded, effects, boundsOf(terms)),
    ]
    if (mismatches.length > 0) return { mismatches }
    return { decoded, effects, assumed, ...describe(intent, terms, decoded) }
  } catch (error) {
    if (Refused.is(error)) return { mismatches: [error.mismatch] }
    throw error
  }
}

/** @throws Refused for whatever cannot be read */
function decode<T, S extends Shape, F>({ intent, terms, answer }: Review<T, S, F>, stated: Stated): Decoded {
  try {
    return intent.family.decode(answer, intent.layouts(terms), terms, stated)
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
