import { badRequest } from '@svc/contract'
import { answer, answerOrNone, integer, present } from './answer.ts'
import type { CosmosClient } from './client.ts'

/** What the chain keeps of an account, beside its coins. */
export interface AccountState {
  readonly number: bigint
  /** Of its next transaction, by the last block. */
  readonly sequence: bigint
}

/**
 * An account of whatever kind: base, vesting, module, contract.
 *
 * @throws 400 ACCOUNT_UNKNOWN; 502, 503, 504
 */
export async function readAccount({ auth, accountNumbers }: CosmosClient, address: string): Promise<AccountState> {
  const found = await answerOrNone(auth.AccountInfo({ address }))
  if (found === undefined) {
    throw badRequest(
      'ACCOUNT_UNKNOWN',
      `The account ${address} does not exist on the chain yet: it comes into being when it is first sent coins. Fund it, or check the public key.`,
    )
  }
  const { accountNumber, sequence } = present(found.info)
  accountNumbers.set(address, accountNumber)
  return { number: accountNumber, sequence }
}

/** All coins of a denom, in base units. */
export async function readBalance({ bank }: CosmosClient, address: string, denom: string): Promise<bigint> {
  return integer((await answer(bank.Balance({ address, denom }))).balance?.amount)
}

/** Those of them that are not locked, by vesting for example, in base units. */
export async function readSpendable({ bank }: CosmosClient, address: string, denom: string): Promise<bigint> {
  return integer((await answer(bank.SpendableBalanceByDenom({ address, denom }))).balance?.amount)
}
