import { isDeepStrictEqual } from 'node:util'
import type { Comparison } from './endpoint.ts'
import type { Again, Confirmation, Journey, NamedCall, Outcome, Result } from './json-rpc-wave.ts'

/** Rule by which two endpoints' answers to a method are compared. Without a rule, the answers must be equal in every member. */
export interface AgreementRule {
  /** Word for the compared value, for the caller and for metrics: `nonce`. @default the method */
  readonly member?: string
  /** Takes the part of a result that must be equal: the result without its slot, say. @default all of it */
  readonly part?: (result: unknown) => unknown
  /** Chooses between two results that differ within a tolerance; null for neither. @param one,other results, not parts of them */
  readonly choose?: (one: unknown, other: unknown) => 'one' | 'other' | null
  /**
   * Makes a question whose answer, at both endpoints, shows that the result of the first one holds although the other gave a different one: a block hash that is not the
   * other's latest. It takes the place of the call when both endpoints are asked again. Null where the two results are too far apart.
   */
  readonly confirmation?: (one: unknown, other: unknown) => Confirmation | null
}

/** A family's declaration of how two endpoints agree. */
export interface JsonRpcAgreement {
  /** Returns the rule for a call. @returns undefined where results have to be the same */
  rule(method: string, params: unknown): AgreementRule | undefined
  /**
   * Reads the height of the state behind an answer, so that endpoints that differ can both be asked about the state of one height.
   *
   * @default they are asked once more as they were
   */
  readonly height?: {
    /** Call that is added to every wave; a sentinel of the same method shares its answer. */
    readonly question: NamedCall
    /** @throws for what is no height */
    read(result: unknown): bigint
    /** Largest number of blocks that one endpoint may be behind the other. The limit keeps an endpoint that reports too low a height from drawing both into an old state. */
    readonly most: bigint
    /** Adds a height to the parameters of a call. @returns the parameters for the state of that height; the same ones where they name a state already */
    at(method: string, params: unknown, height: bigint): unknown
  }
}

/** Compares the answers of two endpoints to the calls of a wave: the outcomes where they agree on all, else the first member on which they differ and how to ask again. */
export function compareJourneys(
  calls: readonly NamedCall[],
  agreement: JsonRpcAgreement | undefined,
  one: Journey,
  other: Journey,
): Comparison<Journey> {
  const outcomes: Outcome[] = []
  const confirmed = new Map<number, { readonly question: Confirmation; readonly outcome: Outcome }>()
  let member: string | null = null
  for (const [index, { method, params }] of calls.entries()) {
    const rule = agreement?.rule(method, params)
    const outcome = agreedOutcome(rule, index, one, other)
    if (outcome !== undefined) {
      outcomes.push(outcome)
      continue
    }
    member ??= rule?.member ?? method
    const own = one.outcomes[index]
    const question = confirmationOf(rule, one.results[index], other.results[index])
    if (question && own) confirmed.set(index, { question, outcome: own })
  }
  if (member === null) return { value: { ...one, outcomes } }
  const height = lowerHeight(agreement, one, other)
  if (height === 'apart') return { member: 'height' }
  const again: Again = { height, confirmed }
  return { member, again }
}

/** Returns the outcome of a call that two endpoints agree about; undefined where they do not, or where what they say has no form that can be compared. */
function agreedOutcome(rule: AgreementRule | undefined, index: number, one: Journey, other: Journey): Outcome | undefined {
  try {
    const choice = choiceOf(rule, index, one, other)
    return choice === null ? undefined : (choice === 'one' ? one : other).outcomes[index]
  } catch {
    return undefined
  }
}

function confirmationOf(rule: AgreementRule | undefined, one: Result | undefined, other: Result | undefined): Confirmation | null {
  if (!rule?.confirmation || one === undefined || other === undefined || !('result' in one && 'result' in other)) return null
  try {
    return rule.confirmation(one.result, other.result)
  } catch {
    return null
  }
}

/** Tells which endpoint's answer to a call is taken; null where they do not agree. */
function choiceOf(rule: AgreementRule | undefined, index: number, one: Journey, other: Journey): 'one' | 'other' | null {
  const [first, second] = [one.results[index], other.results[index]]
  if (first === undefined || second === undefined) return null
  const confirmation = one.again?.confirmed.get(index)
  // The words of a refusal differ between programs, and what is refused has no amount.
  if ('error' in first && 'error' in second) return confirmation ? null : 'one'
  if (!('result' in first && 'result' in second)) return null
  if (confirmation) return [first, second].every(({ result }) => confirmation.question.holds(result)) ? 'one' : null
  const { part = whole, choose } = rule ?? {}
  if (isDeepStrictEqual(part(first.result), part(second.result))) return 'one'
  return choose?.(first.result, second.result) ?? null
}

function whole(result: unknown): unknown {
  return result
}

function lowerHeight({ height }: JsonRpcAgreement = { rule: () => undefined }, one: Journey, other: Journey): bigint | null | 'apart' {
  if (height === undefined || one.height === null || other.height === null) return null
  const [low, high] = one.height < other.height ? [one.height, other.height] : [other.height, one.height]
  return high - low > height.most ? 'apart' : low
}

/**
 * Takes, for each call, the outcome on which two of the endpoints agree, when none of the endpoints answered every call.
 *
 * @returns what one of them failed at where there is nothing better; undefined for a call on which no two agree
 */
export function agreedOutcomes(
  calls: readonly NamedCall[],
  agreement: JsonRpcAgreement | undefined,
  journeys: readonly Journey[],
): readonly (Outcome | undefined)[] {
  return calls.map(({ method, params }, index) => {
    const rule = agreement?.rule(method, params)
    for (const [at, one] of journeys.entries())
      for (const other of journeys.slice(at + 1)) {
        const outcome = agreedOutcome(rule, index, one, other)
        if (outcome !== undefined && !('fault' in outcome)) return outcome
      }
    return journeys.map(({ outcomes }) => outcomes[index]).find((outcome) => outcome !== undefined && 'fault' in outcome)
  })
}
