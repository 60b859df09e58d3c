import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { Keypair } from '@svc/solana'

/** DER of a PrivateKeyInfo for ed25519 up to the seed itself. @see https://www.rfc-editor.org/rfc/rfc8410#section-7 (read 2026-11-21) */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SEED_BYTES = 32

/** A key of an account that a transaction makes: to sign that, and to be forgotten. By Node's own ed25519, which is many times faster than JavaScript's. */
export function newEphemeralKey(): Keypair {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  if (d === undefined || x === undefined) throw new Error('expected both halves of an ed25519 key')
  return Keypair.fromSecretKey(Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]), { skipValidation: true })
}

/** A key's signature over a message: 64 bytes. */
export function signed(message: Buffer, { secretKey }: Keypair): Buffer {
  const key = Buffer.concat([PKCS8, secretKey.subarray(0, SEED_BYTES)])
  return sign(null, message, createPrivateKey({ key, format: 'der', type: 'pkcs8' }))
}
