import { itemsOf, type KitContext, malformedAnswer, membersOf } from '@svc/contract'
import { Signature, Transaction, type TransactionLike, toBeHex } from 'ethers'
import { readQuantity } from '../answer.ts'
import type { EvmClient } from '../client.ts'
import { badRequest, unavailable } from '../codes.ts'
import type { EvmSettings } from '../settings.ts'

/** Highest type of a transaction that is written anew here. @see https://eips.ethereum.org/EIPS/eip-1559 (read 2026-11-29) */
const MOST_TYPE = 2n

/**
 * Reads a transaction by its hash, in a block or waiting, and writes its signed bytes anew: their hash is the one that was asked for, or they are nobody's. One call; where an
 * endpoint does not show it, every other one is asked.
 *
 * @throws 503 TRANSACTION_UNSEEN where no endpoint shows it; 400 TRANSACTION_INVALID for a type that is not read; 502, 503, 504
 */
export async function signedOf(
  { client, network }: KitContext<EvmClient, EvmSettings>,
  txHash: string,
): Promise<{ readonly signed_tx_hex: string }> {
  const bytes = await client.ask(
    'eth_getTransactionByHash',
    [txHash],
    (answer) => {
      if (answer === null) return null
      const it = membersOf(answer)
      const type = readQuantity(it.type)
      if (type > MOST_TYPE) return type
      const transaction = transactionOf(it)
      if (transaction.hash !== txHash) throw malformedAnswer(answer)
      return transaction.serialized
    },
    undefined,
    (outcome) => 'value' in outcome && outcome.value === null,
  )
  if (typeof bytes === 'string') return { signed_tx_hex: bytes }
  if (bytes === null)
    throw unavailable(
      'TRANSACTION_UNSEEN',
      'No endpoint shows a transaction of that hash: it has not come to any yet, or they do not keep it any more. Ask again in a moment.',
      Math.ceil(network.inclusion_ms / 1_000),
    )
  throw badRequest(
    'TRANSACTION_INVALID',
    `The transaction is of type ${bytes}, which does more than call; what it does is read of a legacy one, and of type 1 or 2.`,
  )
}

/**
 * Makes the transaction of a node's answer.
 *
 * @param it transaction of type 0, 1 or 2
 * @returns the transaction with its signature; its hash is worked out, and the one that the answer names
 * @throws Error for what is no such transaction
 * @see https://ethereum.github.io/execution-apis/ (eth_getTransactionByHash, read 2026-11-28)
 */
export function transactionOf(it: Readonly<Record<string, unknown>>): Transaction {
  const transaction = Transaction.from(likeOf(it))
  if (transaction.hash === null || transaction.hash !== it.hash) throw malformedAnswer(it)
  return transaction
}

/** Converts a transaction of type 0, 1 or 2 to the library's form. */
function likeOf(it: Readonly<Record<string, unknown>>): TransactionLike {
  const type = Number(readQuantity(it.type))
  const quantity = (value: unknown) => readQuantity(value)
  const fees =
    type === 2
      ? { maxFeePerGas: quantity(it.maxFeePerGas), maxPriorityFeePerGas: quantity(it.maxPriorityFeePerGas) }
      : { gasPrice: quantity(it.gasPrice) }
  const word = (value: unknown) => toBeHex(quantity(value), 32)
  const v = quantity(it.v)
  return {
    type,
    ...fees,
    // One of before EIP-155 names no chain.
    chainId: type === 0 ? (v >= 35n ? (v - 35n) / 2n : 0n) : quantity(it.chainId),
    nonce: Number(quantity(it.nonce)),
    to: it.to === null ? null : String(it.to),
    value: quantity(it.value),
    data: String(it.input),
    gasLimit: quantity(it.gas),
    ...(type === 0 ? {} : { accessList: itemsOf(it.accessList) as [] }),
    signature: Signature.from({ r: word(it.r), s: word(it.s), v: type === 0 ? v : 27n + v }),
  }
}
