import type { bcs } from '@mysten/sui/bcs'
import { present } from '@svc/sandbox'

/** A transaction as its BCS says it; u64 are decimal text. */
export type TransactionData = NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>
export type CallArg = typeof bcs.CallArg.$inferType
export type Command = typeof bcs.Command.$inferType
export type Argument = typeof bcs.Argument.$inferType
export type Reference = typeof bcs.SuiObjectRef.$inferType
export type Expiration = TransactionData['expiration']
type Programmable = NonNullable<TransactionData['kind']['ProgrammableTransaction']>

/** Returns the inputs and commands of a transaction that was checked to have them. @throws Error when it has none */
export function programmableOf({ kind }: TransactionData): Programmable {
  return present(kind.ProgrammableTransaction, 'a programmable transaction')
}
