import { base58, base64, bytesOf, sha256, verifiesEd25519 } from '@svc/verify/bytes'
import { type GivenSignature, Refused, type Signing } from '@svc/verify/intent'
import { readCraft } from './decode.ts'
import { keyBytes, keyOf } from './key.ts'
import { ED25519 } from './transaction.ts'

/** Bytes of an Ed25519 signature. */
export const SIGNATURE_LENGTH = 64

/** The key signs the SHA-256 of the bytes as its message, and that hash is the transaction's own. @see https://nomicon.io/RuntimeSpec/Transactions (read 2026-11-23) */
export const signing: Signing = {
  request(answer, { account_id, public_key }) {
    const account = String(account_id)
    const key = keyOf(account, public_key === undefined ? undefined : String(public_key))
    return { algorithm: 'ed25519', signer: account, key, payload: sha256(readCraft(answer).bytes) }
  },
  async prepare(answer, { key, payload }, given) {
    const { craft, bytes } = readCraft(answer)
    const signature = readSignature(given)
    const public_key = keyBytes(key ?? '')
    if (public_key === null) throw new Refused('signature', 'one by an Ed25519 key', String(key))
    if (!(await verifiesEd25519(public_key, signature, payload))) {
      const over = (await verifiesEd25519(public_key, signature, bytes))
        ? 'one over the bytes, which were not hashed'
        : 'one over something else, or by another key'
      throw new Refused('signature', `one by ${key} over the SHA-256 of the bytes`, over)
    }
    const signature_hex = Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')
    return {
      body: { unsigned_tx_hex: craft.unsigned_tx_hex, signature_hex },
      expected: { signed_tx_b64: base64(signedBytes(bytes, signature)) },
      txHash: base58(payload),
    }
  },
}

/** Puts a signature behind the bytes that it is of. */
function signedBytes(bytes: Uint8Array, signature: Uint8Array): Uint8Array {
  return Uint8Array.from([...bytes, ED25519, ...signature])
}

function readSignature(given: GivenSignature): Uint8Array {
  const bytes =
    given instanceof Uint8Array ? given : typeof given === 'string' ? bytesOf(given.startsWith('0x') ? given : `0x${given}`) : null
  if (bytes?.length === SIGNATURE_LENGTH) return bytes
  throw new Refused('signature', `${SIGNATURE_LENGTH} bytes of Ed25519, or their hex`, `${bytes?.length ?? 'no'} bytes`)
}
