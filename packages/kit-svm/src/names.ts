import { createHash } from 'node:crypto'
import { type Names, readOnce, type SentTransaction } from '@svc/contract'
import type { Static } from 'typebox'
import { base58 } from './base58.ts'
import { requireComplete, requireValid } from './prepare.ts'
import { readTransaction, readUnsigned, type Transaction } from './transaction.ts'
import type { SvmWire } from './wire.ts'

/** Names of Solana transactions. `unsignedHash` is SHA-256 of the message, which is what is signed; the chain itself knows a transaction by its first signature only. */
export const svmNames: Names<SvmWire> = {
  unsigned: (body) => hashOf(readUnsigned(body)),
  signed(body) {
    const { signed, txHash } = readSigned(body)
    return { unsignedHash: hashOf(signed), txHash }
  },
}

/** Returns the transaction in a body of prepare or broadcast: its message names the signers. */
export function svmSent(body: Static<SvmWire['prepare']> | Static<SvmWire['broadcast']>): SentTransaction {
  const { bytes } = 'signed_tx_hex' in body ? readSigned(body).signed : readUnsigned(body)
  return { bytes: bytes.toString('hex') }
}

/** Reads the signed transaction of a body of broadcast. @throws 400 HEX_INVALID, TRANSACTION_INVALID, SIGNATURE_MISSING, SIGNATURE_INVALID */
export const readSigned = readOnce((body: Static<SvmWire['broadcast']>): { readonly signed: Transaction; readonly txHash: string } => {
  const signed = readTransaction(body.signed_tx_hex, 'signed_tx_hex')
  requireComplete(signed, 'signed_tx_hex')
  requireValid(signed, 'signed_tx_hex', 'it was changed after it was signed; pass what prepare returned')
  const [first] = signed.signatures
  if (first === undefined) throw new Error('expected a signature of who pays')
  return { signed, txHash: base58(first) }
})

function hashOf({ message }: Transaction): string {
  return createHash('sha256').update(message).digest('hex')
}
