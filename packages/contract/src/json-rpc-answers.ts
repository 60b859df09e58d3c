import { badGateway } from './codes.ts'
import { EndpointError, malformedAnswer } from './endpoint.ts'
import type { ServiceError } from './errors.ts'
import type { Journey, JsonRpcFault, NamedCall, Outcome, Question, Result, Sentinel } from './json-rpc-wave.ts'
import { membersOf } from './members.ts'

/** The first of the calls whose answer tells a sentinel's; null when none does. */
export function toldBy({ within }: Sentinel, calls: readonly NamedCall[]) {
  const candidates = calls.flatMap(({ method, params }, index) => {
    const take = within?.(method, params) ?? null
    return take === null ? [] : [{ index, take }]
  })
  return candidates[0] ?? null
}

/** Takes a sentinel's result out of that of the call which holds it; a call without a result leaves the sentinel without one. */
export function sentinelResultOf(carrier: Result, take: (result: unknown) => unknown): Result {
  return 'result' in carrier ? { result: take(carrier.result) } : carrier
}

/** Returns the result of a question; a question without any outcome has no answer. */
export function given(results: readonly Result[], index: number): Result {
  return results[index] ?? { fault: malformedAnswer() }
}

/** The answer to a question among those that came: the one with its id, once. */
export function resultOf({ id }: Question, answers: readonly unknown[]): Result {
  const matches = answers.filter((each): each is { id?: unknown; result?: unknown; error?: unknown } => isAnswer(each) && each.id === id)
  // A refusal of a whole request may leave its id out.
  const answer = matches[0] ?? answers.find((each) => isAnswer(each) && each.id == null && isFault(each.error))
  if (answer === undefined || matches.length > 1) return { fault: malformedAnswer(answers) }
  const { error, result } = membersOf(answer)
  if (isFault(error)) return { error }
  return result === undefined || error != null ? { fault: malformedAnswer(answers) } : { result }
}

function isAnswer(value: unknown): value is { id?: unknown; result?: unknown; error?: unknown } {
  return typeof value === 'object' && value !== null
}

/** Tells whether a member `error` of an answer is there; null and what is no object are none. What stands in it is read elsewhere. */
export function isFault(value: unknown): value is JsonRpcFault {
  return typeof value === 'object' && value !== null
}

/** Picks the faults of an endpoint out of the outcomes of calls; values and verdicts of the chain are none. */
export function faultsOf(outcomes: readonly Outcome[]): readonly EndpointError[] {
  return outcomes.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : []))
}

/**
 * The one with the fewest calls that were not answered, then with the fewest that were answered by a negative; the first of several.
 *
 * @param lacking number of the calls of a journey that were answered so
 */
export function leastFaulty(journeys: readonly Journey[], lacking: (journey: Journey) => number): Journey | undefined {
  const faults = ({ outcomes }: Journey) => faultsOf(outcomes).length
  return journeys.toSorted((a, b) => faults(a) - faults(b) || lacking(a) - lacking(b))[0]
}

/** The node does not have what was asked for, and another one may. It is told to nobody: where none has it, the first one's answer is. */
export function notHeld(): EndpointError {
  return new EndpointError('not held', nodeFailed('no endpoint holds it'))
}

/** The node answered, and not to what was asked. */
export function unanswered(cause?: unknown): EndpointError {
  return new EndpointError('no answer', nodeFailed(cause))
}

function nodeFailed(cause: unknown): ServiceError {
  return badGateway('UPSTREAM_ERROR', "The chain's node could not answer; try again.", cause)
}
