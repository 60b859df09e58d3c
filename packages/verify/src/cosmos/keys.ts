import { keccak256 } from '../bytes/keccak.ts'
import { sha256 } from '../bytes/sha256.ts'
import { uncompressed } from '../curve/secp256k1.ts'
import { DecodeError, shown } from '../errors.ts'
import { ripemd160 } from './ripemd160.ts'

/**
 * Kind of key of a chain's accounts. The curve is the same for both; the address, the type of the key and the signed hash differ, and an address computed for the wrong
 * kind belongs to nobody. So the kind is never assumed.
 */
export type CosmosKeys =
  | { readonly algorithm: 'secp256k1'; readonly keyType?: undefined }
  | {
      readonly algorithm: 'ethsecp256k1'
      /** Type URL of the chain's public keys: `/injective.crypto.v1beta1.ethsecp256k1.PubKey`. */
      readonly keyType: string
    }

/** What follows from the kind of key. */
interface KeyRules {
  /** Type URL of a public key in an AuthInfo. */
  readonly keyType: string
  /** Name of the hash that is signed, for signers. */
  readonly digest: 'sha256' | 'keccak256'
  /** Computes the hash that is signed. @returns 32 bytes */
  hash(document: Uint8Array): Uint8Array
  /**
   * Computes the 20 bytes of an account.
   *
   * @param key compressed, 33 bytes
   * @returns null for a key that is no point of the curve, where that has to be known
   */
  account(key: Uint8Array): Uint8Array | null
}

/** Account of 20 bytes: ripemd160 of sha256 of the compressed key. @see https://docs.cosmos.network/v0.50/build/architecture/adr-028-public-key-addresses (read 2026-11-21) */
const COSMOS: KeyRules = {
  keyType: '/cosmos.crypto.secp256k1.PubKey',
  digest: 'sha256',
  hash: sha256,
  account: (key) => ripemd160(sha256(key)),
}

/** Type URLs of keys that are Ethereum's: `/injective.crypto.v1beta1…`, `/cosmos.evm.crypto.v1…`, `/ethermint.crypto.v1…`. */
const ETHEREUM_TYPE = /^\/[a-z0-9_.]{1,100}\.ethsecp256k1\.PubKey$/

/** Address of Ethereum: the last 20 bytes of keccak256 of the point, x and y. @see https://github.com/cosmos/evm/blob/main/crypto/ethsecp256k1/ethsecp256k1.go (Address, VerifySignature; read 2026-11-23) */
const ethereum = (keyType: string): KeyRules => ({
  keyType,
  digest: 'keccak256',
  hash: keccak256,
  account(key) {
    const point = uncompressed(key)
    return point && keccak256(point).subarray(12)
  },
})

/**
 * Returns the rules for a chain's kind of key: how its keys are written, hashed and turned into addresses.
 *
 * @throws DecodeError when it names none of the two, or a type of key that does not go with it
 */
export function rulesOf({ algorithm, keyType }: Readonly<Record<keyof CosmosKeys, unknown>>): KeyRules {
  if (algorithm === 'secp256k1') {
    if (keyType === undefined) return COSMOS
    throw new DecodeError(`chain.keyType is ${shown(keyType)}; with the algorithm secp256k1 it is absent`)
  }
  if (algorithm !== 'ethsecp256k1')
    throw new DecodeError(`chain.algorithm is ${shown(algorithm)}; it must be "secp256k1" or "ethsecp256k1"`)
  if (typeof keyType === 'string' && ETHEREUM_TYPE.test(keyType)) return ethereum(keyType)
  throw new DecodeError(
    `chain.keyType is ${shown(keyType)}; with ethsecp256k1 it must be the type of the chain's keys, such as "/injective.crypto.v1beta1.ethsecp256k1.PubKey"`,
  )
}

/** Copies the kind of key out of an object that may have more members, and checks it. @throws DecodeError as `rulesOf` does */
export function keysOf({ algorithm, keyType }: CosmosKeys): CosmosKeys {
  rulesOf({ algorithm, keyType })
  return algorithm === 'ethsecp256k1' ? { algorithm, keyType: String(keyType) } : { algorithm }
}

/** Returns the kind of key for a protobuf key type, for transactions whose chain is not known. @throws DecodeError for a type of another kind */
export function keysOfType(keyType: string): CosmosKeys {
  if (keyType === COSMOS.keyType) return { algorithm: 'secp256k1' }
  if (ETHEREUM_TYPE.test(keyType)) return { algorithm: 'ethsecp256k1', keyType }
  throw new DecodeError(
    `the public key is of the type ${shown(keyType)}; it must be ${COSMOS.keyType}, or one that ends in .ethsecp256k1.PubKey`,
  )
}
