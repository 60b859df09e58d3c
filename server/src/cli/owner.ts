import { plain } from './output.ts'
import { Refusal } from './refusal.ts'
import type { OpenState } from './state.ts'

/** Returns the account that is named, or the only one. @throws Refusal naming the accounts that there are */
export function accountOf({ accounts }: Pick<OpenState, 'accounts'>, accountId: string | undefined): string {
  const names = accounts.join(', ') || 'none'
  if (accountId === undefined) {
    const [only, ...others] = accounts
    if (only !== undefined && others.length === 0) return only
    throw new Refusal(`Say whose it is with --account; the config has these accounts: ${names}.`)
  }
  if (accounts.includes(accountId)) return accountId
  throw new Refusal(`There is no account "${plain(accountId)}" in the config; there are: ${names}.`)
}
