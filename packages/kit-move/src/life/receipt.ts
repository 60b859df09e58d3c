import { GrpcTypes } from '@mysten/sui/grpc'
import { malformedAnswer, requireSent } from '@svc/contract'
import { upTo } from '../answer.ts'

/** Record of the chain itself of what a transaction did. Amounts in base units of their coin. */
export interface MoveReceipt {
  /** Address that signed the transaction. */
  readonly sender: string
  /** Address that paid for the gas. */
  readonly payer: string
  /** MIST: computation and storage, less what storage paid back; below zero where that was more. */
  readonly fee: bigint
  /** Changes of everybody's balances, gas included; null where the node no longer has the objects from which they follow. */
  readonly balances: readonly BalanceChange[] | null
  /** Objects that it made; without a type where the node no longer has them. */
  readonly created: readonly { readonly id: string; readonly type: string | null; readonly owner: string | null }[]
  readonly events: readonly { readonly type: string; readonly contents: Uint8Array }[]
}

interface BalanceChange {
  readonly address: string
  readonly coinType: string
  readonly amount: bigint
}

/** Members that a receipt is read from. */
export const RECEIPT_PATHS: readonly string[] = [
  'transaction.sender',
  'transaction.gas_payment',
  'effects.gas_used',
  'effects.changed_objects',
  'balance_changes',
  'events',
]

const ADDRESS = /^0x[0-9a-f]{64}$/
/** Most that a part of the gas comes to: all SUI there is, in MIST. @see https://docs.sui.io/concepts/tokenomics (read 2026-11-22) */
const SUPPLY = 10n ** 19n
/** An i128 in decimal. */
const AMOUNT = /^-?\d{1,39}$/

/**
 * Reads the receipt of an executed transaction.
 *
 * @param budget MIST that its gas comes to at most, where its bytes are known
 * @throws EndpointError
 */
export function readReceipt(transaction: GrpcTypes.ExecutedTransaction, budget: bigint | null): MoveReceipt {
  const { effects, transaction: sent, balanceChanges, events } = transaction
  const { computationCost, storageCost, storageRebate } = requireSent(effects?.gasUsed)
  const fee = upTo(SUPPLY, computationCost) + upTo(SUPPLY, storageCost) - upTo(SUPPLY, storageRebate)
  if (budget !== null && fee > budget) throw malformedAnswer({ fee, budget })
  const sender = addressOf(sent?.sender)
  return {
    sender,
    payer: addressOf(sent?.gasPayment?.owner ?? sender),
    fee,
    // Somebody has paid for it.
    balances: fee !== 0n && balanceChanges.length === 0 ? null : balanceChanges.map(readBalance),
    created: requireSent(effects)
      .changedObjects.filter(isCreated)
      .map(({ objectId, objectType = null, outputOwner }) => ({
        id: addressOf(objectId),
        type: objectType,
        owner: outputOwner?.address ?? null,
      })),
    events: (events?.events ?? []).map(({ eventType, contents }) => ({
      type: requireSent(eventType),
      contents: requireSent(contents?.value),
    })),
  }
}

function readBalance({ address, coinType, amount }: GrpcTypes.BalanceChange): BalanceChange {
  if (amount === undefined || !AMOUNT.test(amount)) throw malformedAnswer(amount)
  return { address: addressOf(address), coinType: requireSent(coinType), amount: BigInt(amount) }
}

function isCreated({ idOperation, outputState }: GrpcTypes.ChangedObject): boolean {
  return (
    idOperation === GrpcTypes.ChangedObject_IdOperation.CREATED && outputState === GrpcTypes.ChangedObject_OutputObjectState.OBJECT_WRITE
  )
}

function addressOf(text: string | undefined): string {
  if (text === undefined || !ADDRESS.test(text)) throw malformedAnswer(text)
  return text
}
