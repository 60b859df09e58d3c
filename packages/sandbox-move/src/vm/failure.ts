import { systemPackage } from '../constants.ts'

/** Kinds of execution errors that occur here, by the number that protobuf gives them. @see sui.rpc.v2 ExecutionError (read 2026-11-21) */
export const failureKinds = {
  INSUFFICIENT_GAS: 1,
  INVARIANT_VIOLATION: 3,
  INSUFFICIENT_COIN_BALANCE: 8,
  COIN_BALANCE_OVERFLOW: 9,
  MOVE_PRIMITIVE_RUNTIME_ERROR: 12,
  MOVE_ABORT: 13,
  FUNCTION_NOT_FOUND: 16,
  ARITY_MISMATCH: 17,
  TYPE_ARITY_MISMATCH: 18,
  NON_ENTRY_FUNCTION_INVOKED: 19,
  COMMAND_ARGUMENT_ERROR: 20,
  UNUSED_VALUE_WITHOUT_DROP: 22,
  EXECUTION_CANCELED_DUE_TO_CONSENSUS_OBJECT_CONGESTION: 34,
  INSUFFICIENT_FUNDS_FOR_WITHDRAW: 41,
} as const

/** Kinds of faults of an argument, likewise. */
export const argumentKinds = {
  TYPE_MISMATCH: 1,
  INVALID_BCS_BYTES: 2,
  INDEX_OUT_OF_BOUNDS: 5,
  SECONDARY_INDEX_OUT_OF_BOUNDS: 6,
  INVALID_RESULT_ARITY: 7,
  INVALID_GAS_COIN_USAGE: 8,
  INVALID_VALUE_USAGE: 9,
  INVALID_OBJECT_BY_VALUE: 10,
  INVALID_OBJECT_BY_MUT_REF: 11,
  ARGUMENT_WITHOUT_VALUE: 16,
} as const

/** Place in Move at which a transaction was aborted, and the code of the abort. */
interface Abort {
  readonly package: string
  readonly module: string
  readonly function: string
  readonly code: bigint
}

type FailureDetails =
  | { readonly abort: Abort }
  | { readonly argument: number; readonly argumentKind: keyof typeof argumentKinds }
  | { readonly result: number; readonly subresult: number }
  | { readonly congested: readonly string[] }

/** Failure of a transaction: the transaction is on the chain, and has done nothing but pay its gas. */
export class ExecutionFailure extends Error {
  readonly kind: keyof typeof failureKinds
  readonly details: FailureDetails | undefined
  /** Place of the command, where one failed. */
  command: number | undefined

  constructor(kind: keyof typeof failureKinds, message: string, details?: FailureDetails) {
    super(message)
    this.name = 'ExecutionFailure'
    this.kind = kind
    this.details = details
  }
}

/** Makes the failure for an abort in the system package, or in the named package. */
export function abort(module: string, functionName: string, code: bigint, from = systemPackage): ExecutionFailure {
  const details = { abort: { package: from, module, function: functionName, code } }
  return new ExecutionFailure('MOVE_ABORT', `Move abort ${code} in ${from}::${module}::${functionName}`, details)
}

/** Makes the failure of a transaction that is cancelled because too many need the same shared object. */
export function congestion(object: string): ExecutionFailure {
  // sui-types, execution_status.rs (read 2026-11-22).
  const text = `Certificate is cancelled due to congestion on shared objects: CongestedObjects([${object}])`
  return new ExecutionFailure('EXECUTION_CANCELED_DUE_TO_CONSENSUS_OBJECT_CONGESTION', text, { congested: [object] })
}

/** Makes the failure of a command because of one of its arguments, counted from 0. */
export function argumentFailure(argument: number, argumentKind: keyof typeof argumentKinds, message: string): ExecutionFailure {
  const text = `Invalid command argument at ${argument}. ${message}`
  return new ExecutionFailure('COMMAND_ARGUMENT_ERROR', text, { argument, argumentKind })
}
