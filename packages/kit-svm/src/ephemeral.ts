import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { Keypair } from '@svc/solana'

/** DER of a PrivateKeyInfo for ed25519 up to the seed itself. @see https://www.rfc-editor.org/rfc/rfc8410#section-7 (read 2026-11-21) */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SEED_BYTES = 32

/** Node's form of the keys that are in use: to take one apart and to put it together again takes as long as to make it. Gone with the key. */
const own = new WeakMap<Keypair, KeyObject>()

/** Makes the key of an account that a transaction creates; it signs that transaction, and is forgotten. Uses Node's own ed25519, which is many times faster than JavaScript's. */
export function newEphemeralKey(): Keypair {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d, x } = privateKey.export({ format: 'jwk' })
  if (d === undefined || x === undefined) throw new Error('expected both halves of an ed25519 key')
  const pair = Keypair.fromSecretKey(Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]), { skipValidation: true })
  own.set(pair, privateKey)
  return pair
}

/** Signs a message by a key. */
export function signed(message: Buffer, pair: Keypair): Buffer {
  return sign(null, message, own.get(pair) ?? readKey(pair))
}

function readKey({ secretKey }: Keypair): KeyObject {
  const key = Buffer.concat([PKCS8, secretKey.subarray(0, SEED_BYTES)])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}
