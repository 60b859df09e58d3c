import type { ServiceError } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { QueryDelegatorWithdrawAddressRequest, QueryDelegatorWithdrawAddressResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { accountAddress, answeredAddress } from '../address.ts'
import { badRequest } from '../codes.ts'
import { notServed } from '../not-served.ts'
import type { StakingContext } from './network.ts'

/** Reads the address to which the chain pays a delegator's rewards: its own unless it chose another. @returns null: the node does not serve the query @throws 502, 503, 504 */
export async function readWithdrawAddress({ client }: StakingContext, prefix: string, delegatorAddress: string): Promise<string | null> {
  return client.query<string | null>({
    path: '/cosmos.distribution.v1beta1.Query/DelegatorWithdrawAddress',
    request: QueryDelegatorWithdrawAddressRequest.encode({ delegatorAddress }).finish(),
    read: (answer) => answeredAddress(prefix, QueryDelegatorWithdrawAddressResponse.decode(answer).withdrawAddress),
    refused(refusal) {
      if (notServed(refusal.log)) return null
      throw unanswered(refusal)
    },
  })
}

/**
 * Refuses a claim that would be paid to somebody whom the request does not name: a thief of a key sets the withdraw address first, and waits.
 *
 * @param payout by the chain; null: it is not known
 * @param expected as the request repeats it
 * @returns null: it is paid to the wallet, or as the request says
 * @throws 400 ADDRESS_INVALID
 */
export function payoutRefusal(prefix: string, wallet: string, payout: string | null, expected: string | undefined): ServiceError | null {
  const named = expected === undefined ? wallet : accountAddress(prefix, expected)
  if (payout === null || payout === named) return null
  const member = JSON.stringify({ withdraw_address: payout })
  const right =
    payout === wallet
      ? 'Leave withdraw_address out, or repeat the account itself.'
      : `If that is meant, repeat it in the request, as in ${member}; if not, somebody else may have set it: set it to the account before you claim.`
  return badRequest(
    'WITHDRAW_ADDRESS_OTHER',
    `The chain would pay the rewards of ${wallet} to ${payout}, the account's withdraw address${expected === undefined ? ', which is not the account itself' : `, and not to ${named}`}. ${right}`,
  )
}
