import type { KitContext } from '@svc/contract'
import type { Static } from 'typebox'
import type { MoveClient } from './client.ts'
import type { MoveSettings } from './settings.ts'
import { requireSignatures } from './signature.ts'
import { writeSigned } from './signed-transaction.ts'
import { readUnsigned } from './transaction.ts'
import type { MoveWire } from './wire.ts'

/**
 * Unsigned transaction and signatures to signed transaction. The caller's bytes go into it as they came; the signatures are verified,
 * without a call unless one is of zkLogin.
 *
 * @throws 400 BASE64_INVALID, TRANSACTION_INVALID, CHAIN_ID_MISMATCH, SIGNATURE_INVALID, SIGNATURE_UNSUPPORTED; 502, 503, 504 for zkLogin
 */
export async function prepareMove(
  { client, network }: KitContext<MoveClient, MoveSettings>,
  { unsigned_tx_b64: unsigned, signatures }: Static<MoveWire['prepare']>,
): Promise<Static<MoveWire['signed']>> {
  await requireSignatures(client, readUnsigned(unsigned, 'unsigned_tx_b64', network), signatures)
  return { signed_tx_b64: writeSigned({ bytes: unsigned, signatures }) }
}
