import type { KitContext } from '@svc/contract'
import type { Static } from 'typebox'
import type { MoveClient } from './client.ts'
import { readCrafted } from './names.ts'
import type { MoveSettings } from './settings.ts'
import { requireSignatures } from './signature.ts'
import { writeSigned } from './signed-transaction.ts'
import type { MoveWire } from './wire.ts'

/**
 * Makes the signed transaction of an unsigned one and its signatures. The caller's bytes stay unchanged; the signatures are verified, without a call unless one is of
 * zkLogin.
 *
 * @throws 400 BASE64_INVALID, TRANSACTION_INVALID, CHAIN_ID_MISMATCH, SIGNATURE_INVALID, SIGNATURE_UNSUPPORTED; 502, 503, 504 for zkLogin
 */
export async function prepareMove(
  { client, network }: KitContext<MoveClient, MoveSettings>,
  body: Static<MoveWire['prepare']>,
): Promise<Static<MoveWire['signed']>> {
  const spelled = body.signatures.map(inBase64)
  const unsigned = readCrafted(body, network)
  await requireSignatures(client, unsigned, spelled)
  return { signed_tx_b64: writeSigned({ bytes: unsigned.text, signatures: spelled }) }
}

/** Hexadecimal of a serialized signature of one key, which no base64 of one is: that has other letters and an end of its own. */
const HEX = /^(?:0x)?((?:[0-9a-f]{2}){97,98})$/i

/** Converts a signature that came as hexadecimal to the base64 that the chain takes; returns any other as it came. */
function inBase64(signature: string): string {
  const digits = HEX.exec(signature)?.[1]
  return digits === undefined ? signature : Buffer.from(digits, 'hex').toString('base64')
}
