import { createECDH, createHash } from 'node:crypto'

/** Order of the base point. @see https://www.secg.org/sec2-v2.pdf section 2.4.1 (read 2026-11-21) */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** A key pair of a test wallet: everybody can make it from its name. */
export interface Secp256k1Key {
  /** 33 bytes in hex. */
  readonly compressed: string
  /** 65 bytes in hex. */
  readonly uncompressed: string
  /** r and s of the lower of the two signatures of a digest, 64 bytes in hex; always the same ones. */
  sign(digest: Uint8Array): string
}

/**
 * Derives the key pair whose secret is the SHA-256 of a name. Node's own library multiplies points, but signs no digest that it has not made itself, so that the rest of
 * ECDSA is written here: wallets without secrets need no dependency.
 *
 * @see https://www.secg.org/sec1-v2.pdf section 4.1.3 (read 2026-11-22)
 */
export function secp256k1Key(name: string): Secp256k1Key {
  const secret = digestOf(name)
  const d = numberOf(secret)
  return {
    compressed: publicKey(secret, 'compressed').toString('hex'),
    uncompressed: publicKey(secret, 'uncompressed').toString('hex'),
    sign(digest) {
      for (let attempt = 0; ; attempt++) {
        // Never the same for two digests, which would tell the secret; everybody knows it here, but this may be copied.
        const nonce = digestOf(`${secret.toString('hex')} ${Buffer.from(digest).toString('hex')} ${attempt}`)
        const k = numberOf(nonce)
        if (k === 0n || k >= ORDER) continue
        const r = numberOf(publicKey(nonce, 'uncompressed').subarray(1, 33)) % ORDER
        const s = (inverse(k) * (numberOf(digest) + r * d)) % ORDER
        if (r === 0n || s === 0n) continue
        return hex(r) + hex(s > ORDER / 2n ? ORDER - s : s)
      }
    },
  }
}

function publicKey(secret: Buffer, format: 'compressed' | 'uncompressed'): Buffer {
  const curve = createECDH('secp256k1')
  curve.setPrivateKey(secret)
  return curve.getPublicKey(null, format)
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

function hex(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}

/** Fermat: a^(n-2) is the inverse of a where n is prime. */
function inverse(value: bigint): bigint {
  let result = 1n
  let square = value
  for (let rest = ORDER - 2n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % ORDER
    square = (square * square) % ORDER
  }
  return result
}
