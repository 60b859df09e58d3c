import { dataOf } from './accounts.ts'
import { listOf, memberOf, textOf } from './answers.ts'
import { lamportsOf } from './lamports.ts'
import { malformed, type Rpc } from './rpc.ts'

/** An account that a search found. */
export interface FoundAccount {
  readonly address: string
  readonly lamports: bigint
  /** All of it, or the slice that was asked for. */
  readonly data: Buffer
}

/** Condition for an account to be found: a size, or bytes (in base58) at an offset. */
export type AccountFilter = { readonly dataSize: number } | { readonly memcmp: { readonly offset: number; readonly bytes: string } }

/** A search among the accounts of a program. */
export interface AccountSearch {
  readonly program: string
  readonly filters: readonly AccountFilter[]
  /** The part of each account's data that is wanted. @default all of it */
  readonly dataSlice?: { readonly offset: number; readonly length: number }
  /** State that is searched. @default confirmed */
  readonly commitment?: 'confirmed' | 'finalized'
  /** Tells whether data are such as the filters let through: a node may say anything. */
  fits(data: Buffer): boolean
}

/** Form of an address; whether it stands for 32 bytes would take longer than all the rest of reading an account. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/**
 * Finds the accounts of a program that pass every filter, in the node's order.
 *
 * @throws 502 when the answer has another form, or an account that was not looked for; 502, 503, 504
 * @see https://solana.com/docs/rpc/http/getprogramaccounts (read 2026-11-21)
 */
export async function findAccounts(
  { rpc }: { readonly rpc: Rpc },
  { program, filters, dataSlice, commitment = 'confirmed', fits }: AccountSearch,
): Promise<readonly FoundAccount[]> {
  // With its context an answer is an object, so that an empty one cannot be mistaken for a fault.
  const options = { encoding: 'base64', commitment, withContext: true, filters, ...(dataSlice ? { dataSlice } : {}) }
  return rpc('getProgramAccounts', [program, options], (answer) => {
    const accounts = listOf(memberOf(answer, 'value')).map((each) => foundAccount(each, { program, fits }))
    if (new Set(accounts.map(({ address }) => address)).size < accounts.length) throw malformed()
    return accounts
  })
}

/** Reads an account of a program as a search or a push has it. @throws 502 when it has another form, or was not looked for */
export function foundAccount(value: unknown, { program, fits }: Pick<AccountSearch, 'program' | 'fits'>): FoundAccount {
  const account = memberOf(value, 'account')
  const [text, encoding] = listOf(memberOf(account, 'data'))
  const data = dataOf(text, encoding)
  const address = textOf(memberOf(value, 'pubkey'))
  const isSought = memberOf(account, 'owner') === program && ADDRESS.test(address) && fits(data)
  if (!isSought) throw malformed(value)
  return { address, lamports: lamportsOf(memberOf(account, 'lamports')), data }
}
