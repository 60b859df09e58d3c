import { digitsOf } from '../bytes/hex.ts'
import { DecodeError } from '../errors.ts'
import { writeBech32 } from './bech32.ts'
import { type CosmosKeys, rulesOf } from './keys.ts'

/** Facts of a chain from which account addresses follow, besides the key. */
export type CosmosAccounts = CosmosKeys & {
  /** Prefix of account addresses: `cosmos`. */
  readonly prefix: string
}

/**
 * Writes the account address of a public key, by the algorithm of the chain.
 *
 * @param key compressed, 33 bytes
 * @throws DecodeError for an algorithm that is none, and with ethsecp256k1 for a key that is no point of the curve
 */
export function addressOfKey({ prefix, ...keys }: CosmosAccounts, key: Uint8Array): string {
  const account = rulesOf({ algorithm: keys.algorithm, keyType: keys.keyType }).account(key)
  if (account === null) throw new DecodeError(`the key is 0x${digitsOf(key)}; it must be a point of the curve secp256k1`)
  return writeBech32(prefix, account)
}
