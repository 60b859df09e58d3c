import { sha256 } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import { type Names, readOnce, type SentTransaction } from '@svc/contract'
import type { Static } from 'typebox'
import { readTransactionHex } from './hex.ts'
import { rawOf, readBody, readSigned, transactionHash } from './transaction.ts'
import type { CosmosWire } from './wire.ts'

/**
 * `unsignedHash` is SHA-256 of `unsigned_tx_hex`, the TxRaw without signatures. It is not `unsigned_tx_hash_hex`: that one is bound to an
 * account number, which a signed transaction does not name.
 */
export const cosmosNames: Names<CosmosWire> = {
  unsigned(body) {
    const { txBody, authInfo } = readUnsignedTx(body)
    return unsignedHash(txBody, authInfo)
  },
  signed(body) {
    const { tx, bodyBytes, authInfoBytes } = readSignedTx(body)
    return { unsignedHash: unsignedHash(bodyBytes, authInfoBytes), txHash: transactionHash(tx) }
  },
}

/** Returns the transaction in a body of prepare or broadcast, without its signature, since that covers an account number which the bytes do not name. */
export function cosmosSent(body: Static<CosmosWire['prepare']> | Static<CosmosWire['broadcast']>): SentTransaction {
  if ('signed_tx_hex' in body) {
    const { bodyBytes, authInfoBytes } = readSignedTx(body)
    return { bytes: toHex(rawOf(bodyBytes, authInfoBytes, [])) }
  }
  const { txBody, authInfo } = readUnsignedTx(body)
  return { bytes: toHex(rawOf(txBody, authInfo, [])) }
}

/** Reads the bytes of TxBody and AuthInfo from a craft response or a body of prepare. @throws 400 HEX_INVALID, TRANSACTION_INVALID */
export const readUnsignedTx = readOnce((body: Static<CosmosWire['unsigned']> | Static<CosmosWire['prepare']>) => {
  const authInfo = readTransactionHex(body.tx_auth_info_hex, 'tx_auth_info_hex')
  const bytes =
    'tx_body_hex' in body
      ? readTransactionHex(body.tx_body_hex, 'tx_body_hex')
      : readTransactionHex(body.unsigned_tx_hex, 'unsigned_tx_hex')
  return { txBody: readBody(bytes, authInfo), authInfo }
})

/** Reads the signed transaction from a body of broadcast. @throws 400 HEX_INVALID, TRANSACTION_INVALID */
export const readSignedTx = readOnce((body: Static<CosmosWire['broadcast']>) => {
  const tx = readTransactionHex(body.signed_tx_hex, 'signed_tx_hex')
  return { tx, ...readSigned(tx) }
})

function unsignedHash(bodyBytes: Uint8Array, authInfoBytes: Uint8Array): string {
  return toHex(sha256(rawOf(bodyBytes, authInfoBytes, [])))
}
