import type { Requirement } from '@svc/contract/requirements'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import type { CosmosNetwork } from '../settings.ts'
import { issuanceQueries } from '../staking/issuance.ts'
import { missingQueries, refusedQueries } from './ask.ts'
import { queryOf } from './kit.ts'
import { pushRefusal } from './push.ts'
import { NODE } from './settings.ts'

const STAKING = [
  '/cosmos.staking.v1beta1.Query/Validator',
  '/cosmos.staking.v1beta1.Query/Delegation',
  '/cosmos.staking.v1beta1.Query/UnbondingDelegation',
  '/cosmos.staking.v1beta1.Query/Params',
  '/cosmos.distribution.v1beta1.Query/DelegationTotalRewards',
  '/cosmos.distribution.v1beta1.Query/DelegatorWithdrawAddress',
  '/cosmos.distribution.v1beta1.Query/ValidatorOutstandingRewards',
  '/cosmos.slashing.v1beta1.Query/SigningInfo',
]
const POOL = '/cosmos.distribution.v1beta1.Query/CommunityPool'
const INFO = ['/cosmos.staking.v1beta1.Query/Pool', '/cosmos.slashing.v1beta1.Query/Params', '/cosmos.distribution.v1beta1.Query/Params']
const POWERS = ['/cosmos.authz.v1beta1.Query/GranterGrants']
const BOOK = [
  '/cosmos.authz.v1beta1.Query/GranterGrants',
  '/cosmos.distribution.v1beta1.Query/DelegationRewards',
  '/cosmos.distribution.v1beta1.Query/ValidatorSlashes',
]
const DELEGATORS = '/cosmos.staking.v1beta1.Query/ValidatorDelegations'
const UNBONDINGS = '/cosmos.staking.v1beta1.Query/DelegatorUnbondingDelegations'

/** Lists the requirements of native delegation for a node besides those of every protocol of the family. */
export function stakingRequirements({
  issuance,
  poolWithPayout = false,
  sequenced,
}: CosmosChain): readonly Requirement<CosmosClient, CosmosNetwork>[] {
  const info = [...INFO, ...issuanceQueries(issuance)]
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
      name: 'queries of powers',
      weight: 'lessens',
      calls: POWERS.map(queryOf),
      without: 'a balance has no `control`: who else may move, take or be paid from a position is not known, and no change of it is told',
      setting: NODE.modules,
      probe: (ctx) => missingQueries(ctx, POWERS),
    },
    {
      name: 'passage to the queries of powers',
      weight: 'needed',
      calls: POWERS.map(queryOf),
      without:
        'no balance is told: that the chain does not tell who has power is the chain’s to say, and not of what stands before the node',
      setting: NODE.open,
      probe: (ctx) => refusedQueries(ctx, POWERS),
    },
    ...(poolWithPayout
      ? [
          {
            name: 'size of the community pool',
            weight: 'needed',
            calls: [queryOf(POOL)],
            without: 'no transaction can be crafted: the gas of a payout grows with the denominations of the pool',
            setting: NODE.modules,
            probe: (ctx) => missingQueries(ctx, [POOL]),
          } as const satisfies Requirement<CosmosClient, CosmosNetwork>,
        ]
      : []),
    ...(sequenced
      ? [
          {
            name: 'queries of books',
            weight: 'lessens',
            calls: BOOK.map(queryOf),
            without: 'books say of rewards that they are not known, since it is not proven that nobody has claimed',
            setting: NODE.modules,
            probe: (ctx) => missingQueries(ctx, BOOK),
          } as const satisfies Requirement<CosmosClient, CosmosNetwork>,
        ]
      : []),
    {
      name: 'queries of rates and counts',
      weight: 'lessens',
      calls: [...info, DELEGATORS].map(queryOf),
      without: 'staking-info lacks rates and counts, which makes it a 503',
      setting: NODE.modules,
      probe: (ctx) => missingQueries(ctx, [...info, DELEGATORS]),
    },
    {
      name: 'WebSocket',
      weight: 'lessens',
      calls: ['subscribe'],
      without:
        'what others do to a position is noticed later: by the next search of transactions, or where there is none when a wallet is read whole',
      setting: NODE.push,
      probe: pushRefusal,
    },
    {
      name: 'query of exits',
      weight: 'needed',
      calls: [queryOf(UNBONDINGS)],
      without: 'no status of a transaction in a block whose results the node does not keep: its exits are read from the wallet’s',
      setting: NODE.modules,
      probe: (ctx) => missingQueries(ctx, [UNBONDINGS]),
    },
  ]
}
