import { itemsOf, membersOf } from '@svc/contract'
import { Transaction } from 'ethers'
import type { Answering, Deaf } from '../../life/family.ts'
import { refusal, result } from '../json-rpc/nodes.ts'

// States of EVM nodes, as geth v1.17.0 answers in them: tx-not-indexed, receipt-not-indexed, block-finalized-none, count-finalized-none, send-accepted and tx-pending of its recordings.

/** Changes an answer as by a node whose index of transactions does not reach far enough back: it has the blocks, and finds none of their transactions by a hash. */
export const unindexed: Answering = (question, answer) => {
  const [method] = itemsOf(JSON.parse(question))
  return method === 'eth_getTransactionByHash' || method === 'eth_getTransactionReceipt' ? result(null) : answer
}

/** Changes an answer as by a node whose consensus client has not reported yet: it calls no block final. */
export const restarted: Answering = (question, answer) => {
  const [, params] = itemsOf(JSON.parse(question))
  return itemsOf(params).some((each) => each === 'finalized' || each === 'safe') ? refusal(-32_000, 'finalized block not found') : answer
}

/** Makes answers as by a node without peers. */
export const deaf: Deaf = ({ body, txHash }) => {
  let isTaken = false
  return (question, answer) => {
    const [method, params] = itemsOf(JSON.parse(question))
    if (method === 'eth_sendRawTransaction') {
      isTaken = true
      return result(txHash)
    }
    const isOfIt = method === 'eth_getTransactionByHash' && itemsOf(params)[0] === txHash
    return isTaken && isOfIt && membersOf(JSON.parse(answer)).result === null ? result(waiting(String(body.signed_tx_hex))) : answer
  }
}

/** A transaction as a pool shows it. */
function waiting(signed: string) {
  const { hash, from, to, nonce, value, gasLimit, gasPrice, data } = Transaction.from(signed)
  const hex = (quantity: bigint | number | null) => `0x${(quantity ?? 0).toString(16)}`
  const place = { blockHash: null, blockNumber: null, transactionIndex: null }
  return {
    ...place,
    ...{ hash, to, input: data, from: from?.toLowerCase() },
    ...{ nonce: hex(nonce), value: hex(value), gas: hex(gasLimit), gasPrice: hex(gasPrice) },
  }
}
