import { itemsOf, malformedAnswer, membersOf } from '@svc/contract'
import { readBytes, readQuantity } from '../answer.ts'

/** Log that a contract wrote while the transaction ran. */
export interface EvmLog {
  /** Lower case. */
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** Record that a chain keeps of a transaction that is in a block: for the plugin's `moved`. */
export interface EvmReceipt {
  /** Lower case. */
  readonly from: string
  /** Lower case; null for one that made a contract. */
  readonly to: string | null
  /** Wei that were sent along. */
  readonly value: bigint
  readonly logs: readonly EvmLog[]
}

/** A receipt as a node answers it. */
export interface Receipt {
  readonly block: bigint
  readonly blockHash: string
  readonly succeeded: boolean
  readonly from: string
  readonly to: string | null
  readonly gasUsed: bigint
  /** Wei for a unit of gas. */
  readonly price: bigint
  readonly logs: readonly EvmLog[]
}

/** A transaction as a node answers it, in a block or not. */
export interface Sent {
  /** Number of the transaction's block; null while it waits in the node's pool. */
  readonly block: bigint | null
  readonly from: string
  readonly to: string | null
  readonly nonce: bigint
  readonly value: bigint
  readonly gas: bigint
  /** Wei for a unit of gas at most; null where the node does not say so. */
  readonly price: bigint | null
  readonly data: string
}

/** Highest block number that is believed, more than any chain has: one for each second since 1970, ten times over. */
const MOST_BLOCKS = 10n ** 11n
/** Most gas that is believed, more than a block of any chain holds. */
const MOST_GAS = 10n ** 12n
/** More wei for a unit of gas than anybody pays: at this price the cheapest transaction costs 21,000 native tokens. */
const MOST_PRICE = 10n ** 18n
/** Logs of one transaction beyond which an answer is none: each costs 375 gas at least. @see https://ethereum.github.io/yellowpaper/paper.pdf appendix G (read 2026-11-22) */
const MOST_LOGS = 100_000

/**
 * Reads a receipt from a node's answer.
 *
 * @param hash that was asked for
 * @returns null where the node has none
 * @throws EndpointError for what is no receipt of it
 */
export function readReceipt(answer: unknown, hash: string): Receipt | null {
  if (answer === null) return null
  const it = membersOf(answer)
  if (lower(it.transactionHash) !== hash) throw malformedAnswer(answer)
  const status = readQuantity(it.status, 0n, 1n)
  if (!Array.isArray(it.logs) || it.logs.length > MOST_LOGS) throw malformedAnswer(answer)
  const logs = itemsOf(it.logs).map((log) => readLog(log, hash))
  // What failed has left nothing.
  if (status === 0n && logs.length > 0) throw malformedAnswer(answer)
  return {
    block: readBlockNumber(it.blockNumber),
    blockHash: readHash(it.blockHash),
    succeeded: status === 1n,
    from: readAddress(it.from),
    to: it.to === null || it.to === undefined ? null : readAddress(it.to),
    gasUsed: readQuantity(it.gasUsed, 1n, MOST_GAS),
    price: readQuantity(it.effectiveGasPrice, 0n, MOST_PRICE),
    logs,
  }
}

/** Reads a transaction from a node's answer. @returns null where the node has none. @throws EndpointError for what is no transaction of that hash */
export function readSent(answer: unknown, hash: string): Sent | null {
  if (answer === null) return null
  const it = membersOf(answer)
  if (lower(it.hash) !== hash) throw malformedAnswer(answer)
  return {
    block: it.blockNumber === null ? null : readBlockNumber(it.blockNumber),
    from: readAddress(it.from),
    to: it.to === null || it.to === undefined ? null : readAddress(it.to),
    nonce: readQuantity(it.nonce, 0n, (1n << 64n) - 2n),
    value: readQuantity(it.value),
    gas: readQuantity(it.gas, 0n, MOST_GAS),
    // Of type 2 the price of what is in a block is what was paid.
    price: priceIn(it.maxFeePerGas ?? it.gasPrice),
    data: readBytes(it.input),
  }
}

/** A block, as far as it matters here. */
export interface Block {
  readonly number: bigint
  readonly hash: string
  /** Seconds since 1970. */
  readonly time: bigint
  /** Hash of one of its transactions; null where it has none. */
  readonly holds: string | null
  /** Wei for a unit of gas below which it takes no transaction; null on a chain without one. @see https://eips.ethereum.org/EIPS/eip-1559 (read 2026-11-28) */
  readonly baseFee: bigint | null
}

/** Reads a block from a node's answer. @returns null where the node has none. @throws EndpointError for what is no block */
export function readBlock(answer: unknown): Block | null {
  if (answer === null) return null
  const it = membersOf(answer)
  const [first] = Array.isArray(it.transactions) ? itemsOf(it.transactions) : []
  if (!Array.isArray(it.transactions)) throw malformedAnswer(answer)
  return {
    number: readBlockNumber(it.number),
    hash: readHash(it.hash),
    time: readQuantity(it.timestamp, 0n, MOST_BLOCKS),
    holds: first === undefined ? null : readHash(first),
    baseFee: priceIn(it.baseFeePerGas),
  }
}

/** Reads a block that the node must have from its answer. */
export function readKnownBlock(answer: unknown): Block {
  const block = readBlock(answer)
  if (block === null) throw malformedAnswer(answer)
  return block
}

function readLog(log: unknown, hash: string): EvmLog {
  const { address, topics, data, removed, transactionHash } = membersOf(log)
  if (removed === true || !Array.isArray(topics) || topics.length > 4) throw malformedAnswer(log)
  if (lower(transactionHash) !== hash) throw malformedAnswer(log)
  return { address: readAddress(address), topics: itemsOf(topics).map(readHash), data: readBytes(data) }
}

/** Reads a price in wei that need not be told; null where it is not. */
function priceIn(value: unknown): bigint | null {
  return value === undefined || value === null ? null : readQuantity(value, 0n, MOST_PRICE)
}

function readBlockNumber(value: unknown): bigint {
  return readQuantity(value, 0n, MOST_BLOCKS)
}

function readHash(value: unknown): string {
  const bytes = readBytes(value)
  if (bytes.length !== 66) throw malformedAnswer(value)
  return bytes.toLowerCase()
}

function readAddress(value: unknown): string {
  const bytes = readBytes(value)
  if (bytes.length !== 42) throw malformedAnswer(value)
  return bytes.toLowerCase()
}

function lower(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : ''
}
