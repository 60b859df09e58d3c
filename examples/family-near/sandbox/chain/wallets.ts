import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type CustodianSignature, requireHash } from '@svc/sandbox'

/** A wallet whose key everybody knows. */
export interface NearWallet {
  /** 64 hex digits: the key itself. */
  readonly address: string
  /** Ed25519, 32 bytes in hex. */
  readonly seed: string
}

/** PKCS#8 of an Ed25519 key up to the seed. @see https://www.rfc-editor.org/rfc/rfc8410 section 7 (read 2026-11-21) */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

function keyOf(seed: string): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seed, 'hex')]), format: 'der', type: 'pkcs8' })
}

function publicOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
}

/** Public test keys, made from words: never send anything of value to them. */
export const nearWallets: readonly NearWallet[] = Array.from({ length: 5 }, (_, index) => {
  const seed = createHash('sha256')
    .update(`near sandbox wallet ${index + 1}`)
    .digest('hex')
  return { address: publicOf(keyOf(seed)), seed }
})

/** Signs the hash of a transaction as a custodian would. @throws SandboxError `INVALID_INPUT` for what has not 32 bytes */
export async function signHash({ seed }: NearWallet, payload: Uint8Array): Promise<CustodianSignature> {
  requireHash(payload, 'the hash of a NEAR transaction')
  const key = keyOf(seed)
  const signature = sign(null, payload, key).toString('hex')
  return { algorithm: 'ed25519', signature, publicKey: publicOf(key), prepare: { signature_hex: signature } }
}
