import type { Common, Signer, VerifiedTransaction } from '@svc/client'
import { landed, Refused, say, sayTransaction } from '@svc/example-sandbox'
import { JsonRpcProvider, type TransactionReceipt } from 'ethers'

/** Your own node, for what you would rather not take from an answer. @param id of the chain, as the sandbox names it: `evm:143` */
export function nodeOf(rpcUrl: string, id: string): JsonRpcProvider {
  return new JsonRpcProvider(rpcUrl, Number(id.slice('evm:'.length)), { staticNetwork: true, cacheTimeout: -1 })
}

/**
 * Sign, send, wait: the same for every action. What is signed here was read back byte by byte when it was crafted; nothing else can be.
 *
 * @throws SvcError, before anything is sent, for a signature of something else; Refused when it reverted
 */
export async function send(protocol: Common, tx: VerifiedTransaction, signer: Signer, node: JsonRpcProvider): Promise<TransactionReceipt> {
  sayTransaction(tx)
  const signed = await tx.sign(signer)
  say(`signed     ${signed.txHash}`)
  // The hash is known before it is sent: after a timeout, look it up on the chain rather than sending again.
  const { txHash } = await protocol.send(signed)
  // Sent is not final: the chain has the last word.
  const receipt = await landed(txHash, () => node.getTransactionReceipt(txHash))
  if (receipt.status !== 1) throw new Refused(`Transaction ${txHash} reverted on the chain.`)
  say(`in block   ${receipt.blockNumber}`)
  return receipt
}
