import { unanswered } from '@svc/contract/rpc'
import { QueryDelegatorWithdrawAddressRequest, QueryDelegatorWithdrawAddressResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { answeredAddress } from '../address.ts'
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
