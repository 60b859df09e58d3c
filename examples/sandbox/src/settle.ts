import type { Common, Signer, TransactionStatus, VerifiedTransaction } from '@svc/client'
import { Refused } from './files.ts'
import { say, sayTransaction } from './story.ts'

/**
 * Sign, send, wait: the same for every action of every protocol. What is signed here was read back byte by byte when it was crafted; nothing else can
 * be. What becomes of it the service tells, each state once.
 *
 * @param wait lets the time pass that the local chain takes to make a block final; against a real one it passes by itself
 * @returns how it ended: in a block that stays, with what it cost, moved and made
 * @throws SvcError, before anything is sent, for a signature of something else; Refused when it ended in another way
 */
export async function carryOut(
  protocol: Common,
  tx: VerifiedTransaction,
  signer: Signer,
  wait: () => Promise<unknown> = async () => {},
): Promise<TransactionStatus> {
  sayTransaction(tx)
  const signed = await tx.sign(signer)
  say(`signed     ${signed.txHash}`)
  // The hash is known before it is sent: after a timeout, ask for it rather than sending again.
  const { txHash } = await protocol.send(signed)
  // Sent is not final: the chain has the last word, and the next transaction is crafted after that.
  let previous = ''
  let waiting: Promise<unknown> | undefined
  const end = await protocol.settled(txHash, {
    onStatus(status) {
      const line = lineOf(status)
      if (line !== previous) say(line)
      previous = line
      if (status.status === 'included') waiting ??= wait()
    },
  })
  await waiting
  if (end.status !== 'final') throw new Refused(`Transaction ${txHash} ${endOf(end)}`)
  return end
}

function lineOf({ status, block, fee, objectIds }: TransactionStatus): string {
  if (status !== 'final') return `status     ${status}${block?.height === undefined ? '' : `, in block ${block.height}`}`
  const objects = objectIds && objectIds.length > 0 ? `, with ${objectIds.join(', ')}` : ''
  return `final      in block ${block?.height}, for a fee of ${fee?.text}${objects}`
}

function endOf({ status, error, replacedBy }: TransactionStatus): string {
  if (status === 'failed') return `failed on the chain: ${error?.reason}`
  return status === 'replaced' ? `lost its place to ${replacedBy ?? 'another one'} and never lands.` : 'is no longer valid and never lands.'
}
