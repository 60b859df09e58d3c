import { type CosmosMessage, coin } from '@svc/verify/cosmos'

/**
 * The message, with all of its fields. It spends nothing: what moves is staked before and after.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/main/proto/cosmos/staking/v1beta1/tx.proto `MsgBeginRedelegate` (read 2026-11-22)
 */
export const beginRedelegate = {
  type: '/cosmos.staking.v1beta1.MsgBeginRedelegate',
  fields: {
    delegator: { number: 1, kind: 'signer' },
    source: { number: 2, kind: 'validator' },
    target: { number: 3, kind: 'validator' },
    amount: { number: 4, kind: 'message', fields: coin },
  },
} as const satisfies CosmosMessage
