import { Secp256k1 } from '@cosmjs/crypto'
import { fromHex, toBech32 } from '@cosmjs/encoding'
import { Type } from 'typebox'
import type { ChainAccounts, ChainKeys } from './chain.ts'
import { badRequest } from './codes.ts'
import { accountBytes, asPoint, keyTypeOf } from './keys.ts'

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

/** Account that is derived from a public key. */
export interface Account {
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array
  readonly address: string
}

/**
 * Finds the account of a public key in hex.
 *
 * @param chain its prefix, and the kind of its keys
 *
 * @throws 400 PUBLIC_KEY_INVALID
 */
export function accountOf(chain: ChainAccounts, pubkey: string): Account {
  const digits = pubkey.trim().replace(/^0x/i, '').toLowerCase()
  const compressed = /^0[23][0-9a-f]{64}$/.test(digits)
  if (!compressed && !/^04[0-9a-f]{128}$/.test(digits)) {
    throw badRequest(
      'PUBLIC_KEY_INVALID',
      `pubkey "${pubkey.slice(0, 140)}" is not a public key in hex: 33 bytes that begin with 02 or 03, or 65 that begin with 04.`,
    )
  }
  // The kind of key too: the same key has another address on a chain whose keys are Ethereum's.
  const name = `${chain.algorithm} ${chain.prefix} ${digits}`
  const remembered = accounts.get(name)
  if (remembered) return remembered
  const account = accountOfKey(chain, compressPublicKey(fromHex(digits)))
  const [oldest] = accounts.size >= REMEMBERED ? accounts.keys() : []
  if (oldest !== undefined) accounts.delete(oldest)
  accounts.set(name, account)
  return account
}

/** Accounts that are remembered by kind of key, prefix and key, the oldest first: to find a point of the curve takes 0.1 ms, and a craft asks for its signer's some times. */
const REMEMBERED = 1000
const accounts = new Map<string, Account>()

/** Returns the compressed key that a transaction names for a signer; null where it names none, or one of another kind. */
export function keyIn(keys: ChainKeys, named: { readonly typeUrl: string; readonly value: Uint8Array } | undefined): Uint8Array | null {
  if (named?.typeUrl !== keyTypeOf(keys)) return null
  const { value } = named
  // A PubKey message: field 1, 33 bytes.
  return value.length === 35 && value[0] === 0x0a && value[1] === 33 ? value.subarray(2) : null
}

/** Returns the account of a compressed key that is a point of the curve. */
export function accountOfKey(chain: ChainAccounts, publicKey: Uint8Array): Account {
  return { publicKey, address: toBech32(chain.prefix, accountBytes(chain, publicKey)) }
}

/** Compresses a public key of either form to 33 bytes, and checks that it is a point of the curve. @throws 400 PUBLIC_KEY_INVALID */
export function compressPublicKey(key: Uint8Array): Uint8Array {
  // Each of the two returns a key that has its form already without a look at it; one after the other they leave nothing unchecked.
  return asPoint(() => Secp256k1.compressPubkey(Secp256k1.uncompressPubkey(key)))
}
