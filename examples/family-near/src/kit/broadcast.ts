import { type KitContext, malformedAnswer, membersOf, refusedWhenSent, type ServiceError } from '@svc/contract'
import type { Static } from 'typebox'
import { toBase58 } from './base58.ts'
import type { NearClient } from './client.ts'
import { badGateway, badRequest } from './codes.ts'
import { findTransaction } from './life/find.ts'
import { NodeVerdict } from './rpc.ts'
import { digestOf, readSigned } from './signed.ts'
import type { NearWire } from './wire.ts'

/** How far a transaction has come by an answer. @see https://docs.near.org/api/rpc/transactions (read 2026-11-23) */
export const PROGRESS = ['NONE', 'INCLUDED', 'EXECUTED_OPTIMISTIC', 'INCLUDED_FINAL', 'EXECUTED', 'FINAL'] as const

/**
 * Submits a signed transaction, and waits until it is in a block. The same bytes once more have the same hash, and land once.
 *
 * @throws 400 for what the chain refuses; 502, 503, 504 that leave open whether it arrived
 */
export async function broadcastNear(
  { client, network }: KitContext<NearClient>,
  body: Static<NearWire['broadcast']>,
): Promise<{ tx_hash: string }> {
  const { bytes, text, transaction } = readSigned(body)
  const tx_hash = toBase58(digestOf(bytes))
  try {
    await client.rpc.call(
      'send_tx',
      { signed_tx_base64: text, wait_until: 'INCLUDED' },
      (result) => {
        const { final_execution_status, transaction: echo } = membersOf(result)
        const isKnown = PROGRESS.some((each) => each === final_execution_status)
        if (!isKnown || (echo !== undefined && membersOf(echo).hash !== tx_hash)) throw malformedAnswer(result)
      },
      'before',
    )
  } catch (error) {
    if (!(error instanceof NodeVerdict)) throw error
    // Whatever landed before is refused for its nonce, and later for its block hash.
    const landed = await findTransaction(client, tx_hash, transaction.signer)
    if (landed === null) throw refusedWhenSent(refusalOf(error, network.chainId), tx_hash)
  }
  return { tx_hash }
}

type Code = 'INSUFFICIENT_BALANCE' | 'KEY_RESTRICTED' | 'KEY_UNKNOWN' | 'NONCE_USED' | 'SIGNATURE_INVALID' | 'TRANSACTION_EXPIRED'

/** Errors of a transaction, by their names. @see near/nearcore core/primitives/src/errors.rs (read 2026-11-23) */
const REFUSALS: Readonly<Record<string, readonly [code: Code, why: string]>> = {
  InvalidNonce: ['NONCE_USED', 'its nonce is not above that of the last transaction of its key'],
  InvalidSignature: ['SIGNATURE_INVALID', 'its signature does not fit it'],
  NotEnoughBalance: ['INSUFFICIENT_BALANCE', 'the account does not hold what it needs by now'],
  LackBalanceForState: ['INSUFFICIENT_BALANCE', 'the account would be left with less than its storage binds'],
  SignerDoesNotExist: ['KEY_UNKNOWN', 'its signer does not exist'],
  Expired: ['TRANSACTION_EXPIRED', 'its block hash is more than 86,400 blocks old'],
  InvalidChain: ['TRANSACTION_EXPIRED', 'its block hash is of no block of this chain'],
}

function refusalOf(verdict: NodeVerdict, chainId: string): ServiceError {
  const name = invalidity(verdict.data)
  if (name === null) return badGateway('UPSTREAM_ERROR', "The chain's node refused the transaction and does not say why.", verdict)
  const [code, why] = REFUSALS[name] ?? (name === 'InvalidAccessKeyError' ? (['KEY_RESTRICTED', 'its key may not sign it'] as const) : [])
  // The bytes name no chain: what was sent to the wrong one is good where it belongs.
  const elsewhere =
    code === 'TRANSACTION_EXPIRED' ? ` One that was crafted for another network than ${chainId} has not expired: send it there.` : ''
  if (code === undefined) return badRequest('CHAIN_REFUSED', `The chain refused the transaction: ${name.slice(0, 80)}.`, verdict)
  return badRequest(code, `The chain refused the transaction: ${why}.${elsewhere}`, verdict)
}

/** Names what is invalid in a transaction, in the chain's word; null where a node does not say it. */
function invalidity(data: unknown): string | null {
  const error = membersOf(membersOf(data).TxExecutionError).InvalidTxError
  if (typeof error === 'string') return error
  const [name] = Object.keys(membersOf(error))
  return name ?? null
}
