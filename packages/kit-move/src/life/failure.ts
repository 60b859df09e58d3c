import { GrpcTypes } from '@mysten/sui/grpc'
import { stakingAbort, worded } from '../refusal.ts'

/** Reason why a transaction failed: the chain's own name for it or a code of the service, and a sentence. */
interface Failure {
  readonly code: string
  readonly reason: string
}

const CHARGED = 'Its gas was charged, and nothing else moved.'

/** Sentences for what befalls staking, by the chain's word. */
const SENTENCES: Readonly<Record<string, string>> = {
  EXECUTION_CANCELED_DUE_TO_CONSENSUS_OBJECT_CONGESTION: `Too many transactions wanted the chain's staking state at once, so that this one was cancelled. ${CHARGED} Craft it again.`,
  EXECUTION_CANCELED_DUE_TO_RANDOMNESS_UNAVAILABLE: `The chain had no randomness at that moment, so that it was cancelled. ${CHARGED} Craft it again.`,
  INSUFFICIENT_GAS: `Its gas budget did not suffice. ${CHARGED} Craft it again.`,
  INSUFFICIENT_COIN_BALANCE: `A coin held less than was to be split off it. ${CHARGED}`,
  INSUFFICIENT_FUNDS_FOR_WITHDRAW: `The address balance held less than was to be taken from it. ${CHARGED}`,
  INPUT_OBJECT_DELETED: `An object that it takes had been deleted by another transaction. ${CHARGED} Craft it again.`,
}

/** Describes an execution's error in words; where the node gives none, it says so. */
export function failureOfExecution({ kind, description, errorDetails, command }: GrpcTypes.ExecutionError): Failure {
  const code =
    kind === undefined || kind === 0 ? 'FAILED' : (GrpcTypes.ExecutionError_ExecutionErrorKind[kind] ?? `EXECUTION_ERROR_${kind}`)
  if (errorDetails.oneofKind === 'abort') return abortOf(errorDetails.abort, code)
  const sentence = SENTENCES[code]
  if (sentence !== undefined) return { code, reason: sentence }
  if (!description) return { code, reason: `Its execution failed, and the node does not say why. ${CHARGED}` }
  const where = command === undefined ? '' : ` at its command ${command + 1n}`
  return { code, reason: `Its execution failed${where}: ${worded(description)}. ${CHARGED}` }
}

function abortOf({ abortCode, location, cleverError }: GrpcTypes.MoveAbort, code: string): Failure {
  const { package: home = '', module = '', functionName } = location ?? {}
  const explanation = stakingAbort(home, module, String(abortCode ?? ''))
  if (explanation) return { code: explanation.code, reason: `${explanation.message} ${CHARGED}` }
  const where = [module, functionName].filter(Boolean).join('::') || 'a Move module'
  const detail = cleverError?.value.oneofKind === 'rendered' ? `: ${worded(cleverError.value.rendered)}` : ''
  return { code, reason: `It aborted with code ${abortCode ?? 'unknown'} in ${where}${detail}. ${CHARGED}` }
}
