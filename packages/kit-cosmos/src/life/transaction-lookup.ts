import { itemsOf, malformedAnswer, membersOf } from '@svc/contract'
import { Known } from '../broadcast-fault.ts'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { heightOf } from '../node-status.ts'
import { transactionHash } from '../transaction.ts'
import { type CosmosEvent, eventsOf, isOfMessage, passedChecks } from './events.ts'
import { hashParam } from './hash.ts'
import { NotHeld } from './history-fault.ts'

/** Result of a transaction in its block. */
export interface Result {
  readonly code: number
  readonly codespace: string
  /** Log of the transaction, in the chain's words. */
  readonly log: string
  /** Events of the transaction; null where the node does not return them with it. */
  readonly events: readonly CosmosEvent[] | null
}

/** A place in a block. */
export interface InBlock {
  readonly at: 'block'
  readonly height: bigint
  readonly index: number
  readonly result: Result
  /** Signers, where the node tells them. */
  readonly signers: readonly string[]
}

/** Place where a node has a transaction. */
export type Found =
  | InBlock
  /** In its mempool; pushed out of it for want of room; refused when it was checked again; nowhere. */
  | { readonly at: 'mempool' | 'evicted' | 'rejected' | 'nowhere' }

/** Codes have 32 bits. @see https://github.com/cometbft/cometbft/blob/main/proto/cometbft/abci/v1/types.proto (read 2026-11-22) */
const MOST_CODE = 2 ** 32 - 1
/** Far more transactions than a block has room for. */
const MOST_INDEX = 1_000_000

/**
 * Looks a transaction up by its hash, by the method that the chain's nodes have.
 *
 * @param isHeight whether a block can be at that height
 * @throws 502, 503, 504; 503 TRANSACTION_NOT_KEPT where none has an index
 */
export async function findTransaction(
  { lookup }: CosmosChain,
  { rpc }: CosmosClient,
  hash: string,
  isHeight: (height: bigint) => boolean = () => true,
): Promise<Found> {
  const params = { hash: hashParam(hash), ...(lookup === 'tx' ? { prove: false } : {}) }
  try {
    return await rpc.call(lookup, params, (result) => {
      const place = lookup === 'tx' ? indexed(result, hash) : stated(result)
      if (place.at === 'block' && !isHeight(place.height)) throw malformedAnswer(result)
      return place
    })
  } catch (error) {
    if (error instanceof Known && !error.known) return { at: 'nowhere' }
    throw error
  }
}

/** Reads the answer of `tx`, and requires that it is of this very hash, by its own bytes. */
function indexed(result: unknown, hash: string): InBlock {
  const { hash: answerHash, height, index, tx, tx_result: outcome } = membersOf(result)
  if (String(answerHash).toUpperCase() !== hash || hashOf(tx) !== hash) throw malformedAnswer(result)
  return { at: 'block', height: heightOf(height), index: integerUpTo(MOST_INDEX, index ?? 0), result: readResult(outcome), signers: [] }
}

/**
 * Reads the answer of celestia-core's `tx_status`, which names no hash. It leaves out what is empty: codespace, signers and gas. Absent is the zero
 * value therefore, but for the code, since it alone tells a success.
 *
 * @see celestia-core v0.39.15, rpc/core/types/responses.go, line 269 (ResultTxStatus, read 2026-11-24; answers recorded 2026-11-23)
 */
function stated(result: unknown): Found {
  const { status, height, index, execution_code: code, codespace, error: log, signers } = withoutNulls(result)
  if (status === 'PENDING') return { at: 'mempool' }
  if (status === 'EVICTED') return { at: 'evicted' }
  if (status === 'REJECTED') return { at: 'rejected' }
  if (status === 'UNKNOWN') return { at: 'nowhere' }
  if (status !== 'COMMITTED') throw malformedAnswer(result)
  const names = itemsOf(signers ?? [])
  if (!Array.isArray(signers ?? []) || !names.every((name) => typeof name === 'string')) throw malformedAnswer(signers)
  return {
    at: 'block',
    height: heightOf(height),
    index: integerUpTo(MOST_INDEX, index ?? 0),
    result: { code: integerUpTo(MOST_CODE, code), codespace: textOf(codespace), log: textOf(log), events: null },
    signers: names,
  }
}

/**
 * Reads the result of a transaction in the form of ABCI. A transaction that failed in a message has no events of messages, and one that succeeded has those of the checks.
 * Absent texts are empty ones; the code has to be there.
 *
 * @throws EndpointError
 * @see https://github.com/cosmos/cosmos-sdk/blob/main/baseapp/baseapp.go (runTx, read 2026-11-22)
 */
export function readResult(value: unknown): Result & { readonly events: readonly CosmosEvent[] } {
  const { code, codespace, log, events: list } = withoutNulls(value)
  const result = { code: integerUpTo(MOST_CODE, code), codespace: textOf(codespace), log: textOf(log), events: eventsOf(list) }
  const { events } = result
  if (result.code === 0 ? !passedChecks(events) : events.some(isOfMessage)) throw malformedAnswer(value)
  return result
}

/** A transaction that the index has for a sequence: its bytes, and the last result of theirs. */
export interface Use {
  readonly hash: string
  readonly tx: Uint8Array
  readonly place: InBlock
}

/**
 * Lists the transactions that an index has for an account's sequence; an endpoint that has none is followed by the next.
 *
 * @returns none where no index can tell
 * @see https://github.com/cosmos/cosmos-sdk/blob/main/x/auth/ante/sigverify.go (the event `tx.acc_seq`, read 2026-11-22)
 */
export async function findUses({ rpc }: CosmosClient, wallet: string, sequence: bigint): Promise<readonly Use[]> {
  const params = { query: `tx.acc_seq='${wallet}/${sequence}'`, prove: false, page: '1', per_page: '10', order_by: 'asc' }
  try {
    const read = (result: unknown): readonly Use[] =>
      itemsOf(membersOf(result).txs).map((entry) => {
        const { tx } = membersOf(entry)
        const hash = hashOf(tx)
        if (hash === null) throw malformedAnswer(entry)
        return { hash, tx: Buffer.from(String(tx), 'base64'), place: indexed(entry, hash) }
      })
    return await rpc.call('tx_search', params, read, 'along', (answer) => !('value' in answer) || answer.value.length === 0)
  } catch (error) {
    if (error instanceof NotHeld) return []
    throw error
  }
}

/** Tells whether a transaction is among the first of a node's mempool; false also where the node does not show its mempool. */
export async function isPooled({ rpc }: CosmosClient, hash: string): Promise<boolean> {
  try {
    // Most that CometBFT lists.
    return await rpc.call('unconfirmed_txs', { limit: '100' }, (result) => itemsOf(membersOf(result).txs).some((tx) => hashOf(tx) === hash))
  } catch (error) {
    if (error instanceof NotHeld) return false
    throw error
  }
}

/** Returns the hash of a transaction in base64; null for a value that is none. */
export function hashOf(tx: unknown): string | null {
  if (typeof tx !== 'string' || tx === '') return null
  const bytes = Buffer.from(tx, 'base64')
  return bytes.toString('base64') === tx ? transactionHash(bytes) : null
}

/** Leaves out members of an answer that are null, which is absent. */
function withoutNulls(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(membersOf(value)).filter(([, member]) => member !== null))
}

/** Reads a text that may be left out where it is empty. @throws EndpointError for what is no text */
function textOf(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') throw malformedAnswer(value)
  return value
}

function integerUpTo(most: number, value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > most) throw malformedAnswer(value)
  return value
}
