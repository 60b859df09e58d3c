import { GrpcStatusCode } from '@mysten/sui/grpc'
import { EndpointError, type KitContext, malformedAnswer, refusedWhenSent, type ServiceError } from '@svc/contract'
import type { Static } from 'typebox'
import { type Verdict, verdictOf } from './answer.ts'
import type { MoveClient } from './client.ts'
import { badRequest, unavailable } from './codes.ts'
import { findTransaction } from './life/find.ts'
import { readSent } from './names.ts'
import { shortOfFunds, verdictRefusal, worded } from './refusal.ts'
import type { MoveSettings } from './settings.ts'
import { requireSignatures } from './signature.ts'
import type { Unsigned } from './transaction.ts'
import type { MoveWire } from './wire.ts'

/**
 * Submits a signed transaction, and waits until it is final. Sending the same one again returns the same hash. A transaction that is final and failed counts as submitted
 * too: its gas is paid, and the state of its hash says why.
 *
 * @throws 400 for what prepare refuses and for what the chain refuses; 502, 503, 504 that leave open whether it arrived
 */
export async function broadcastMove(
  { client, network, log }: KitContext<MoveClient, MoveSettings>,
  body: Static<MoveWire['broadcast']>,
): Promise<{ tx_hash: string }> {
  const { unsigned, signatures } = readSent(body, network)
  const checked = await requireSignatures(client, unsigned, signatures)
  const { digest } = unsigned
  try {
    const { status } = await execute(client, unsigned, checked)
    if (status && !status.success) log.warn({ digest, error: status.error }, 'a transaction failed on the chain')
  } catch (error) {
    // The node may refuse what is final already, and may have taken what it did not answer to.
    if (!(await isFinal(client, digest))) throw error
  }
  return { tx_hash: digest }
}

/** @throws the chain's refusal; 502, 503, 504 */
async function execute({ submit }: MoveClient, unsigned: Unsigned, signatures: readonly string[]) {
  return submit(async ({ sui, live }) => {
    try {
      const result = await sui.executeTransaction({ transaction: unsigned.bytes, signatures: [...signatures] })
      const { digest, status } = result.Transaction ?? result.FailedTransaction
      if (digest !== unsigned.digest || typeof status?.success !== 'boolean') throw malformedAnswer(result)
      return { status }
    } catch (error) {
      const verdict = verdictOf(error)
      if (verdict === null) throw error
      if (saysFinal(verdict)) return { status: null }
      throw EXPIRED.test(verdict.message) ? expired(unsigned, (await live).epoch, error) : refusalOf(verdict, error, unsigned)
    }
  })
}

/** Tells whether a node refuses because the transaction is final under other signatures; this node may not have it to show yet. */
function saysFinal({ code, message }: Verdict): boolean {
  return code === ABORTED && /already finalized.*different user signatures/i.test(message)
}

/** Asks every node whether it has it, until one has. A node that cannot tell counts as no. */
async function isFinal({ submit }: MoveClient, digest: string): Promise<boolean> {
  try {
    return await submit(async (node) => {
      const answer = await findTransaction(node, digest, ['digest'])
      if ('absent' in answer) throw new EndpointError('not held', notFinal())
      return true
    })
  } catch {
    return false
  }
}

/** Makes the fault of a node that does not have the transaction. It is told to nobody: the refusal of the broadcast is. */
function notFinal(): ServiceError {
  return unavailable('TRANSACTION_UNSEEN', 'No node that was asked has the transaction.', 5)
}

/**
 * Makes the refusal of a broadcast, in words that hold though the transaction may have landed, or may yet: the node before this one may have taken it, and what it
 * spends is gone then.
 */
function refusalOf(verdict: Verdict, error: unknown, { digest, signers }: Unsigned): ServiceError {
  const { message } = verdict
  const payer = signers.at(-1)
  return refusedWhenSent(
    (INVALID_SIGNATURE.test(message)
      ? badRequest('SIGNATURE_INVALID', `The chain refused the signatures: ${worded(message)}.`, error)
      : payer === undefined
        ? null
        : shortOfFunds(message, payer, error)) ??
      verdictRefusal(verdict, error) ??
      (verdict.code === ABORTED
        ? unavailable('UPSTREAM_BUSY', `The chain did not take the transaction now: ${worded(message)}.`, 5, error)
        : badRequest('CHAIN_REFUSED', `The chain refused the transaction: ${worded(message)}.`, error)),
    digest,
  )
}

/**
 * Makes the refusal of a transaction that is valid in other epochs than the node's. What is told follows from the bytes and from the node's own epoch, since a node
 * that is behind may say of epochs to come what it says of those that have passed.
 *
 * @param epoch of the node
 */
function expired({ data, digest }: Unsigned, epoch: bigint, error: unknown): ServiceError {
  const [first, last] = windowOf(data.expiration)
  if (first !== null && epoch < first)
    return unavailable(
      'UPSTREAM_BUSY',
      `The chain's node is in epoch ${epoch}, and the transaction is valid from epoch ${first} on: send the same one again.`,
      5,
      error,
    )
  const message = 'The epochs in which this transaction was valid have passed.'
  return refusedWhenSent(badRequest('TRANSACTION_EXPIRED', message, error), digest, { landsNoMore: last !== null && epoch > last })
}

/** Returns first and last epoch in which the chain takes a transaction; null where it has none. */
function windowOf(expiration: Unsigned['data']['expiration']): readonly [first: bigint | null, last: bigint | null] {
  const epochOf = (text: string | number | bigint | null | undefined) => (text == null ? null : BigInt(text))
  if (expiration?.$kind === 'Epoch') return [null, epochOf(expiration.Epoch)]
  const { minEpoch, maxEpoch } = expiration?.ValidDuring ?? expiration?.Validity ?? {}
  return [epochOf(minEpoch), epochOf(maxEpoch)]
}

const EXPIRED = /expired/i
const INVALID_SIGNATURE = /invalid user signature|signature is not valid|required signatures?/i

/**
 * Status of a transaction that validators may yet take, where it is not final under other signatures.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-rpc-api/src/error.rs (read 2026-11-21)
 */
const ABORTED = GrpcStatusCode[GrpcStatusCode.ABORTED]
