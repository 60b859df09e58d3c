import type { Control } from '@svc/contract/control'
import type { AccountState } from './accounts.ts'

/** Program that accounts of wallets belong to. @see https://docs.solanalabs.com/runtime/programs (read 2026-11-29) */
const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** Names the program that the account of a wallet was assigned to; null: it is the System program's, or holds nothing. */
export function assignedTo(account: AccountState | null): string | null {
  return account === null || account.owner === SYSTEM_PROGRAM ? null : account.owner
}

/**
 * Lists the power of a program over a wallet: one that its account was assigned to spends the lamports in it, and the System program moves them no more at the word of the key.
 *
 * @param account the wallet's own; null: there is none
 */
export function walletPowers(account: AccountState | null): readonly Control[] {
  const holder = assignedTo(account)
  return holder === null ? [] : [{ aspect: 'wallet_owner', holder, objectId: null, terms: null }]
}
