import { at } from '../at.ts'
import { DecodeError } from '../errors.ts'
import type { SvmAccount } from './layout.ts'
import type { Account, Instruction } from './message.ts'

/** Right that an account may have in a transaction. */
type Role = 'signer' | 'writable'

const ROLES: readonly Role[] = ['signer', 'writable']
const SAID: Readonly<Record<Role, string>> = { signer: 'a signer', writable: 'writable' }

/**
 * Checks that every account is a signer if, and only if, an instruction needs its signature, and writable if, and only if, an instruction writes to it. A program called by
 * another could use a surplus right without any instruction that shows it.
 *
 * @param slots what each instruction needs of its accounts, in order; null where that is not known, which leaves its accounts unchecked
 * @throws DecodeError when an account has a right too many or too few
 */
export function checkRoles(
  accounts: readonly Account[],
  instructions: readonly Instruction[],
  slots: readonly (readonly SvmAccount[] | null)[],
): void {
  // Who pays the fee signs, and loses lamports.
  const needed = new Map<Account, Set<Role>>([[at(accounts, 0), new Set(ROLES)]])
  const unknown = new Set<Account>()
  instructions.forEach((instruction, i) => {
    instruction.accounts.forEach((account, j) => {
      const slot = slots[i]?.[j]
      if (slot === undefined) unknown.add(account)
      else needed.set(account, new Set([...(needed.get(account) ?? []), ...ROLES.filter((role) => slot[role])]))
    })
  })

  accounts.forEach((account, i) => {
    for (const role of ROLES) {
      const must = needed.get(account)?.has(role) ?? false
      if (account[role] === must || unknown.has(account)) continue
      const [is, needs] = account[role] ? ['is', 'no'] : ['is not', 'an']
      throw new DecodeError(`account ${i}, ${account.address}, ${is} ${SAID[role]}; ${needs} instruction needs that`)
    }
  })
}
