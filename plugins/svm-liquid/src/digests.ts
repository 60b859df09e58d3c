import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KnownPosition } from '@svc/contract'
import { assignedTo, readManyAccounts } from '@svc/kit-svm'
import { tokenAccountOf } from './chain/derived-addresses.ts'
import { POWERS_SLICE, readTokenAccount, type TokenAccount } from './chain/token-account.ts'
import { type LiquidContext, poolOf } from './network.ts'

/** Addresses that are derived before others get their turn: some milliseconds' worth. */
const SLICE = 20

/** Makes the digests of many positions, each from its token account, and the owner of the wallet's own account. Two accounts a wallet, a hundred a call. @throws 502, 503, 504 */
export async function digests(ctx: LiquidContext, positions: readonly KnownPosition[]): Promise<ReadonlyMap<string, string>> {
  const own = poolOf(ctx.network)
  const tokenAccounts: string[] = []
  for (const [index, { address }] of positions.entries()) {
    if (index > 0 && index % SLICE === 0) await nextTurn()
    tokenAccounts.push(tokenAccountOf(address, own).toBase58())
  }
  const wallets = positions.map(({ address }) => address)
  const accounts = await readManyAccounts(ctx.client, [...tokenAccounts, ...wallets], POWERS_SLICE)
  return new Map(
    wallets.map((address, index) => {
      const account = readTokenAccount(accounts[index] ?? null, own.tokenProgram, true)
      return [address, digestOf(account, address, assignedTo(accounts[wallets.length + index] ?? null))]
    }),
  )
}

/**
 * Makes a digest of the parts that only transactions change: the number of tokens, which no reward changes, and the powers over them. For a token account that now has
 * another owner, only that owner counts.
 *
 * @param program that the wallet's own account was assigned to; null: none
 */
export function digestOf(account: TokenAccount | null, wallet: string, program: string | null): string {
  const powers = program === null ? '' : ` wallet ${program}`
  if (account === null) return `none${powers}`
  const { owner, amount, delegate, closer, isFrozen } = account
  if (owner !== wallet) return `owner ${owner}${powers}`
  const of = [amount, delegate?.address ?? '-', delegate?.amount ?? 0n, closer ?? '-', isFrozen ? 'frozen' : 'free']
  return `${of.join(' ')}${powers}`
}
