import { malformedAnswer } from '@svc/contract'
import type { Redelegation } from '@svc/contract/control'
import { QueryRedelegationsRequest, QueryRedelegationsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { integer, orNone, units } from '../answer.ts'
import type { StakingContext } from './network.ts'

/**
 * Reads the stake that a delegator has moved between validators after a height. The chain keeps a move for as long as an exit takes; it keeps none from a validator that
 * has nothing at stake any more.
 *
 * @throws 502, 503, 504
 */
export async function readRedelegations(
  { client }: StakingContext,
  delegatorAddr: string,
  after: bigint,
): Promise<readonly Redelegation[]> {
  return client.query<readonly Redelegation[]>({
    path: '/cosmos.staking.v1beta1.Query/Redelegations',
    // At most seven for each pair of validators: a hundred pairs are the chain's own page.
    request: QueryRedelegationsRequest.encode(QueryRedelegationsRequest.fromPartial({ delegatorAddr })).finish(),
    read: (answer) =>
      QueryRedelegationsResponse.decode(answer).redelegationResponses.flatMap(({ redelegation, entries }) => {
        const { delegatorAddress, validatorSrcAddress: from, validatorDstAddress: to } = redelegation
        if (delegatorAddress !== delegatorAddr) throw malformedAnswer(redelegation)
        return entries
          .filter(({ redelegationEntry }) => redelegationEntry.creationHeight > after)
          .map(({ redelegationEntry }) => ({ from, to, amount: units(integer(redelegationEntry.initialBalance)) }))
      }),
    refused: orNone(() => []),
  })
}
