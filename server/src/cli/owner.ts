import { plain } from './output.ts'
import { Refusal } from './refusal.ts'
import type { OpenState } from './state.ts'

/** The account that is named, or the only one. @throws Refusal naming the accounts that there are */
export function accountOf({ accounts }: Pick<OpenState, 'accounts'>, wanted: string | undefined): string {
  const known = accounts.join(', ') || 'none'
  if (wanted === undefined) {
    const [only, ...others] = accounts
    if (only !== undefined && others.length === 0) return only
    throw new Refusal(`Say whose it is with --account; the config has these accounts: ${known}.`)
  }
  if (accounts.includes(wanted)) return wanted
  throw new Refusal(`There is no account "${plain(wanted)}" in the config; there are: ${known}.`)
}
