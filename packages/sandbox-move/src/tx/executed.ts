import type { GasCost } from '../gas.ts'
import type { MoveObject } from '../objects.ts'
import type { ExecutionFailure } from '../vm/failure.ts'
import type { MoveEvent } from '../vm/world.ts'
import type { TransactionData } from './data.ts'

/** An object before and after; undefined where it did not exist. */
export interface Change {
  readonly before: MoveObject | undefined
  readonly after: MoveObject | undefined
}

/** SUI of an address in MIST, more or less than before. */
export interface FundsChange {
  readonly address: string
  readonly amount: bigint
}

/** Effects of a transaction. */
export interface Effects {
  readonly failure: ExecutionFailure | undefined
  readonly epoch: bigint
  readonly cost: GasCost
  /** Version of everything it wrote. */
  readonly version: bigint
  /** Id of the coin that paid; undefined for an address balance. */
  readonly gasCoin: string | undefined
  readonly changes: readonly Change[]
  /** Changes of address balances alone. */
  readonly funds: readonly FundsChange[]
  /** Changes of coins and address balances together. */
  readonly balances: readonly FundsChange[]
  readonly events: readonly MoveEvent[]
  /** Digests of the transactions that wrote its inputs. */
  readonly dependencies: readonly string[]
}

/** A signed transaction. */
export interface SignedTransaction {
  /** Base58. */
  readonly digest: string
  readonly data: TransactionData
  readonly bytes: Uint8Array
  /** Base64. */
  readonly signatures: readonly string[]
}

/** A transaction on the chain. */
export interface ExecutedTransaction extends SignedTransaction {
  readonly effects: Effects
  readonly checkpoint: bigint
  /** Milliseconds since 1970. */
  readonly time: number
  /** Look-ups that do not find it yet. */
  hiddenReads: number
}
