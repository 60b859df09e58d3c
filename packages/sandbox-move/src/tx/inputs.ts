import { fromBase64 } from '@mysten/sui/utils'
import { suiType } from '../constants.ts'
import { inputError, invalid } from '../errors.ts'
import type { Node } from '../node.ts'
import type { MoveObject } from '../objects.ts'
import type { Slot } from '../vm/arguments.ts'
import { inFull } from '../vm/run.ts'
import type { CallArg, TransactionData } from './data.ts'

/** An object that a transaction uses. */
export interface InputObject {
  readonly object: MoveObject
  /** True if the object is written again, changed or not. */
  readonly mutable: boolean
}

/** Returns the objects among the inputs, in their order; undefined for other inputs. */
export function inputObjects(node: Node, inputs: readonly CallArg[]): (InputObject | undefined)[] {
  return inputs.map((input) => {
    if (input.$kind !== 'Object') return undefined
    const argument = input.Object
    if (argument.$kind === 'Receiving') throw invalid('the sandbox does not model receiving an object')
    const { objectId } = argument.$kind === 'SharedObject' ? argument.SharedObject : argument.ImmOrOwnedObject
    const object = node.state.objects.get(objectId)
    if (object === undefined) throw inputError(`Could not find the referenced object ${objectId} at version None`)
    return { object, mutable: argument.$kind !== 'SharedObject' || argument.SharedObject.mutable }
  })
}

/** Returns the MIST that an input may take from an address balance; undefined for other inputs. @throws GrpcError `INVALID_ARGUMENT` */
export function withdrawalOf(input: CallArg, data: TransactionData): { amount: bigint; from: string } | undefined {
  if (input.$kind !== 'FundsWithdrawal') return undefined
  const { reservation, typeArg, withdrawFrom } = input.FundsWithdrawal
  if (inFull(typeArg.Balance) !== suiType) throw invalid('the sandbox keeps address balances of SUI only')
  if (withdrawFrom.$kind === 'SenderAllowance') throw invalid('the sandbox does not model allowances')
  const amount = BigInt(reservation.MaxAmountU64)
  return { amount, from: withdrawFrom.$kind === 'Sender' ? data.sender : data.gasData.owner }
}

/** Makes the slots for the inputs of one run. */
export function inputSlots(data: TransactionData, inputs: readonly CallArg[], objects: readonly (InputObject | undefined)[]): Slot[] {
  return inputs.map((input, index) => {
    const entry = objects[index]
    if (entry !== undefined) {
      const { id, content, owner } = entry.object
      return { value: { kind: 'object', id, content }, origin: 'input', mutable: entry.mutable, shared: owner.kind === 'shared' }
    }
    const withdrawal = withdrawalOf(input, data)
    const value = withdrawal === undefined ? pure(input) : ({ kind: 'withdrawal', ...withdrawal } as const)
    return { value, origin: 'input', mutable: true, shared: false }
  })
}

function pure(input: CallArg): Slot['value'] {
  if (input.$kind !== 'Pure') throw invalid(`the sandbox does not model an input ${input.$kind}`)
  return { kind: 'pure', bytes: fromBase64(input.Pure.bytes) }
}
