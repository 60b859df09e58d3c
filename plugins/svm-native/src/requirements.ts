import { missingMethod, type Requirement } from '@svc/contract/requirements'
import { missingAccountFeed, SVM_NODE, type SvmClient } from '@svc/kit-svm'
import { STAKE_PROGRAM } from './chain/now.ts'
import { OFFSET, STAKE_SPACE } from './chain/stake-account.ts'
import type { NativeContext } from './network.ts'

/** 32 zeros: nobody withdraws by that key, so that the search finds nothing. */
const NOBODY = '1'.repeat(32)

/** Requirements of native staking for a node: stake accounts can be found by search alone. */
export const requirements: readonly Requirement<SvmClient, NativeContext['network']>[] = [
  {
    name: 'search of stake accounts',
    weight: 'needed',
    calls: ['getProgramAccounts'],
    without: 'no balance can be shown and nothing unstaked, since stake accounts are found by search alone',
    setting: SVM_NODE.search,
    probe: (ctx) =>
      missingMethod(ctx, {
        getProgramAccounts: [
          STAKE_PROGRAM,
          {
            encoding: 'base64',
            commitment: 'confirmed',
            withContext: true,
            filters: [{ dataSize: STAKE_SPACE }, { memcmp: { offset: OFFSET.withdrawer, bytes: NOBODY } }],
            dataSlice: { offset: 0, length: 0 },
          },
        ],
      }),
  },
  {
    name: 'pushes of stake accounts',
    weight: 'lessens',
    calls: ['programSubscribe'],
    without: 'what others do to a stake is noticed later: within ten minutes, by the search of stake accounts',
    setting: SVM_NODE.push,
    probe: (ctx) => missingAccountFeed(ctx, STAKE_PROGRAM),
  },
  {
    name: 'rates of the chain',
    weight: 'lessens',
    calls: ['getInflationRate', 'getSupply', 'getStakeMinimumDelegation'],
    without: 'staking-info lacks the rate and the least amount, which makes it a 503',
    setting: SVM_NODE.open,
    probe: (ctx) =>
      missingMethod(ctx, {
        getInflationRate: [],
        getSupply: [{ excludeNonCirculatingAccountsList: true }],
        getStakeMinimumDelegation: [],
      }),
  },
  {
    name: 'rewards of epochs',
    weight: 'lessens',
    calls: ['getInflationReward'],
    without: 'books cannot be kept: what an epoch has paid is in no transaction',
    setting: SVM_NODE.open,
    probe: (ctx) => missingMethod(ctx, { getInflationReward: [[NOBODY]] }),
  },
]
