import { Type } from 'typebox'
import { from32Base58, toBase58 } from './base58.ts'
import { badRequest } from './codes.ts'

/** An account id in paths and bodies. */
export const NearAccount = Type.Unsafe<string>({
  type: 'string',
  description: 'A NEAR account id: 64 hex digits in lower case, or a name such as `alice.near`.',
  examples: ['207a067892821e25d770f1fba0c47c11ff4b813e54162ece9eb839e076231ab6'],
  'x-address': true,
})

/** A key of an account, in bodies. */
export const NearKey = Type.String({
  description:
    'The key that signs, `ed25519:` and base58. A named account may have many, so that it has to be named; an account of 64 hex digits is signed for with the key that it is the hex of, unless another one is named.',
  examples: ['ed25519:3Bmy2y8WtbRXNBYayR64kYqXN1XRi6Hqch6FwKFxmSWH'],
})

// Account ids: https://nomicon.io/DataStructures/Account (read 2026-11-23). Names without a dot are those of registrars, and look like addresses of other chains.
const IMPLICIT = /^[0-9a-f]{64}$/
const NAMED = /^(?=.{2,64}$)([a-z0-9]+([-_][a-z0-9]+)*\.)+[a-z0-9]+([-_][a-z0-9]+)*$/

/** Takes an account id, which has one spelling. @throws 400 ADDRESS_INVALID */
export function nearAccount(text: string): string {
  if (IMPLICIT.test(text) || NAMED.test(text)) return text
  throw badRequest(
    'ADDRESS_INVALID',
    `"${text.slice(0, 80)}" is no NEAR account: it must be 64 hex digits in lower case, or a name with a dot such as alice.near.`,
  )
}

/** Names of lockups, which have no key: their owners call them. @see near/core-contracts lockup-factory (read 2026-11-23) */
const LOCKUP = /^[0-9a-f]{40}\.lockup\.near$/

/**
 * Refuses an account that signs nothing, or that is of another network by its name.
 *
 * @throws 400 ACCOUNT_UNSUITABLE
 */
export function requireSigner(account: string, chainId: string): void {
  if (LOCKUP.test(account))
    throw badRequest('ACCOUNT_UNSUITABLE', `${account} is a lockup, which has no key: its owner's account signs for it, by other calls.`)
  const other = chainId === 'mainnet' ? account.endsWith('.testnet') : account.endsWith('.near')
  if (other) throw badRequest('ACCOUNT_UNSUITABLE', `${account} is an account of another network than ${chainId}.`)
}

const PREFIX = 'ed25519:'

/**
 * Finds the key that signs: the one that was asked for, else the one that the account is the hex of.
 *
 * @throws 400 KEY_MISSING for a named account, KEY_UNKNOWN for what is no key
 */
export function signingKey(account: string, given: unknown): { readonly text: string; readonly bytes: Buffer } {
  if (given === undefined) {
    if (!IMPLICIT.test(account))
      throw badRequest(
        'KEY_MISSING',
        `${account} is a name and may have many keys: public_key must say which one signs, such as ed25519:3Bmy….`,
      )
    const bytes = Buffer.from(account, 'hex')
    return { text: PREFIX + toBase58(bytes), bytes }
  }
  const text = String(given)
  const bytes = text.startsWith(PREFIX) ? from32Base58(text.slice(PREFIX.length)) : null
  if (bytes === null) throw badRequest('KEY_UNKNOWN', `public_key is "${text.slice(0, 80)}"; it must be ed25519: and base58 of 32 bytes.`)
  return { text, bytes }
}
