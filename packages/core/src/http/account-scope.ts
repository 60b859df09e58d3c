import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { badRequest } from '../base/codes.ts'
import { quoted } from '../base/readable-text.ts'
import type { Accounts } from '../plugins/accounts.ts'
import { principalOf } from './request.ts'

/** The parameter `account` of the operations, for a query's schema. */
export const accountParameter = Type.Optional(
  Type.String({ description: 'Id of an account. For an operator token: any; for a management token: its own, which it need not name.' }),
)

/**
 * Returns the account that a request with a token is about: the one that it names, within what its token may see.
 *
 * @param accountId the parameter `account`
 * @returns null: all of them, which only an operator gets
 * @throws 400 `UNKNOWN_ACCOUNT`, in the same words for an account that there is as for one that there is not, unless to an operator
 */
export function accountScope(
  request: FastifyRequest,
  accounts: Pick<Accounts, 'has' | 'ids'>,
  accountId: string | undefined,
): string | null {
  const { kind, account } = principalOf(request)
  if (kind !== 'operator') {
    if (accountId === undefined || accountId === account) return account
    throw badRequest('UNKNOWN_ACCOUNT', `account is ${quoted(accountId)}; this token is of another one: leave account out.`)
  }
  if (accountId === undefined) return null
  if (accounts.has(accountId)) return accountId
  throw badRequest('UNKNOWN_ACCOUNT', `account is ${quoted(accountId)}; the config has ${accounts.ids.join(', ') || 'none'}.`)
}

/** Returns the one account that a request with a token is about. @throws 400 `ACCOUNT_REQUIRED` when an operator names none; 400 `UNKNOWN_ACCOUNT` */
export function oneAccount(request: FastifyRequest, accounts: Pick<Accounts, 'has' | 'ids'>, accountId: string | undefined): string {
  const account = accountScope(request, accounts, accountId)
  if (account !== null) return account
  throw badRequest(
    'ACCOUNT_REQUIRED',
    `Say which account with ?account=: an operator token belongs to none; the config has ${accounts.ids.join(', ') || 'none'}.`,
  )
}
