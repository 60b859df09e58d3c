import { type CosmosMessage, coin } from '../../../src/cosmos/index.ts'

const parties = { delegator: { number: 1, kind: 'signer' }, validator: { number: 2, kind: 'validator' } } as const
const delegation = { ...parties, amount: { number: 3, kind: 'message', fields: coin } } as const
const spends = { denom: 'denom', amount: 'amount' }

/** The messages of the vectors, as an intent lays them out. */
export const LAYOUTS: readonly CosmosMessage[] = [
  { type: '/cosmos.staking.v1beta1.MsgDelegate', fields: delegation, spends },
  { type: '/cosmos.staking.v1beta1.MsgUndelegate', fields: delegation },
  {
    type: '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation',
    fields: { ...delegation, creationHeight: { number: 4, kind: 'int64' } },
  },
  { type: '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', fields: parties },
]
