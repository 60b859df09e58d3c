import { badGateway, type ServiceError } from '@svc/contract'
import { lamportsOf, type SvmClient } from '@svc/kit-svm'

/** An account that a search found. */
export interface Found {
  readonly address: string
  readonly lamports: bigint
  /** All of it, or the slice that was asked for. */
  readonly data: Uint8Array
}

/** What an account must have to be found: a size, or bytes (in base58) at an offset. */
export type Filter = { readonly dataSize: number } | { readonly memcmp: { readonly offset: number; readonly bytes: string } }

/**
 * Accounts of a program that pass every filter, in the order in which the node has them.
 *
 * @param dataSlice the part of each account's data that is wanted
 * @throws 502 UPSTREAM_ERROR when the answer has another form, and the kit's refusals
 * @see https://solana.com/docs/rpc/http/getprogramaccounts (read 2026-11-21)
 */
export async function findAccounts(
  { rpc }: SvmClient,
  program: string,
  filters: readonly Filter[],
  dataSlice?: { readonly offset: number; readonly length: number },
): Promise<readonly Found[]> {
  // With its context an answer is an object, so that an empty one cannot be mistaken for a fault.
  const options = { encoding: 'base64', commitment: 'confirmed', withContext: true, filters, ...(dataSlice ? { dataSlice } : {}) }
  const answer = await rpc<unknown>('getProgramAccounts', [program, options])
  return listOf(memberOf(answer, 'value')).map((each) => {
    const account = memberOf(each, 'account')
    const [data, encoding] = listOf(memberOf(account, 'data'))
    if (encoding !== 'base64') throw malformed()
    return {
      address: textOf(memberOf(each, 'pubkey')),
      lamports: lamportsOf(memberOf(account, 'lamports')),
      data: Buffer.from(textOf(data), 'base64'),
    }
  })
}

/** A member of an object. @throws 502 when there is none */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) throw malformed()
  return (value as Record<string, unknown>)[name]
}

/** @throws 502 when it is no list */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed()
  return value
}

/** A measurement, for rates and times; never for an amount. @throws 502 when it is no number, or negative */
export function measureOf(value: unknown): number {
  const found = typeof value === 'bigint' ? Number(value) : value
  if (typeof found !== 'number' || !(found >= 0) || !Number.isFinite(found)) throw malformed()
  return found
}

/** The node answered what cannot be understood. */
export function malformed(): ServiceError {
  return badGateway('UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again.")
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw malformed()
  return value
}
