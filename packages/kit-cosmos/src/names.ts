import { sha256 } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import type { Names } from '@svc/contract'
import type { Static } from 'typebox'
import { readHex } from './hex.ts'
import { rawOf, readBody, readSigned, transactionHash } from './transaction.ts'
import type { CosmosWire } from './wire.ts'

/**
 * `unsignedHash` is SHA-256 of `unsigned_tx_hex`, the TxRaw without signatures. It is not `unsigned_tx_hash_hex`: that one is bound to an
 * account number, which a signed transaction does not name.
 */
export const cosmosNames: Names<CosmosWire> = {
  unsigned(body) {
    const authInfo = readHex(body.tx_auth_info_hex, 'tx_auth_info_hex')
    return unsignedHash(readTxBody(body, authInfo), authInfo)
  },
  signed(body) {
    const { tx, bodyBytes, authInfoBytes } = readSignedTx(body)
    return { unsignedHash: unsignedHash(bodyBytes, authInfoBytes), txHash: transactionHash(tx) }
  },
}

/** Bytes of the TxBody in a craft response or a body of prepare. @throws 400 HEX_INVALID, TRANSACTION_INVALID */
export function readTxBody(body: Static<CosmosWire['unsigned']> | Static<CosmosWire['prepare']>, authInfo: Uint8Array): Uint8Array {
  const bytes = 'tx_body_hex' in body ? readHex(body.tx_body_hex, 'tx_body_hex') : readHex(body.unsigned_tx_hex, 'unsigned_tx_hex')
  return readBody(bytes, authInfo)
}

/** The signed transaction of a body of broadcast. @throws 400 HEX_INVALID, TRANSACTION_INVALID */
export function readSignedTx(body: Static<CosmosWire['broadcast']>) {
  const tx = readHex(body.signed_tx_hex, 'signed_tx_hex')
  return { tx, ...readSigned(tx) }
}

function unsignedHash(bodyBytes: Uint8Array, authInfoBytes: Uint8Array): string {
  return toHex(sha256(rawOf(bodyBytes, authInfoBytes, [])))
}
