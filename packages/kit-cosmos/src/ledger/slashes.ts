import { QueryValidatorSlashesRequest, QueryValidatorSlashesResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import type { StakingContext } from '../staking/network.ts'

/** Tells whether a validator was slashed in an interval, by the record that the chain keeps for rewards. @throws 502, 503, 504 */
export async function wasSlashed({ client }: StakingContext, validatorAddress: string, after: bigint, until: bigint): Promise<boolean> {
  return client.query<boolean>({
    path: '/cosmos.distribution.v1beta1.Query/ValidatorSlashes',
    request: QueryValidatorSlashesRequest.encode(
      QueryValidatorSlashesRequest.fromPartial({ validatorAddress, startingHeight: after + 1n, endingHeight: until }),
    ).finish(),
    read: (answer) => QueryValidatorSlashesResponse.decode(answer).slashes.length > 0,
  })
}
