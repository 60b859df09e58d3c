import { type CosmosMessage, coin } from '@svc/verify/cosmos'

// The messages of x/staking and x/distribution that the actions are made of, in Cosmos SDK 0.50 and 0.53:
// https://github.com/cosmos/cosmos-sdk/tree/main/proto/cosmos (staking/v1beta1/tx.proto, distribution/v1beta1/tx.proto; read 2026-11-21).

const parties = { delegator: { number: 1, kind: 'signer' }, validator: { number: 2, kind: 'validator' } } as const
const delegation = { ...parties, amount: { number: 3, kind: 'message', fields: coin } } as const

/** Coins of the account that become a delegation: the only one of these messages that takes any. */
export const delegate: CosmosMessage = {
  type: '/cosmos.staking.v1beta1.MsgDelegate',
  fields: delegation,
  spends: { denom: 'denom', amount: 'amount' },
}

/** A delegation that begins to unbond. */
export const undelegate: CosmosMessage = { type: '/cosmos.staking.v1beta1.MsgUndelegate', fields: delegation }

/** Rewards paid to the withdraw address that the chain has for the delegator. */
export const withdrawReward: CosmosMessage = { type: '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', fields: parties }

/** Every message of the protocol, for whoever reads a transaction of which he does not know what it should do. */
export const layouts: readonly CosmosMessage[] = [delegate, undelegate, withdrawReward]
