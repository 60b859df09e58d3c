import { base58 } from '../bytes/base58.ts'
import { base64, bytesOfBase64 } from '../bytes/base64.ts'
import { digitsOf } from '../bytes/hex.ts'
import { signatureForms } from '../bytes/signature-text.ts'
import { blake2b256 } from '../curve/blake2b.ts'
import { verifies } from '../curve/ed25519.ts'
import type { GivenSignature } from '../curve/signature.ts'
import { Refused } from '../intent/refusal.ts'
import type { Signing } from '../intent/signing.ts'
import type { MoveCraft } from './decode.ts'

/** Bytes that precede those of a transaction when they are signed. @see https://docs.sui.io/concepts/cryptography/transaction-auth/intent-signing (read 2026-11-22) */
const INTENT = [0, 0, 0] as const
/** Flag of Ed25519 in a serialized signature. @see https://docs.sui.io/concepts/cryptography/transaction-auth/signatures (read 2026-11-22) */
export const ED25519 = 0
export const SERIALIZED = 97

/** Signing rules of Sui: the digest of intent and bytes is signed with Ed25519. A signature travels with its key, which must be the sender's. */
export const signing: Signing = {
  request: (answer, { wallet_address }) => ({
    algorithm: 'ed25519',
    signer: String(wallet_address),
    payload: digestOf(transactionOf(answer)),
  }),
  async prepare(answer, { signer, payload }, given) {
    const signature = await readSerialized(given, { signer, payload, bytes: transactionOf(answer) })
    const { unsigned_tx_b64 } = answer as MoveCraft
    const signatures = [base64(signature)]
    return {
      body: { unsigned_tx_b64, signatures },
      expected: { signed_tx_b64: writeSigned(unsigned_tx_b64, signatures) },
      txHash: transactionDigest(transactionOf(answer)),
    }
  },
}

/** Writes the signed form of this service: base64 of JSON with the transaction and its signatures. */
export function writeSigned(bytes: string, signatures: readonly string[]): string {
  return base64(new TextEncoder().encode(JSON.stringify({ bytes, signatures })))
}

/** Joins a raw signature and its key into a serialized signature, for custodians that sign hashes only and return the two separately. @param key 32 bytes */
export function serializeSignature(signature: Uint8Array, key: Uint8Array): Uint8Array {
  return joined(Uint8Array.of(ED25519), signature, key)
}

interface Wanted {
  readonly signer: string
  readonly payload: Uint8Array
  readonly bytes: Uint8Array
}

async function readSerialized(input: GivenSignature, { signer, payload, bytes }: Wanted): Promise<Uint8Array> {
  const forms = input instanceof Uint8Array ? [input] : typeof input === 'string' ? signatureForms(input) : []
  const serialized = forms.find(({ length }) => length === SERIALIZED) ?? forms[0]
  if (serialized?.length !== SERIALIZED || serialized[0] !== ED25519) {
    throw new Refused(
      'signature',
      '97 bytes: the flag 0 of Ed25519, 64 of the signature and 32 of the key, or their base64',
      `${serialized?.length ?? 'no'} bytes`,
    )
  }
  const [signature, key] = [serialized.slice(1, 65), serialized.slice(65)]
  const address = addressOfKey(key)
  if (BigInt(address) !== BigInt(signer)) throw new Refused('signature', `one by ${signer}`, `one by ${address}`)
  if (await verifies(key, signature, payload)) return serialized
  const without = (await verifies(key, signature, bytes)) || (await verifies(key, signature, blake2b256(bytes)))
  const actual = without ? 'one over the bytes without the intent 00 00 00 before them' : 'one over something else'
  throw new Refused('signature', 'one over the BLAKE2b-256 digest of 00 00 00 and the bytes', actual)
}

/** Computes the address of a public key. @param key 32 bytes of Ed25519 */
export function addressOfKey(key: Uint8Array): string {
  return `0x${digitsOf(blake2b256(joined(Uint8Array.of(ED25519), key)))}`
}

/** Returns the digest by which the chain knows a transaction, signed or not. */
export function transactionDigest(bytes: Uint8Array): string {
  return base58(blake2b256(joined(new TextEncoder().encode('TransactionData::'), bytes)))
}

/** Returns the digest that is signed. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  return blake2b256(joined(Uint8Array.of(...INTENT), bytes))
}

/** Returns the transaction bytes of a craft. */
export function transactionOf(answer: unknown): Uint8Array {
  return bytesOfBase64((answer as MoveCraft).unsigned_tx_b64) ?? new Uint8Array()
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
