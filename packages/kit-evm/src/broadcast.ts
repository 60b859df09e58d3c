import { isServiceError, type KitContext, malformedAnswer, membersOf } from '@svc/contract'
import type { Static } from 'typebox'
import type { EvmClient } from './client.ts'
import { badGateway, serviceError } from './codes.ts'
import { isInPool } from './life/waves.ts'
import { refusalOf } from './mempool.ts'
import { readSigned } from './names.ts'
import type { EvmSettings } from './settings.ts'
import type { evmWire } from './wire.ts'

type Ctx = KitContext<EvmClient, EvmSettings>

/**
 * Submits a signed transaction. Sending the same bytes again returns the same hash.
 *
 * @throws 400 for another chain's transaction, an unsigned one, and what the mempool refuses
 */
export async function broadcastEvm(ctx: Ctx, body: Static<(typeof evmWire)['broadcast']>): Promise<{ tx_hash: string }> {
  const { hex, transaction, txHash: hash } = readSigned(body, ctx.network)
  try {
    await ctx.client.ask('eth_sendRawTransaction', [hex], (answer) => requireHash(answer, hash), 'before')
  } catch (error) {
    await refuse(ctx, hash, transaction.nonce, error)
  }
  return { tx_hash: hash }
}

/** Returns when the refusal only says that the transaction is there already. */
async function refuse(ctx: Ctx, hash: string, nonce: number, error: unknown): Promise<void> {
  if (isServiceError(error)) throw error
  const message = nodeMessage(error)
  const refusal = refusalOf(message)
  if (refusal?.known) return
  // One that has landed is refused as a used nonce, and by some nodes one that waits as a rival of itself; whoever repeats a broadcast wants its hash.
  if ((refusal?.code === 'NONCE_USED' || refusal?.code === 'NONCE_PENDING') && (await isThere(ctx, hash))) return
  const options = { cause: error, txHash: hash }
  if (refusal) throw serviceError(400, refusal.code, `The chain refused the transaction. ${refusal.sentence(nonce)}`, options)
  if (message) throw serviceError(400, 'CHAIN_REFUSED', `The chain refused the transaction: ${message.slice(0, 200)}.`, options)
  throw unanswered(error)
}

/** Requires that a node names the transaction by its hash; any other answer says nothing of what became of it. */
function requireHash(answer: unknown, hash: string): void {
  if (typeof answer !== 'string' || answer.toLowerCase() !== hash) throw malformedAnswer(answer)
}

/** Tells whether any node has a transaction, in a block or in its pool. */
async function isThere(ctx: Ctx, hash: string): Promise<boolean> {
  const [isKnown, waits] = await Promise.all([
    ctx.client.ask(
      'eth_getTransactionByHash',
      [hash],
      (answer) => {
        if (answer === null) return false
        requireHash(membersOf(answer).hash, hash)
        return true
      },
      'along',
      (answer) => 'value' in answer && !answer.value,
    ),
    ctx.network.txpool_status && isInPool(ctx, hash),
  ])
  return isKnown || waits
}

function unanswered(cause: unknown) {
  return badGateway('UPSTREAM_ERROR', "The chain's node could not answer.", cause)
}

/** Finds the node's own words in an error of ethers. */
function nodeMessage(error: unknown): string {
  const { info: outer, error: direct } = membersOf(error)
  const { error: own, info: inner } = membersOf(outer)
  return String(membersOf(own).message ?? membersOf(membersOf(inner).error).message ?? membersOf(direct).message ?? '')
}
