import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgDepositValidatorRewardsPool } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import { MsgDelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { coins, type Extra } from './genesis.ts'

/** Coins from one address to another. */
export function send(fromAddress: string, toAddress: string, amounts: Extra): Any {
  return { typeUrl: MsgSend.typeUrl, value: MsgSend.encode({ fromAddress, toAddress, amount: [...coins(amounts)] }).finish() }
}

/** Rewards for all who stake with a validator, from anybody and in any denomination. */
export function deposit(depositor: string, validatorAddress: string, amounts: Extra): Any {
  const message = { depositor, validatorAddress, amount: [...coins(amounts)] }
  return { typeUrl: MsgDepositValidatorRewardsPool.typeUrl, value: MsgDepositValidatorRewardsPool.encode(message).finish() }
}

/** A stake. */
export function delegate(delegatorAddress: string, validatorAddress: string, denom: string, amount: bigint): Any {
  const message = { delegatorAddress, validatorAddress, amount: { denom, amount: String(amount) } }
  return { typeUrl: MsgDelegate.typeUrl, value: MsgDelegate.encode(message).finish() }
}

/** A validator that was absent takes part again. */
export function unjail(validatorAddr: string): Any {
  return { typeUrl: MsgUnjail.typeUrl, value: MsgUnjail.encode({ validatorAddr }).finish() }
}
