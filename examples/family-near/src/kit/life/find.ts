import { itemsOf, malformedAnswer, membersOf } from '@svc/contract'
import type { NearClient } from '../client.ts'
import { hashOf, yoctoOf } from '../read.ts'
import { NodeVerdict } from '../rpc.ts'

/** What one receipt came to. */
export interface Outcome {
  readonly id: string
  /** Block in which it was executed. */
  readonly blockHash: string
  readonly executor: string
  readonly logs: readonly string[]
  /** Yocto that its gas cost. */
  readonly burnt: bigint
  /** As the chain writes it; null where it succeeded. */
  readonly failure: unknown
  readonly receipts: readonly string[]
}

/** A transaction that a node knows. */
export interface Found {
  readonly progress: string
  readonly signer: string
  readonly receiver: string
  readonly method: string
  readonly deposit: bigint
  /** The transaction itself, then the receipts that came of it; null: it is not executed yet. */
  readonly outcomes: readonly [Outcome, ...Outcome[]] | null
}

const EXECUTED = ['EXECUTED_OPTIMISTIC', 'EXECUTED', 'FINAL']
const WAITING = ['NONE', 'INCLUDED', 'INCLUDED_FINAL']

/**
 * Looks a transaction up: its signer says which shard keeps it.
 *
 * @returns null: the node does not know it
 * @see https://docs.near.org/api/rpc/transactions (read 2026-11-23)
 */
export async function findTransaction({ rpc }: Pick<NearClient, 'rpc'>, hash: string, signer: string): Promise<Found | null> {
  try {
    return await rpc.call('tx', { tx_hash: hash, sender_account_id: signer, wait_until: 'NONE' }, (result) => foundOf(result, hash, signer))
  } catch (error) {
    if (error instanceof NodeVerdict) return null
    throw error
  }
}

function foundOf(result: unknown, hash: string, signer: string): Found {
  const { final_execution_status: progress, transaction, transaction_outcome, receipts_outcome } = membersOf(result)
  if (typeof progress !== 'string') throw malformedAnswer(result)
  // Of what is not executed a node may tell nothing but how far it is.
  if (WAITING.includes(progress)) return { progress, signer, receiver: '', method: '', deposit: 0n, outcomes: null }
  const { hash: echo, signer_id, receiver_id, actions } = membersOf(transaction)
  const [action, ...others] = itemsOf(actions)
  const { method_name, deposit } = membersOf(membersOf(action).FunctionCall)
  if (!EXECUTED.includes(progress) || echo !== hash || signer_id !== signer || typeof receiver_id !== 'string')
    throw malformedAnswer(result)
  const first = outcomeOf(transaction_outcome)
  const receipts = listOf(receipts_outcome).map(outcomeOf)
  if (first.id !== hash || new Set(receipts.map(({ id }) => id)).size < receipts.length) throw malformedAnswer(result)
  // Whatever signed bytes say, they may be another's: of a transaction with several actions nothing is told but that it landed.
  const isCall = others.length === 0 && typeof method_name === 'string'
  return {
    progress,
    signer,
    receiver: receiver_id,
    method: isCall ? method_name : '',
    deposit: isCall ? yoctoOf(deposit) : 0n,
    outcomes: [first, ...receipts],
  }
}

function outcomeOf(value: unknown): Outcome {
  const { id, block_hash, outcome } = membersOf(value)
  const { executor_id, logs, tokens_burnt, status, receipt_ids } = membersOf(outcome)
  if (typeof executor_id !== 'string') throw malformedAnswer(value)
  return {
    id: hashOf(id),
    blockHash: hashOf(block_hash),
    executor: executor_id,
    logs: textsOf(logs),
    burnt: yoctoOf(tokens_burnt),
    failure: failureOf(status),
    receipts: textsOf(receipt_ids),
  }
}

/** @throws EndpointError for a status that is neither a success nor a failure */
function failureOf(status: unknown): unknown {
  const names = Object.keys(membersOf(status))
  const { SuccessValue, SuccessReceiptId, Failure } = membersOf(status)
  if (names.length !== 1) throw malformedAnswer(status)
  if (typeof SuccessValue === 'string' || typeof SuccessReceiptId === 'string') return null
  if (typeof Failure === 'object' && Failure !== null) return Failure
  throw malformedAnswer(status)
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).map((each) => {
    if (typeof each === 'string') return each
    throw malformedAnswer(value)
  })
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw malformedAnswer(value)
}
