import type { ServiceError } from '@svc/contract'
import { PublicKey, SystemProgram } from '@svc/solana'
import type { AccountState } from './accounts.ts'
import { badRequest } from './codes.ts'

/** A durable nonce in place of a block hash. */
export interface DurableNonce {
  /** Address of the nonce account. */
  readonly account: string
  /** Value that the nonce account holds now: 32 bytes in base58. */
  readonly value: string
}

// Layout of a nonce account: https://docs.rs/solana-nonce/latest/solana_nonce/versions/enum.Versions.html (read 2026-11-21).
const LENGTH = 80
const VERSION = 0
const STATE = 4
const AUTHORITY = 8
const VALUE = 40
const VALUE_END = 72
/** The versions, and the state that is not uninitialized. */
const LEGACY = 0
const CURRENT = 1
const INITIALIZED = 1

/**
 * Reads the nonce of an account, and requires that the wallet may use it.
 *
 * @param state null when there is no such account
 * @throws 400 NONCE_ACCOUNT_INVALID
 */
export function nonceOf(account: string, state: AccountState | null, wallet: string): DurableNonce {
  const refuse = (why: string) =>
    badRequest('NONCE_ACCOUNT_INVALID', `nonce_account_address ${account} ${why}. Make a nonce account with create-nonce-account.`)
  if (state?.data.length === LENGTH && state.data.readUInt32LE(VERSION) === LEGACY)
    throw refuse('is a nonce account of an old version, which the chain no longer takes')
  const { value } = heldNonce(account, state, wallet, refuse)
  return { account, value }
}

/** Returns the nonce value of an account, whoever its authority is; null where it is no nonce account that transactions can use. */
export function nonceValue({ owner, data }: AccountState): string | null {
  if (owner !== SystemProgram.programId.toBase58() || data.length !== LENGTH) return null
  if (data.readUInt32LE(VERSION) !== CURRENT || data.readUInt32LE(STATE) !== INITIALIZED) return null
  return new PublicKey(data.subarray(VALUE, VALUE_END)).toBase58()
}

/**
 * Reads a nonce account of the wallet, of any version: to be closed, say.
 *
 * @param refuse what is thrown, by what is the matter with it
 * @returns the nonce, and the lamports of the account
 */
export function heldNonce(
  account: string,
  state: AccountState | null,
  wallet: string,
  refuse: (why: string) => ServiceError,
): DurableNonce & { readonly lamports: bigint } {
  if (state === null) throw refuse('does not exist, or the transaction that makes it has not landed yet')
  const { owner, data, lamports } = state
  if (owner !== SystemProgram.programId.toBase58()) throw refuse(`is no nonce account: it belongs to the program ${owner}`)
  if (data.length !== LENGTH) throw refuse(`is no nonce account: it has ${data.length} bytes instead of ${LENGTH}`)
  if (data.readUInt32LE(VERSION) > CURRENT) throw refuse('is no nonce account of a version that is known')
  if (data.readUInt32LE(STATE) !== INITIALIZED) throw refuse('is a nonce account that was not initialized')
  const authority = new PublicKey(data.subarray(AUTHORITY, VALUE)).toBase58()
  if (authority !== wallet) throw refuse(`can be used by ${authority} only, not by ${wallet}`)
  return { account, value: new PublicKey(data.subarray(VALUE, VALUE_END)).toBase58(), lamports }
}
