import type { EncodeObject } from '@cosmjs/proto-signing'
import { MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'

/** Delegator and validator of a delegation. */
export interface Parties {
  readonly delegatorAddress: string
  readonly validatorAddress: string
}

/** Makes the message that delegates. @param amount in base units of `denom` */
export function delegateMessage(parties: Parties, denom: string, amount: bigint): EncodeObject {
  return { typeUrl: MsgDelegate.typeUrl, value: MsgDelegate.fromPartial({ ...parties, amount: { denom, amount: String(amount) } }) }
}

/** Makes the message that starts to unbond. @param amount in base units of `denom` */
export function undelegateMessage(parties: Parties, denom: string, amount: bigint): EncodeObject {
  return { typeUrl: MsgUndelegate.typeUrl, value: MsgUndelegate.fromPartial({ ...parties, amount: { denom, amount: String(amount) } }) }
}

/** Makes the message that pays out all rewards of a delegation. */
export function withdrawRewardMessage(parties: Parties): EncodeObject {
  return { typeUrl: MsgWithdrawDelegatorReward.typeUrl, value: MsgWithdrawDelegatorReward.fromPartial(parties) }
}
