import { addressBytes } from '../address.ts'
import type { Node } from '../node.ts'
import { decodeTx } from '../tx/decode.ts'
import { base64, type Json } from './json.ts'
import { internal } from './protocol.ts'

/** Writes the answer of celestia-core's `tx_status`, which needs no index of transactions. */
export function txStatus(node: Node, hash: string): Json {
  if (hash.length !== 64) {
    throw internal(`failed to get tx key from hash: incorrect tx key size. Expected 32 bytes, got ${hash.length / 2}`)
  }
  const tx = node.tx(hash)
  const status = node.status(hash)
  // What is empty is left out, but for the first five.
  if (tx === undefined) return { height: '0', index: 0, execution_code: 0, error: '', status, ...node.refusal(hash) }
  const { code, log, codespace, gasWanted, gasUsed, signers = [] } = tx.result
  return {
    height: String(tx.height),
    index: tx.index,
    execution_code: code,
    error: log,
    status,
    ...(codespace !== '' && { codespace }),
    ...(gasWanted !== 0n && { gas_wanted: String(gasWanted) }),
    ...(gasUsed !== 0n && { gas_used: String(gasUsed) }),
    signers,
  }
}

/** Returns the facts by which celestia-core orders waiting transactions: sender, price of gas in millionths, and sequence. */
export function mempoolEntry(node: Node, bytes: Uint8Array, code: number): Json {
  const { signers, authInfo } = decodeTx(bytes, node.genesis)
  const { fee, signerInfos } = authInfo
  const paid = BigInt(fee?.amount[0]?.amount ?? '0')
  const priority = code === 0 && fee !== undefined && fee.gasLimit > 0n ? (paid * 1_000_000n) / fee.gasLimit : 0n
  const address = base64(addressBytes(signers[0] ?? '', node.genesis.prefix))
  return { address, priority: String(priority), sequence: String(signerInfos[0]?.sequence ?? 0n) }
}

/** Timeouts of consensus in nanoseconds, which celestia-core's application tells its node. As recorded of celestia-appd v6.2.5. */
export const timeoutInfo: Json = {
  timeout_propose: '8500000000',
  timeout_propose_delta: '500000000',
  timeout_prevote: '3000000000',
  timeout_prevote_delta: '500000000',
  timeout_precommit: '3000000000',
  timeout_precommit_delta: '500000000',
  timeout_commit: '1000000',
  delayed_precommit_timeout: '5850000000',
}
