import { signatureForms } from '@svc/verify/bytes'
import { formatUnits, type GivenSignature, type Move, type SigningRequest } from '@svc/verify/intent'
import { serializeSignature } from '@svc/verify/move'
import { AskedWrong, type Question } from './question.ts'

/** Writes a move for an answer: a native amount as decimal text in tokens, any other in base units, since only the native token's decimals are pinned. */
export function moveOf({ kind, asset, amount }: Move, decimals: number) {
  return { kind, asset, amount: amount === null ? null : asset === 'native' ? formatUnits(amount, decimals) : String(amount) }
}

/** Length of a digest: what is longer is signed as it is. */
const DIGEST = 32

/** Writes a signing request for an answer. */
export function signOf({ algorithm, digest, signer, key, payload }: SigningRequest) {
  const kind = algorithm === 'secp256k1' ? 'hash' : payload.length === DIGEST ? 'digest' : 'message'
  return { algorithm, kind, ...(digest ? { digest } : {}), signer, ...(key ? { key } : {}), payload_hex: hexOf(payload) }
}

/**
 * Reads a signature in the form in which it was given: a text, r and s by name, or one beside its public key, as custodians answer it. On Sui the key travels with the
 * signature; in other families it is left aside, since the signature is verified by the signer of the order.
 */
export function signatureOf(given: unknown, answer: unknown): GivenSignature {
  if (typeof given === 'string') return given
  const { r, s, signature, public_key } = Object(given) as Readonly<Record<string, unknown>>
  if (typeof r === 'string' && typeof s === 'string') return { r, s }
  if (typeof signature === 'string' && typeof public_key === 'string') {
    if (!('unsigned_tx_b64' in Object(answer))) return signature
    const bytes = signatureForms(signature).find(({ length }) => length === 64)
    const key = signatureForms(public_key).find(({ length }) => length === 32)
    if (bytes && key) return serializeSignature(bytes, key)
    throw new AskedWrong('signature and public_key must be of 64 and 32 bytes.')
  }
  throw new AskedWrong('signature must be a text, or an object with r and s, or with signature and public_key, as texts.')
}

/** Reads the keys by which a webhook is verified. @throws AskedWrong for one of another form, which would verify nothing */
export function keysOf({ members, id }: Question): readonly string[] {
  const keys = members.keys as readonly string[]
  if (keys.length > 0 && keys.every((key) => /^wh(?:sec|pk)_/.test(key))) return keys
  throw new AskedWrong('keys must be a list of secrets whsec_… and public keys whpk_… of the webhook, one at least.', id)
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
