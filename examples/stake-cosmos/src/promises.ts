import type { Call } from '@svc/verify'

/** Whose stake it is and with whom. */
export interface Stake {
  readonly delegator: string
  readonly validator: string
  readonly denom: string
}

/** Moves an amount out of the account into a delegation. @param amount in base units, like all here */
export function delegation({ delegator, validator, denom }: Stake, amount: bigint): Call {
  return {
    target: '/cosmos.staking.v1beta1.MsgDelegate',
    method: 'MsgDelegate(delegator, validator, denom, amount)',
    args: { delegator, validator, denom, amount },
    value: amount,
  }
}

/** Begins to take an amount out of a delegation; the chain pays it to the delegator when the period is over. */
export function unbonding({ delegator, validator, denom }: Stake, amount: bigint): Call {
  return {
    target: '/cosmos.staking.v1beta1.MsgUndelegate',
    method: 'MsgUndelegate(delegator, validator, denom, amount)',
    args: { delegator, validator, denom, amount },
    value: 0n,
  }
}

/** Pays rewards to the withdraw address that the chain has for the delegator: his own, unless he has set another. */
export function claim({ delegator, validator }: Stake): Call {
  return {
    target: '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
    method: 'MsgWithdrawDelegatorReward(delegator, validator)',
    args: { delegator, validator },
    value: 0n,
  }
}
