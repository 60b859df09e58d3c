import { toBase64 } from '@cosmjs/encoding'
import { EndpointError, type KitContext, malformedAnswer, membersOf } from '@svc/contract'
import type { Static } from 'typebox'
import { Known, mempoolFull } from './broadcast-fault.ts'
import { type CheckedTransaction, type CheckResult, isSdk, refuse } from './broadcast-refusal.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { unavailable } from './codes.ts'
import { readSignedTx } from './names.ts'
import { signatureFit } from './signature-fit.ts'
import { transactionHash } from './transaction.ts'
import type { CosmosWire } from './wire.ts'

/**
 * Submits a signed transaction. Sending the same bytes again returns the same hash, also when they have landed meanwhile.
 *
 * @throws 400 for an unsigned transaction and for what the chain refuses; 502, 503, 504 that leave open whether it arrived
 */
export async function broadcastCosmos(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  body: Static<CosmosWire['broadcast']>,
): Promise<{ tx_hash: string }> {
  const { tx } = readSignedTx(body)
  const sent = { tx, hash: transactionHash(tx) }
  try {
    let checked = await send(ctx.client, sent, () => false)
    // The node's own state may be the reason: right after a start it checks against height 0, at which every account number is 0.
    if (isSignature(checked) && (await signatureFit(chain, ctx, tx)) !== 'wrong') checked = await send(ctx.client, sent, isSignature)
    if (checked.code !== 0) await refuse(chain, ctx, sent, checked)
  } catch (error) {
    if (!(error instanceof Known && error.known)) throw error
  }
  return { tx_hash: sent.hash }
}

/** @param isFault whether a check's outcome speaks of the node, so that the next one is asked */
function send({ rpc }: CosmosClient, { tx, hash }: CheckedTransaction, isFault: (checked: CheckResult) => boolean): Promise<CheckResult> {
  return rpc.call('broadcast_tx_sync', { tx: toBase64(tx) }, (result) => {
    const checked = readCheck(result, hash)
    if (isFault(checked)) throw notReady(checked.reason)
    return checked
  })
}

function isSignature({ code, codespace }: CheckResult): boolean {
  return isSdk(codespace) && code === UNAUTHORIZED
}

/** Makes the fault of a node that refuses a signature which fits, or of which nobody can say that it does not. */
function notReady(cause: string): EndpointError {
  const sentence =
    "The chain's node refuses the signature, and nothing here says that it does not fit: the node has just started, or its state is not the chain's. Send the same transaction again in a few seconds."
  return new EndpointError('no answer', unavailable('NODE_NOT_READY', sentence, 5, cause))
}

/** Reads a node's check of a transaction. @throws EndpointError for an answer about another transaction, or none; and where another node's mempool may have room */
function readCheck(result: unknown, hash: string): CheckResult {
  const { code, codespace, log, hash: answerHash } = membersOf(result)
  const [space, reason] = [codespace ?? '', log ?? '']
  if (!Number.isSafeInteger(code) || Number(code) < 0 || Number(code) > MOST_CODE) throw malformedAnswer(result)
  if (typeof space !== 'string' || typeof reason !== 'string') throw malformedAnswer(result)
  if (String(answerHash).toUpperCase() !== hash) throw malformedAnswer(result)
  if (isSdk(space) && code === MEMPOOL_FULL) throw mempoolFull(reason)
  return { code: Number(code), codespace: space, reason }
}

/** Codes have 32 bits. @see https://github.com/cometbft/cometbft/blob/main/proto/cometbft/abci/v1/types.proto (read 2026-11-22) */
const MOST_CODE = 2 ** 32 - 1
/** Codes of the codespace `sdk`. @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/types/errors/errors.go (read 2026-11-24) */
const UNAUTHORIZED = 4
const MEMPOOL_FULL = 20
