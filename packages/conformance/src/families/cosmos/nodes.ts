import { itemsOf, membersOf } from '@svc/contract'
import type { Answering, Deaf } from '../../life/family.ts'
import { refusal, result } from '../json-rpc/nodes.ts'
import { bytesOf } from './wire.ts'

// States of Cosmos nodes, as gaiad v29 and celestia-appd v6.2.5 answer in them: tx-unknown-hash and tx-search-none of celestia, broadcast-accepted, unconfirmed-txs and unconfirmed-txs-one of the hub.

/** Changes an answer as by a node with `indexer = "null"`. */
export const unindexed: Answering = (question, answer) => {
  const [method] = itemsOf(JSON.parse(question))
  return method === 'tx' || method === 'tx_search' ? refusal(-32_603, 'Internal error', 'transaction indexing is disabled') : answer
}

/** Changes an answer as by a node that fetches the blocks that it has missed, and whose pool is empty. */
export const restarted: Answering = (question, answer) => {
  const [method] = itemsOf(JSON.parse(question))
  const { result: status } = membersOf(JSON.parse(answer))
  if (method === 'unconfirmed_txs') return result({ n_txs: '0', total: '0', total_bytes: '0', txs: [] })
  if (method !== 'status') return answer
  const { sync_info: sync } = membersOf(status)
  return result({ ...membersOf(status), sync_info: { ...membersOf(sync), catching_up: true } })
}

/** Makes answers as by a node without peers. */
export const deaf: Deaf = ({ body, txHash }) => {
  let isTaken = false
  const bytes = Buffer.from(bytesOf(String(body.signed_tx_hex)))
  return (question, answer) => {
    const [method] = itemsOf(JSON.parse(question))
    if (method === 'broadcast_tx_sync') {
      isTaken = true
      return result({ code: 0, data: '', log: '', codespace: '', hash: txHash })
    }
    if (!isTaken) return answer
    const { result: status } = membersOf(JSON.parse(answer))
    if (method === 'unconfirmed_txs')
      return result({ n_txs: '1', total: '1', total_bytes: String(bytes.length), txs: [bytes.toString('base64')] })
    const isUnknown = method === 'tx_status' && membersOf(status).status === 'UNKNOWN'
    return isUnknown ? result({ height: '0', index: 0, execution_code: 0, error: '', status: 'PENDING' }) : answer
  }
}
