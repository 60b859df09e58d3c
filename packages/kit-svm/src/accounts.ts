import { svmAddress } from './address.ts'
import { lamportsOf, type SvmClient } from './client.ts'
import { malformed } from './rpc.ts'

/** What the chain keeps of an account. */
export interface AccountState {
  readonly lamports: bigint
  /** Address of the program that it belongs to. */
  readonly owner: string
  readonly data: Buffer
}

/**
 * Accounts as they are in one block, in the order asked for.
 *
 * @param addresses a hundred at most
 * @returns null for an account that does not exist
 * @throws 502, 503, 504
 * @see https://solana.com/docs/rpc/http/getmultipleaccounts (read 2026-11-21)
 */
export async function readAccounts(
  { rpc }: Pick<SvmClient, 'rpc'>,
  addresses: readonly string[],
): Promise<readonly (AccountState | null)[]> {
  const options = { encoding: 'base64', commitment: 'confirmed' }
  const answer = await rpc<{ value?: unknown } | null>('getMultipleAccounts', [addresses, options])
  const accounts = answer?.value
  if (!Array.isArray(accounts) || accounts.length !== addresses.length) throw malformed(answer)
  return accounts.map((account: unknown) => (account === null ? null : stateOf(account)))
}

function stateOf(account: unknown): AccountState {
  const { lamports, owner, data } = account as { lamports?: unknown; owner?: unknown; data?: unknown }
  const [text, encoding] = Array.isArray(data) ? data : []
  if (typeof owner !== 'string' || typeof text !== 'string' || encoding !== 'base64') throw malformed(account)
  return { lamports: lamportsOf(lamports), owner: key(owner), data: Buffer.from(text, 'base64') }
}

/** 32 bytes in base58 that a node sent. @throws 502 */
export function key(text: unknown): string {
  try {
    return svmAddress(String(text))
  } catch (error) {
    throw malformed(error)
  }
}
