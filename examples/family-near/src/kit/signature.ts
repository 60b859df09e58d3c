import { createPublicKey, verify } from 'node:crypto'

/** DER of a SubjectPublicKeyInfo for Ed25519 up to the key itself. @see https://www.rfc-editor.org/rfc/rfc8410#section-4 (read 2026-11-21) */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** Tells whether a signature is by a key over a message. */
export function verifies(signature: Buffer, message: Buffer, key: Buffer): boolean {
  try {
    return verify(null, message, createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' }), signature)
  } catch {
    return false
  }
}
