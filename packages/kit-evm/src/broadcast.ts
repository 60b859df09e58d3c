import { isServiceError, type KitContext, malformedAnswer, membersOf } from '@svc/contract'
import type { Static } from 'typebox'
import type { EvmClient } from './client.ts'
import { badGateway, badRequest } from './codes.ts'
import { refusalOf } from './mempool.ts'
import { readSigned } from './names.ts'
import type { evmWire } from './wire.ts'

/**
 * Submits a signed transaction. Sending the same bytes again answers the same hash.
 *
 * @throws 400 for another chain's transaction, an unsigned one, and what the mempool refuses
 */
export async function broadcastEvm(ctx: KitContext<EvmClient>, body: Static<(typeof evmWire)['broadcast']>): Promise<{ tx_hash: string }> {
  const { hex, txHash: hash } = readSigned(body, ctx.network)
  try {
    await ctx.client.ask('eth_sendRawTransaction', [hex], (answer) => requireHash(answer, hash), 'before')
  } catch (error) {
    await refuse(ctx, hash, error)
  }
  return { tx_hash: hash }
}

/** Returns when the refusal only says that the transaction is there already. */
async function refuse(ctx: KitContext<EvmClient>, hash: string, error: unknown): Promise<void> {
  if (isServiceError(error)) throw error
  const message = nodeMessage(error)
  const refusal = refusalOf(message)
  if (refusal?.known) return
  // A transaction that has landed is refused as a used nonce; whoever repeats a broadcast wants its hash.
  if (refusal?.code === 'NONCE_USED' && (await isThere(ctx.client, hash))) return
  if (refusal) throw badRequest(refusal.code, `The chain refused the transaction. ${refusal.sentence}`, error)
  if (message) throw badRequest('CHAIN_REFUSED', `The chain refused the transaction: ${message.slice(0, 200)}.`, error)
  throw unanswered(error)
}

/** A node that took the transaction names it by its hash; any other answer says nothing of what became of it. */
function requireHash(answer: unknown, hash: string): void {
  if (typeof answer !== 'string' || answer.toLowerCase() !== hash) throw malformedAnswer(answer)
}

function isThere(client: EvmClient, hash: string): Promise<boolean> {
  return client.ask('eth_getTransactionByHash', [hash], (answer) => {
    if (answer === null) return false
    requireHash(membersOf(answer).hash, hash)
    return true
  })
}

function unanswered(cause: unknown) {
  return badGateway('UPSTREAM_ERROR', "The chain's node could not answer.", cause)
}

/** The node's own words, wherever ethers put them. */
function nodeMessage(error: unknown): string {
  const { info, error: direct } = membersOf(error)
  return String(membersOf(membersOf(info).error).message ?? membersOf(direct).message ?? '')
}
