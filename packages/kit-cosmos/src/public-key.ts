import { ripemd160, Secp256k1, sha256 } from '@cosmjs/crypto'
import { fromHex, toBech32 } from '@cosmjs/encoding'
import { Type } from 'typebox'
import { badRequest } from './codes.ts'

/** A key for examples. */
export const EXAMPLE_KEY = '034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff'

/** Member `pubkey` of an action's body: the public key of the staking address. */
export const PublicKey = Type.Unsafe<string>({
  type: 'string',
  description:
    'secp256k1 public key of the staking address, hex, with or without 0x: compressed (33 bytes, 02… or 03…) or uncompressed (65 bytes, 04…). ' +
    'Both forms give the same transaction.',
  examples: [EXAMPLE_KEY],
})

/** An account as its key tells it. */
export interface Account {
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array
  readonly address: string
}

/**
 * The account of a public key in hex.
 *
 * @throws 400 PUBLIC_KEY_INVALID
 */
export function accountOf(prefix: string, pubkey: string): Account {
  const digits = pubkey.trim().replace(/^0x/i, '').toLowerCase()
  const compressed = /^0[23][0-9a-f]{64}$/.test(digits)
  if (!compressed && !/^04[0-9a-f]{128}$/.test(digits)) {
    throw badRequest(
      'PUBLIC_KEY_INVALID',
      `pubkey "${pubkey.slice(0, 140)}" is not a public key in hex: 33 bytes that begin with 02 or 03, or 65 that begin with 04.`,
    )
  }
  return accountOfKey(prefix, compressPublicKey(fromHex(digits)))
}

/** The account of a compressed key: Bech32 of ripemd160 of sha256. */
export function accountOfKey(prefix: string, publicKey: Uint8Array): Account {
  return { publicKey, address: toBech32(prefix, ripemd160(sha256(publicKey))) }
}

/**
 * A key of either form as 33 bytes, found to be a point of the curve.
 *
 * @throws 400 PUBLIC_KEY_INVALID
 */
export function compressPublicKey(key: Uint8Array): Uint8Array {
  try {
    // Each of the two returns a key that has its form already without a look at it; one after the other they leave nothing unchecked.
    return Secp256k1.compressPubkey(Secp256k1.uncompressPubkey(key))
  } catch (error) {
    throw badRequest('PUBLIC_KEY_INVALID', 'The public key is not a point of the curve secp256k1: a digit was mistyped.', error)
  }
}
