import type { Requirement } from '@svc/contract'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import type { CosmosNetwork } from '../settings.ts'
import { missingQueries } from './ask.ts'
import { queryOf } from './kit.ts'
import { NODE } from './settings.ts'

const STAKING = [
  '/cosmos.staking.v1beta1.Query/Validator',
  '/cosmos.staking.v1beta1.Query/Delegation',
  '/cosmos.staking.v1beta1.Query/UnbondingDelegation',
  '/cosmos.staking.v1beta1.Query/Params',
  '/cosmos.distribution.v1beta1.Query/DelegationTotalRewards',
  '/cosmos.distribution.v1beta1.Query/ValidatorOutstandingRewards',
  '/cosmos.slashing.v1beta1.Query/SigningInfo',
]
const INFO = ['/cosmos.staking.v1beta1.Query/Pool', '/cosmos.slashing.v1beta1.Query/Params', '/cosmos.distribution.v1beta1.Query/Params']
const DELEGATORS = '/cosmos.staking.v1beta1.Query/ValidatorDelegations'
const UNBONDINGS = '/cosmos.staking.v1beta1.Query/DelegatorUnbondingDelegations'

/** What native delegation asks of a node besides what every protocol of the family does. */
export function stakingRequirements({ provisions }: CosmosChain): readonly Requirement<CosmosClient, CosmosNetwork>[] {
  const info = [...INFO, provisions]
  return [
    {
      name: 'queries of staking',
      weight: 'needed',
      calls: STAKING.map(queryOf),
      without: 'neither balances nor transactions',
      setting: NODE.modules,
      probe: (ctx) => missingQueries(ctx, STAKING),
    },
    {
      name: 'queries of rates and counts',
      weight: 'lessens',
      calls: [...info, DELEGATORS, UNBONDINGS].map(queryOf),
      without: 'staking-info lacks rates and counts, which makes it a 503, and ids of exits are missing from a transaction',
      setting: NODE.modules,
      probe: (ctx) => missingQueries(ctx, [...info, DELEGATORS, UNBONDINGS]),
    },
  ]
}
