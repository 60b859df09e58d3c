import type { bcs } from '@mysten/sui/bcs'

/** A transaction as its BCS says it; u64 are decimal text. */
export type TransactionData = NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>
export type CallArg = typeof bcs.CallArg.$inferType
export type Command = typeof bcs.Command.$inferType
export type Argument = typeof bcs.Argument.$inferType
export type Reference = typeof bcs.SuiObjectRef.$inferType
export type Expiration = TransactionData['expiration']
export type Programmable = NonNullable<TransactionData['kind']['ProgrammableTransaction']>
