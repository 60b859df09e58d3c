import type { Control } from '@svc/contract/control'
import type { AccountState } from './accounts.ts'

/** Program that accounts of wallets belong to. @see https://docs.solanalabs.com/runtime/programs (read 2026-11-29) */
const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** Returns the program to which a wallet's account was assigned; null where it is the System program, or there is no account. */
export function assignedTo(account: AccountState | null): string | null {
  return account === null || account.owner === SYSTEM_PROGRAM ? null : account.owner
}

/**
 * Lists the power of a program over a wallet: a program to which the account was assigned spends its lamports, and the System program no longer moves them at the word of
 * the key.
 *
 * @param account the wallet's own; null: there is none
 */
export function walletPowers(account: AccountState | null): readonly Control[] {
  const holder = assignedTo(account)
  return holder === null ? [] : [{ aspect: 'wallet_owner', holder, objectId: null, terms: null }]
}
