import { createPublicKey, verify } from 'node:crypto'

/** DER of a SubjectPublicKeyInfo for ed25519 up to the key itself. @see https://www.rfc-editor.org/rfc/rfc8410#section-4 (read 2026-11-21) */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Points of small order, the sign bit left out, whose signatures fit many messages; validators refuse them.
 *
 * @see https://docs.rs/ed25519-dalek/latest/ed25519_dalek/struct.VerifyingKey.html#method.verify_strict (read 2026-11-21)
 * @see https://github.com/jedisct1/libsodium/blob/master/src/libsodium/crypto_core/ed25519/ref10/ed25519_ref10.c (ge25519_has_small_order, read 2026-11-21)
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])

/** Tells whether a validator would accept an ed25519 signature. Node's check is equally strict except for points of small order, which are refused here. */
export function verifies(signature: Buffer, message: Buffer, key: Buffer): boolean {
  if (hasSmallOrder(key) || hasSmallOrder(signature.subarray(0, 32))) return false
  try {
    return verify(null, message, createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' }), signature)
  } catch {
    return false
  }
}

function hasSmallOrder(point: Buffer): boolean {
  const magnitude = Buffer.from(point)
  magnitude.writeUInt8(magnitude.readUInt8(31) & 0x7f, 31)
  return SMALL_ORDER.has(magnitude.toString('hex'))
}
