import { keccak256, ripemd160, Secp256k1, sha256 } from '@cosmjs/crypto'
import type { ChainKeys } from './chain.ts'
import { badRequest } from './codes.ts'

/** Type URL of the SDK's own keys. @see https://github.com/cosmos/cosmos-sdk/blob/main/proto/cosmos/crypto/secp256k1/keys.proto (read 2026-11-21) */
const COSMOS_KEY = '/cosmos.crypto.secp256k1.PubKey'
/** Type URLs of Ethereum's keys, as three families of chains name them. @see injective/crypto/v1beta1/ethsecp256k1, cosmos/evm/crypto/v1/ethsecp256k1, ethermint/crypto/v1/ethsecp256k1 (keys.proto, read 2026-11-23) */
const ETH_KEY = /^\/(?:[a-z0-9_]+\.)+ethsecp256k1\.PubKey$/

/** Refuses a chain that does not name its kind of key, which a chain written without types can do. @throws TypeError with what would be right */
export function requireKeys({ algorithm, keyType }: { readonly algorithm?: unknown; readonly keyType?: unknown }): void {
  if (algorithm === 'secp256k1') {
    if (keyType !== undefined)
      throw new TypeError(`chain.keyType is ${String(keyType)}: with the algorithm secp256k1 there is none to name.`)
    return
  }
  if (algorithm !== 'ethsecp256k1')
    throw new TypeError(
      `chain.algorithm is ${String(algorithm)}: it must be secp256k1 or ethsecp256k1, as the chain's own accounts have it. With the wrong one addresses belong to nobody.`,
    )
  if (typeof keyType !== 'string' || !ETH_KEY.test(keyType))
    throw new TypeError(
      `chain.keyType is ${String(keyType)}: with ethsecp256k1 it must be the type of the chain's public keys, such as /injective.crypto.v1beta1.ethsecp256k1.PubKey.`,
    )
}

/** Returns the type URL of the public keys that a chain's transactions have, such as `/cosmos.crypto.secp256k1.PubKey`. */
export function keyTypeOf(keys: ChainKeys): string {
  return keys.algorithm === 'ethsecp256k1' ? keys.keyType : COSMOS_KEY
}

/**
 * Computes the 20 bytes of an account.
 *
 * @param publicKey compressed
 * @throws 400 PUBLIC_KEY_INVALID with ethsecp256k1 for one that is no point of the curve
 */
export function accountBytes({ algorithm }: ChainKeys, publicKey: Uint8Array): Uint8Array {
  if (algorithm === 'secp256k1') return ripemd160(sha256(publicKey))
  // Without the 04 in front.
  return keccak256(asPoint(() => Secp256k1.uncompressPubkey(publicKey)).subarray(1)).subarray(12)
}

/**
 * Rewrites a public key, and refuses one that is no point of the curve.
 *
 * @param rewrite throws for what is no point of the curve
 * @throws 400 PUBLIC_KEY_INVALID
 */
export function asPoint(rewrite: () => Uint8Array): Uint8Array {
  try {
    return rewrite()
  } catch (error) {
    throw badRequest(
      'PUBLIC_KEY_INVALID',
      'The public key is not a point of the curve secp256k1: a digit is wrong, or it is a key of another curve, such as P-256.',
      error,
    )
  }
}

/** Computes the hash of a sign document, which is what a key signs. */
export function digestOf({ algorithm }: ChainKeys, document: Uint8Array): Uint8Array {
  return algorithm === 'secp256k1' ? sha256(document) : keccak256(document)
}
