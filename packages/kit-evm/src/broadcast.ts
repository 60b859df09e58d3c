import { badGateway, badRequest, isServiceError, type KitContext } from '@svc/contract'
import { keccak256 } from 'ethers'
import type { Static } from 'typebox'
import type { EvmClient } from './client.ts'
import { readHex, readTransaction } from './transaction.ts'
import type { evmWire } from './wire.ts'

/**
 * Mempool refusals of the usual node software (geth, reth, erigon, the Monad client, anvil) and what they mean for the caller.
 * The sentence says what to do; a refusal not listed is passed on in the node's words.
 */
const REFUSALS: readonly (readonly [RegExp, string, string])[] = [
  [
    /nonce.{0,10}too low|nonce has already been used/i,
    'NONCE_USED',
    'Its nonce was used meanwhile: another transaction of this account landed. Craft again.',
  ],
  [
    /replacement|underpriced|fee too low|max fee per gas less than block base fee/i,
    'FEE_TOO_LOW',
    'Its gas price is below what the network takes now. Craft again.',
  ],
  [/insufficient/i, 'INSUFFICIENT_BALANCE', 'The account no longer covers amount and fee. Fund it or craft a smaller amount.'],
  [/gas limit too low|intrinsic gas/i, 'GAS_LIMIT_TOO_LOW', 'Its gas limit is below what the transaction needs. Craft again.'],
  [/chain ?id/i, 'CHAIN_ID_MISMATCH', 'It was signed for another chain.'],
]
const KNOWN = /already known|already imported|known transaction|already exists/i

/**
 * Submits a signed transaction. Sending the same bytes again answers the same hash.
 *
 * @throws 400 for another chain's transaction, an unsigned one, and what the mempool refuses
 */
export async function broadcastEvm(ctx: KitContext<EvmClient>, body: Static<(typeof evmWire)['broadcast']>): Promise<{ tx_hash: string }> {
  const hex = readHex(body.signed_tx_hex, 'signed_tx_hex')
  const transaction = readTransaction(hex, 'signed_tx_hex')
  if (!transaction.signature) throw badRequest('TRANSACTION_INVALID', 'signed_tx_hex is not signed; pass what prepare returned.')
  const chainId = BigInt(ctx.network.chainId)
  if (transaction.chainId !== chainId) {
    const whose = transaction.chainId === 0n ? 'names no chain (it predates EIP-155)' : `is for chain ${transaction.chainId}`
    throw badRequest('CHAIN_ID_MISMATCH', `signed_tx_hex ${whose}; this request goes to chain ${chainId}. It was not sent.`)
  }
  const hash = keccak256(hex)
  try {
    const answer = await ctx.client.send('eth_sendRawTransaction', [hex])
    if (answer !== hash) ctx.log.warn({ hash, answer }, 'the node answered another transaction hash than the bytes have')
  } catch (error) {
    await refuse(ctx, hash, error)
  }
  return { tx_hash: hash }
}

/** Returns when the refusal only says that the transaction is there already. */
async function refuse(ctx: KitContext<EvmClient>, hash: string, error: unknown): Promise<void> {
  if (isServiceError(error)) {
    // An answer that says nothing: the transaction may be out, or not.
    if (error.code === 'UPSTREAM_ERROR') throw unanswered(error)
    throw error
  }
  const message = nodeMessage(error)
  if (KNOWN.test(message)) return
  const refusal = REFUSALS.find(([pattern]) => pattern.test(message))
  // A transaction that has landed is refused as a used nonce; whoever repeats a broadcast wants its hash.
  if (refusal?.[1] === 'NONCE_USED' && (await ctx.client.send('eth_getTransactionByHash', [hash])) !== null) return
  if (refusal) throw badRequest(refusal[1], `The chain refused the transaction. ${refusal[2]}`, error)
  if (message) throw badRequest('CHAIN_REFUSED', `The chain refused the transaction: ${message.slice(0, 200)}.`, error)
  throw unanswered(error)
}

function unanswered(cause: unknown) {
  return badGateway('UPSTREAM_ERROR', "The chain's node could not answer. Look the hash up before sending again.", cause)
}

/** The node's own words, wherever ethers put them. */
function nodeMessage(error: unknown): string {
  const { info, error: direct } = error as { info?: { error?: { message?: string } }; error?: { message?: string } }
  return String(info?.error?.message ?? direct?.message ?? '')
}
