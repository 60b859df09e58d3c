import { sha256 } from '../bytes/sha256.ts'
import { writeBech32 } from './bech32.ts'
import { ripemd160 } from './ripemd160.ts'

/**
 * Account address of a secp256k1 key: Bech32 of ripemd160 of sha256 of it.
 *
 * @param key compressed, 33 bytes
 * @see https://docs.cosmos.network/v0.50/build/architecture/adr-028-public-key-addresses (read 2026-11-21)
 */
export function addressOfKey(prefix: string, key: Uint8Array): string {
  return writeBech32(prefix, ripemd160(sha256(key)))
}
