import { badGateway } from './codes.ts'
import { EndpointError, malformedAnswer } from './endpoint.ts'
import type { ServiceError } from './errors.ts'
import type { Journey, JsonRpcFault, NamedCall, Outcome, Question, Result, Sentinel } from './json-rpc-wave.ts'
import { membersOf } from './members.ts'

/** Finds the first of the calls whose result also answers a sentinel, and the function that takes the sentinel's answer out of it; null when there is none. */
export function toldBy({ within }: Sentinel, calls: readonly NamedCall[]) {
  const candidates = calls.flatMap(({ method, params }, index) => {
    const take = within?.(method, params) ?? null
    return take === null ? [] : [{ index, take }]
  })
  return candidates[0] ?? null
}

/** Takes a sentinel's result out of the result of the call that contains it; a failed call is returned as it is. */
export function sentinelResultOf(carrier: Result, take: (result: unknown) => unknown): Result {
  return 'result' in carrier ? { result: take(carrier.result) } : carrier
}

/** Returns the result of the question at `index`; a question without a result counts as a malformed answer. */
export function given(results: readonly Result[], index: number): Result {
  return results[index] ?? { fault: malformedAnswer() }
}

/**
 * Returns the answer to a question among those that came: the only one with the question's id. Without one, a refusal that leaves its id out is taken; otherwise the answer
 * is malformed.
 */
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

/** Tells whether the member `error` of an answer is an object; its content is not judged here. */
export function isFault(value: unknown): value is JsonRpcFault {
  return typeof value === 'object' && value !== null
}

/** Returns the endpoint faults among the outcomes of calls, without values and verdicts of the chain. */
export function faultsOf(outcomes: readonly Outcome[]): readonly EndpointError[] {
  return outcomes.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : []))
}

/**
 * Returns the journey with the fewest calls that were not answered, then with the fewest negative answers; of several equal ones the first.
 *
 * @param lacking number of the calls of a journey that were answered so
 */
export function leastFaulty(journeys: readonly Journey[], lacking: (journey: Journey) => number): Journey | undefined {
  const faults = ({ outcomes }: Journey) => faultsOf(outcomes).length
  return journeys.toSorted((a, b) => faults(a) - faults(b) || lacking(a) - lacking(b))[0]
}

/** Makes the error of a node that lacks the data, while another node may have it. The caller sees it only through the first node's answer, where no node has the data. */
export function notHeld(): EndpointError {
  return new EndpointError('not held', nodeFailed('no endpoint holds it'))
}

/** Makes the error of a node that gave no answer to the question. */
export function unanswered(cause?: unknown): EndpointError {
  return new EndpointError('no answer', nodeFailed(cause))
}

function nodeFailed(cause: unknown): ServiceError {
  return badGateway('UPSTREAM_ERROR', "The chain's node could not answer; try again.", cause)
}
