import { membersOf } from '@svc/contract'
import { svmAddress } from './address.ts'
import { countOf, listOf, memberOf } from './answers.ts'
import { lamportsOf } from './lamports.ts'
import { malformed, type Rpc } from './rpc.ts'

/** State that the chain keeps of an account. */
export interface AccountState {
  readonly lamports: bigint
  /** Address of the program that it belongs to. */
  readonly owner: string
  readonly data: Buffer
}

type Accounts = readonly (AccountState | null)[]

/** Most accounts of a call. @see https://solana.com/docs/rpc/http/getmultipleaccounts (read 2026-11-21) */
const PER_CALL = 100

/** Part of the data of accounts, in bytes. */
export interface DataSlice {
  readonly offset: number
  readonly length: number
}

/**
 * Reads accounts as they are in one block, in the order of the addresses, null for one that does not exist.
 *
 * @param addresses a hundred at most
 * @param slice the part of their data that is asked for. @default all of it
 * @param read makes of them what is wanted, while another endpoint can still be asked: a 5xx that it throws goes to the next one, and so does a 4xx, such as of an account
 *   that is not there
 *   yet at an endpoint that is a few blocks behind; where each refuses, the first one's refusal is told
 * @returns what `read` returns; without it the accounts
 * @throws 502, 503, 504, and what else `read` throws
 * @see https://solana.com/docs/rpc/http/getmultipleaccounts (read 2026-11-21)
 */
export function readAccounts(client: { readonly rpc: Rpc }, addresses: readonly string[]): Promise<Accounts>
export function readAccounts<T>(
  client: { readonly rpc: Rpc },
  addresses: readonly string[],
  read: (accounts: Accounts) => T,
  slice?: DataSlice,
): Promise<T>
export async function readAccounts(
  { rpc }: { readonly rpc: Rpc },
  addresses: readonly string[],
  read: (accounts: Accounts) => unknown = (accounts) => accounts,
  slice?: DataSlice,
): Promise<unknown> {
  const readAll = (answer: unknown) => {
    const { value: accounts } = membersOf(answer)
    if (!Array.isArray(accounts) || accounts.length !== addresses.length) throw malformed(answer)
    const states = accounts.map((account: unknown) => (account === null ? null : accountOf(account)))
    if (slice && states.some((state) => state !== null && state.data.length > slice.length)) throw malformed(answer)
    return read(states)
  }
  const params = [addresses, { encoding: 'base64', commitment: 'confirmed', ...(slice ? { dataSlice: slice } : {}) }]
  return rpc('getMultipleAccounts', params, readAll, 'along', (found) => !('value' in found))
}

/**
 * Reads accounts as they are in the last slot that is final, null for one that does not exist.
 *
 * @param addresses a hundred at most
 * @param read makes of the slot and the accounts what is wanted; a 5xx that it throws goes to the next endpoint
 * @throws 502, 503, 504, and what else `read` throws
 */
export function readFinalAccounts<T>(
  { rpc }: { readonly rpc: Rpc },
  addresses: readonly string[],
  read: (slot: bigint, accounts: Accounts) => T,
): Promise<T> {
  return rpc('getMultipleAccounts', [addresses, { encoding: 'base64', commitment: 'finalized' }], (answer) => {
    const accounts = listOf(memberOf(answer, 'value'))
    if (accounts.length !== addresses.length) throw malformed(answer)
    const slot = countOf(memberOf(memberOf(answer, 'context'), 'slot'))
    return read(
      slot,
      accounts.map((account) => (account === null ? null : accountOf(account))),
    )
  })
}

/**
 * Reads a part of many accounts, a hundred a call.
 *
 * @returns in the order asked for, null for one that does not exist
 * @throws 502, 503, 504
 */
export async function readManyAccounts(client: { readonly rpc: Rpc }, addresses: readonly string[], slice: DataSlice): Promise<Accounts> {
  const parts = Array.from({ length: Math.ceil(addresses.length / PER_CALL) }, (_, at) =>
    addresses.slice(at * PER_CALL, (at + 1) * PER_CALL),
  )
  const read = await Promise.all(parts.map((part) => readAccounts(client, part, (accounts) => accounts, slice)))
  return read.flat()
}

/** Reads an account from a node's answer. @throws 502 */
export function accountOf(account: unknown): AccountState {
  const { lamports, owner, data } = membersOf(account)
  const [text, encoding] = Array.isArray(data) ? data : []
  return { lamports: lamportsOf(lamports), owner: key(owner), data: dataOf(text, encoding) }
}

/**
 * Decodes the complete data of an account.
 *
 * @param text base64; Node's decoder skips foreign characters, so that its length is checked
 * @throws 502
 */
export function dataOf(text: unknown, encoding: unknown): Buffer {
  if (typeof text !== 'string' || encoding !== 'base64') throw malformed(text)
  const data = Buffer.from(text, 'base64')
  if (text.length !== 4 * Math.ceil(data.length / 3)) throw malformed(text)
  return data
}

/** Checks that a node sent 32 bytes in base58, and returns the text. @throws 502 */
export function key(text: unknown): string {
  if (typeof text !== 'string') throw malformed(text)
  try {
    return svmAddress(text)
  } catch (error) {
    throw malformed(error)
  }
}
