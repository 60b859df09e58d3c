import { type Connection, PublicKey, type SignatureStatus } from '@solana/web3.js'
import type { Common, Signer, VerifiedTransaction } from '@svc/client'
import { landed, Refused, say, sayTransaction } from '@svc/example-sandbox'

/**
 * Sign, send, wait: the same for every action. What is signed here was read back byte by byte when it was crafted; nothing else can be.
 *
 * @returns lamports that it cost in fees
 * @throws SvcError, before anything is sent, for a signature of something else; Refused when it failed
 */
export async function send(protocol: Common, tx: VerifiedTransaction, signer: Signer, node: Connection): Promise<bigint> {
  sayTransaction(tx)
  const signed = await tx.sign(signer)
  say(`signed     ${signed.txHash}`)
  // The hash is the first signature, known before it is sent: after a timeout, look it up rather than sending again.
  const { txHash } = await protocol.send(signed)
  const { slot, err } = await landed(txHash, () => confirmed(node, txHash))
  if (err) throw new Refused(`Transaction ${txHash} failed: ${JSON.stringify(err)}`)
  say(`in slot    ${slot}`)
  return tx.decoded.maxFee
}

async function confirmed(node: Connection, signature: string): Promise<SignatureStatus | null> {
  const { value } = await node.getSignatureStatuses([signature])
  const [status = null] = value
  return status?.err || ['confirmed', 'finalized'].includes(status?.confirmationStatus ?? '') ? status : null
}

/** Lamports of an account, by your own node. */
export async function lamportsOf(node: Connection, address: string): Promise<bigint> {
  return BigInt(await node.getBalance(new PublicKey(address)))
}
