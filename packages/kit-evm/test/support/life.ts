import type { Facts, Sighting, Subject } from '@svc/contract'
import { Transaction } from 'ethers'
import { type EvmReceipt, evm } from '../../src/index.ts'
import type { EvmNetwork } from '../../src/settings.ts'
import { contextOf, network, nodeOf } from './node.ts'
import { vector } from './vector.ts'

const { life: own } = evm
if (!own) throw new TypeError('the kit has a life')
export const life = own

export const signed = Transaction.from(vector.signed)
/** Of the transaction that is looked at. */
export const bounds = life.bounds({ signed_tx_hex: vector.signed }, network)
export const nonce = signed.nonce
export const hex = (number: number | bigint) => `0x${number.toString(16)}`
export const word = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
export const time = (number: number) => 1_000_000 + number

/** What a node has: how far it is, which nonces are used, and where the transaction is. */
export interface LifeNode {
  readonly head?: number
  readonly final?: number
  /** Nonces used by the newest block, by the final one, and by the final one when it is asked for by its number, counted from that of the transaction. */
  readonly used?: readonly [latest: number, final: number, byNumber: number]
  /** Block that it is in; `pool` while it waits. */
  readonly at?: number | 'pool'
  readonly receipt?: object | null
  readonly sent?: object | null
  /** First block that it holds. */
  readonly first?: number
  /** First block in which it looks transactions up by their hash; the first that it holds when absent. */
  readonly indexed?: number
  /** Whether a block has no transaction. */
  readonly empty?: (number: number) => boolean
  /** Hash of a block. */
  readonly fork?: (number: number) => string
  readonly more?: Record<string, unknown>
}

/** Answers of such a node, by method. */
export function tableOf({
  head = 100,
  final = 98,
  used = [0, 0, 0],
  at,
  receipt,
  sent,
  first = 0,
  fork = word,
  empty = () => false,
  indexed = first,
  more = {},
}: LifeNode) {
  const block = (number: number) => ({
    number: hex(number),
    hash: fork(number),
    timestamp: hex(time(number)),
    transactions: empty(number) ? [] : [word(7000 + number)],
  })
  const place = at === undefined || at === 'pool' ? null : { blockNumber: hex(at), blockHash: word(at) }
  const own = {
    hash: vector.txHash,
    from: bounds.wallet,
    to: signed.to,
    nonce: hex(nonce),
    value: hex(signed.value),
    gas: hex(signed.gasLimit),
    input: signed.data,
    blockNumber: null,
    ...place,
  }
  const record = {
    transactionHash: vector.txHash,
    from: bounds.wallet,
    to: signed.to,
    status: '0x1',
    gasUsed: '0x5208',
    effectiveGasPrice: hex(signed.gasPrice ?? 0n),
    logs: [{ address: signed.to, topics: [word(1)], data: '0x', removed: false, transactionHash: vector.txHash }],
    ...place,
  }
  return {
    eth_getTransactionCount: ([, tag]: readonly string[]) => hex(nonce + used[tag === 'latest' ? 0 : tag === 'finalized' ? 1 : 2]),
    eth_getBlockByNumber([tag = '']: readonly string[]) {
      const number = tag === 'latest' ? head : tag === 'finalized' ? final : Number(tag)
      return number <= head && (number >= first || !tag.startsWith('0x')) ? block(number) : null
    },
    eth_getTransactionReceipt: () => (receipt === undefined ? place && record : receipt && { ...record, ...receipt }),
    eth_getTransactionByHash([of]: readonly string[]) {
      const other = Number(of) - 7000
      if (other >= 0 && other <= head) return other < indexed ? null : { ...own, hash: of, blockNumber: hex(other) }
      return sent === undefined ? (at === undefined ? null : own) : sent && { ...own, ...sent }
    },
    // The way in which a refusal is asked for once more.
    eth_call: '0x',
    ...more,
  }
}

/** The transaction, accepted and seen for the first time. */
export const subject = (changes: Partial<Subject> = {}): Subject => ({
  txHash: vector.txHash,
  bounds,
  keep: null,
  firstSeen: new Date(0),
  accepted: true,
  ...changes,
})

/** What one look tells of it. */
export async function seen(
  node: LifeNode,
  known: Partial<Subject> = {},
  settings: Partial<EvmNetwork> = {},
): Promise<Sighting<EvmReceipt>> {
  const ctx = contextOf(nodeOf(tableOf(node)), { max_block_age: 0, ...settings })
  try {
    return await life.look(ctx, subject(known))
  } finally {
    ctx.client.destroy()
  }
}

/** What is kept from a first look while its nonce was free. */
export const early = async (): Promise<Facts> => (await seen({ at: 'pool' })).keep
