import { GrpcStatusCode } from '@mysten/sui/grpc'
import { badGateway, badRequest, type KitContext, ServiceError, unavailable } from '@svc/contract'
import type { Static } from 'typebox'
import { failureOf, malformed, verdictOf } from './answer.ts'
import type { MoveClient } from './client.ts'
import { shortOfFunds, verdictRefusal, worded } from './refusal.ts'
import { requireSignatures } from './signature.ts'
import { readSigned } from './signed.ts'
import { readUnsigned, type Unsigned } from './transaction.ts'
import type { MoveWire } from './wire.ts'

/**
 * Submits a signed transaction and waits until it is final. Sending the same one again answers the same hash. A transaction that is final
 * and failed there is submitted too: its gas is paid, and whoever follows the hash sees why.
 *
 * @throws 400 for what prepare refuses and for what the chain refuses; 502, 503, 504 that name the hash
 */
export async function broadcastMove(
  { client, network, log }: KitContext<MoveClient>,
  given: Static<MoveWire['broadcast']>,
): Promise<{ tx_hash: string }> {
  const { bytes, signatures } = readSigned(given)
  const name = given.signed_tx_b64 === undefined ? 'unsigned_tx_b64' : 'signed_tx_b64.bytes'
  const unsigned = readUnsigned(bytes, name, network)
  const checked = await requireSignatures(client, unsigned, signatures)
  const { digest } = unsigned
  try {
    const result = await client.sui.executeTransaction({ transaction: unsigned.bytes, signatures: [...checked] })
    const { digest: answered, status } = result.Transaction ?? result.FailedTransaction
    if (answered !== digest)
      throw badGateway('UPSTREAM_ERROR', 'The node answered the hash of another transaction than the one that was sent.', answered)
    if (!status.success) log.warn({ digest, error: status.error }, 'a transaction failed on the chain')
  } catch (error) {
    // The node may refuse what is final already, and may have taken what it did not answer to.
    if (!saysFinal(error) && !(await isFinal(client, digest))) throw refusalOf(error, unsigned)
  }
  return { tx_hash: digest }
}

/** Under other signatures; the node that says so may not have it to show yet. */
function saysFinal(error: unknown): boolean {
  const { code, message = '' } = verdictOf(error) ?? {}
  return code === ABORTED && /already finalized.*different user signatures/i.test(message)
}

/** A node that cannot tell counts as no. */
async function isFinal({ sui }: MoveClient, digest: string): Promise<boolean> {
  try {
    const { response } = await sui.ledgerService.getTransaction({ digest, readMask: { paths: ['digest'] } })
    return response.transaction?.digest === digest
  } catch {
    return false
  }
}

function refusalOf(error: unknown, { digest, signers }: Unsigned): ServiceError {
  const verdict = verdictOf(error)
  if (verdict === null) return naming(digest, failureOf(error) ?? malformed(error))
  const { message } = verdict
  if (/invalid user signature|signature is not valid|required signatures?/i.test(message))
    return badRequest('SIGNATURE_INVALID', `The chain refused the signatures: ${worded(message)}.`, error)
  // What a transaction spends is gone once it has landed itself, so that refusals name the hash too.
  return naming(
    digest,
    shortOfFunds(message, signers.at(-1)!, error) ??
      verdictRefusal(verdict, error) ??
      (verdict.code === ABORTED
        ? unavailable('UPSTREAM_BUSY', `The chain did not take the transaction now: ${worded(message)}.`, 5, error)
        : badRequest('CHAIN_REFUSED', `The chain refused the transaction: ${worded(message)}.`, error)),
  )
}

/**
 * What validators may yet take is of this status, where it is not final under other signatures.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-rpc-api/src/error.rs (read 2026-11-21)
 */
const ABORTED = GrpcStatusCode[GrpcStatusCode.ABORTED]

/** The transaction may be on its way, or have landed before: with its hash the caller can find out. */
function naming(digest: string, { statusCode, code, message, retryAfter, cause }: ServiceError): ServiceError {
  return new ServiceError(statusCode, code, `${message.replace(/\.?$/, '.')} Look the hash ${digest} up before sending again.`, {
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause,
  })
}
