import type { Names, Sent } from '@svc/contract'
import type { Static } from 'typebox'
import type { MoveNetwork, MoveSettings } from './settings.ts'
import { readSigned } from './signed-transaction.ts'
import { readUnsigned, type Unsigned } from './transaction.ts'
import type { MoveWire } from './wire.ts'

/** Both names are the digest: signatures do not change it. */
export const moveNames: Names<MoveWire, MoveSettings> = {
  unsigned: ({ unsigned_tx_b64 }, network) => readUnsigned(unsigned_tx_b64, 'unsigned_tx_b64', network).digest,
  signed(body, network) {
    const { digest } = readSent(body, network).unsigned
    return { unsignedHash: digest, txHash: digest }
  },
}

/** The transaction in a body of prepare or broadcast, without signatures: its data names who signs. */
export function moveSent(body: Static<MoveWire['prepare']> | Static<MoveWire['broadcast']>): Sent {
  return { bytes: 'signed_tx_b64' in body && body.signed_tx_b64 !== undefined ? readSigned(body).bytes : String(body.unsigned_tx_b64) }
}

/** Reads the transaction that a body of broadcast sends. @throws 400 BASE64_INVALID, TRANSACTION_INVALID, CHAIN_ID_MISMATCH */
export function readSent(
  body: Static<MoveWire['broadcast']>,
  network: MoveNetwork,
): { readonly unsigned: Unsigned; readonly signatures: readonly string[] } {
  const { bytes, signatures } = readSigned(body)
  const name = body.signed_tx_b64 === undefined ? 'unsigned_tx_b64' : 'signed_tx_b64.bytes'
  return { unsigned: readUnsigned(bytes, name, network), signatures }
}
