import { base58, bytesOf, bytesOfBase58 } from '@svc/verify/bytes'
import { Refused } from '@svc/verify/intent'
import { isImplicit } from './account.ts'

/** Bytes of an Ed25519 key. */
export const KEY_LENGTH = 32
/** Begins the text of an Ed25519 key. @see https://docs.near.org/protocol/access-keys (read 2026-11-23) */
const PREFIX = 'ed25519:'

/** Writes a key as NEAR writes it: `ed25519:` and base58. @param bytes 32 of them */
export function keyText(bytes: Uint8Array): string {
  return PREFIX + base58(bytes)
}

/** Reads the bytes of a key from its text; null for whatever is no Ed25519 key in its one form. */
export function keyBytes(text: string): Uint8Array | null {
  const bytes = text.startsWith(PREFIX) ? bytesOfBase58(text.slice(PREFIX.length)) : null
  return bytes?.length === KEY_LENGTH && keyText(bytes) === text ? bytes : null
}

/**
 * Finds the key that signs for an account: the one that was asked for, else the one that an implicit account is named by.
 *
 * @throws Refused for a named account without a key, and for a text that is no key
 */
export function keyOf(account: string, given: string | undefined): string {
  if (given !== undefined) {
    if (keyBytes(given) !== null) return given
    throw new Refused('input.public_key', 'ed25519: and base58 of 32 bytes', given)
  }
  const bytes = isImplicit(account) ? bytesOf(`0x${account}`) : null
  if (bytes !== null) return keyText(bytes)
  throw new Refused('input.public_key', `a key of ${account}, since a named account may have many`, 'nothing')
}
