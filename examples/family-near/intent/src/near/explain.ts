import { DecodeError } from '@svc/verify'
import { base58, base64, bytesOfText, cursor, digitsOf, sha256, verifiesEd25519 } from '@svc/verify/bytes'
import type { Explanation } from '@svc/verify/intent'
import { decodedOf, MAX_BYTES } from './decode.ts'
import { keyBytes } from './key.ts'
import { SIGNATURE_LENGTH } from './signing.ts'
import { ED25519, readTransaction } from './transaction.ts'

/** Reads a transaction, unsigned or signed, from hex or base64. @throws DecodeError with a sentence on what it is not */
export async function explainNear(text: string, layouts: unknown): Promise<Explanation> {
  const input = bytesOfText(text, MAX_BYTES)
  const from = cursor(input, 'the transaction')
  const transaction = readTransaction(from)
  const bytes = input.subarray(0, input.length - from.left())
  const isSigned = from.left() > 0
  const signature = isSigned ? readSignature() : null
  const hash = sha256(bytes)
  const key = keyBytes(transaction.key) ?? new Uint8Array()
  const right = signature !== null && (await verifiesEd25519(key, signature, hash))
  return {
    decoded: decodedOf(transaction, layouts),
    form: isSigned ? 'signed' : 'unsigned',
    signers: [{ address: transaction.signer, signature: signature === null ? 'missing' : right ? 'right' : 'wrong' }],
    unsigned: {
      unsigned_tx_hex: digitsOf(bytes),
      unsigned_tx_b64: base64(bytes),
      signing_hash_hex: digitsOf(hash),
      tx_hash: base58(hash),
    },
    hash: digitsOf(hash),
    txHash: isSigned ? base58(hash) : null,
    notes: [
      'The bytes name no chain: the block hash alone ties them to one.',
      `They name the key ${transaction.key}; that it is a key of ${transaction.signer} only the chain knows.`,
    ],
  }

  function readSignature(): Uint8Array {
    const kind = from.u8('the kind of the signature')
    if (kind !== ED25519) throw new DecodeError(`the signature is of kind ${kind}; it must be ${ED25519}, Ed25519`)
    const match = from.bytes(SIGNATURE_LENGTH, 'the signature')
    from.end()
    return match
  }
}
