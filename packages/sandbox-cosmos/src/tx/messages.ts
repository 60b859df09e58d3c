import { present, reasonOf } from '@svc/sandbox'
import { MsgSend, MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import {
  MsgSetWithdrawAddress,
  MsgSetWithdrawAddressResponse,
  MsgWithdrawDelegatorReward,
  MsgWithdrawDelegatorRewardResponse,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import {
  MsgBeginRedelegate,
  MsgBeginRedelegateResponse,
  MsgCancelUnbondingDelegation,
  MsgCancelUnbondingDelegationResponse,
  MsgDelegate,
  MsgDelegateResponse,
  MsgUndelegate,
  MsgUndelegateResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { addressBytes } from '../address.ts'
import { type Context, emit } from '../context.ts'
import { ChainError, sdk } from '../errors.ts'
import type { CosmosGenesis } from '../genesis.ts'
import { isModule } from '../modules/auth.ts'
import { send } from '../modules/bank.ts'
import { payout, withdrawRewards } from '../modules/distribution.ts'
import { cancelUnbonding, delegate, redelegate, undelegate } from '../modules/staking.ts'
import { periodBytes } from '../modules/vesting.ts'
import { blockTimestamp } from '../wire.ts'
import { authzReaders, GRANT_GAS } from './authz.ts'
import { coinFields, decodeFields as decode, type Fields } from './fields.ts'
import { GasMeter } from './gas.ts'
import { accountAddress, type Message, type MessageReader } from './message.ts'

/**
 * Gas that running a message takes, without what it pays out: fixed figures in the middle of what was used on the Hub and on Celestia.
 *
 * @see gas of the transactions that landed on both, recorded on 2026-11-23
 */
const messageGas: Readonly<Record<string, bigint>> = {
  '/cosmos.staking.v1beta1.MsgDelegate': 98_000n,
  '/cosmos.staking.v1beta1.MsgUndelegate': 138_500n,
  '/cosmos.staking.v1beta1.MsgBeginRedelegate': 186_000n,
  '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation': 112_000n,
  '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward': 54_000n,
  '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress': 5_000n,
  '/cosmos.bank.v1beta1.MsgSend': 18_400n,
  ...GRANT_GAS,
}

/** Gas of each payout of rewards: of its first denomination, of each further one, of one that came by IBC. Measured on both on 2026-11-23. */
const payoutGas: Readonly<Record<'first' | 'further' | 'ibc', bigint>> = { first: 14_200n, further: 19_000n, ibc: 35_000n }

/** Counts the gas of a message that ran. @throws ChainError out of gas, in the words of the place where the chain was found to count it */
export function consumeMessage(meter: GasMeter, { typeUrl, signer }: Message, ctx: Context): void {
  const payouts = ctx.events.flatMap(({ type, attributes: [amount] }) => (type === 'withdraw_rewards' && amount ? [amount.value] : []))
  const gas = payouts.reduce((sum, coins) => sum + gasOfPayout(coins), present(messageGas[typeUrl], `the gas of ${typeUrl}`))
  meter.consume(ctx.genesis.node.celestiaCore ? 'ReadFlat' : 'WriteFlat', gas)
  if (typeUrl !== '/cosmos.staking.v1beta1.MsgDelegate') return
  const bytes = periodBytes(ctx.state.accounts.get(signer)?.vesting, ctx.genesis.denom)
  meter.consume('WritePerByte', GasMeter.perDelegatedPeriodByte * bytes)
}

/** Adds up the gas of a payout. @param coins as the event tells them, `0stake` for none */
function gasOfPayout(coins: string): bigint {
  if (coins.startsWith('0')) return 0n
  const [, ...further] = coins
    .split(',')
    .map((coin) => (/^\d+ibc\//.test(coin) ? payoutGas.ibc : payoutGas.further))
    .sort()
  return further.reduce((sum, gas) => sum + gas, payoutGas.first)
}

/** Reads a message of a transaction. @throws ChainError for a type that this chain does not know, and bytes that are not of it */
export function readMessage({ typeUrl, value }: Any, genesis: CosmosGenesis): Message {
  const reader = Object.hasOwn(readers, typeUrl) ? readers[typeUrl] : undefined
  if (reader === undefined) throw new ChainError(sdk.txDecode, `unable to resolve type URL ${typeUrl}`)
  const message = reader(value, (inner) => readMessage(inner, genesis))
  try {
    addressBytes(message.signer, genesis.prefix)
  } catch (cause) {
    throw new ChainError(sdk.txDecode, reasonOf(cause))
  }
  return { ...message, typeUrl }
}

const readers: Readonly<Record<string, MessageReader>> = {
  ...authzReaders,
  '/cosmos.staking.v1beta1.MsgDelegate'(value) {
    const msg = decode(MsgDelegate, value, delegation)
    return {
      signer: msg.delegatorAddress,
      run(ctx) {
        const operator = operatorAddress(ctx, msg.validatorAddress)
        const amount = positive(msg.amount, 'invalid delegation amount')
        delegate(ctx, msg.delegatorAddress, operator, inStakeDenom(ctx, msg.amount, amount))
        return MsgDelegateResponse.encode(MsgDelegateResponse.fromPartial({})).finish()
      },
    }
  },
  '/cosmos.staking.v1beta1.MsgUndelegate'(value) {
    const msg = decode(MsgUndelegate, value, delegation)
    return {
      signer: msg.delegatorAddress,
      run(ctx) {
        const operator = operatorAddress(ctx, msg.validatorAddress)
        const question = inStakeDenom(ctx, msg.amount, positive(msg.amount, 'invalid shares amount'))
        const { completionTime, amount } = undelegate(ctx, msg.delegatorAddress, operator, question)
        const response = { completionTime: blockTimestamp(completionTime), amount: { denom: ctx.genesis.denom, amount: String(amount) } }
        return MsgUndelegateResponse.encode(MsgUndelegateResponse.fromPartial(response)).finish()
      },
    }
  },
  '/cosmos.staking.v1beta1.MsgBeginRedelegate'(value) {
    const msg = decode(MsgBeginRedelegate, value, { 1: true, 2: true, 3: true, 4: coinFields })
    return {
      signer: msg.delegatorAddress,
      run(ctx) {
        const [from, to] = [operatorAddress(ctx, msg.validatorSrcAddress), operatorAddress(ctx, msg.validatorDstAddress)]
        const units = inStakeDenom(ctx, msg.amount, positive(msg.amount, 'invalid shares amount'))
        const response = { completionTime: blockTimestamp(redelegate(ctx, msg.delegatorAddress, from, to, units)) }
        return MsgBeginRedelegateResponse.encode(MsgBeginRedelegateResponse.fromPartial(response)).finish()
      },
    }
  },
  '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation'(value) {
    const msg = decode(MsgCancelUnbondingDelegation, value, { ...delegation, 4: true })
    return {
      signer: msg.delegatorAddress,
      run(ctx) {
        const operator = operatorAddress(ctx, msg.validatorAddress)
        const amount = positive(msg.amount, 'invalid amount')
        if (msg.creationHeight <= 0n) throw new ChainError(sdk.invalidRequest, 'invalid height')
        cancelUnbonding(ctx, msg.delegatorAddress, operator, inStakeDenom(ctx, msg.amount, amount), msg.creationHeight)
        return MsgCancelUnbondingDelegationResponse.encode(MsgCancelUnbondingDelegationResponse.fromPartial({})).finish()
      },
    }
  },
  '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward'(value) {
    const msg = decode(MsgWithdrawDelegatorReward, value, { 1: true, 2: true })
    return {
      signer: msg.delegatorAddress,
      run(ctx) {
        const paid = withdrawRewards(ctx, msg.delegatorAddress, operatorAddress(ctx, msg.validatorAddress))
        const amount = payout(ctx, paid).map((coin) => ({ denom: coin.denom, amount: String(coin.amount) }))
        return MsgWithdrawDelegatorRewardResponse.encode(MsgWithdrawDelegatorRewardResponse.fromPartial({ amount })).finish()
      },
    }
  },
  '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress'(value) {
    const msg = decode(MsgSetWithdrawAddress, value, { 1: true, 2: true })
    return {
      signer: msg.delegatorAddress,
      run(ctx) {
        const to = accountAddress(ctx, msg.withdrawAddress, 'withdraw')
        if (isModule(ctx, to)) throw new ChainError(sdk.unauthorized, `${to} is not allowed to receive external funds`)
        ctx.state.withdrawTo.set(msg.delegatorAddress, to)
        emit(ctx, 'set_withdraw_address', { withdraw_address: to })
        return MsgSetWithdrawAddressResponse.encode(MsgSetWithdrawAddressResponse.fromPartial({})).finish()
      },
    }
  },
  '/cosmos.bank.v1beta1.MsgSend'(value) {
    const msg = decode(MsgSend, value, { 1: true, 2: true, 3: coinFields })
    return {
      signer: msg.fromAddress,
      run(ctx) {
        const to = accountAddress(ctx, msg.toAddress, 'to')
        if (msg.amount.length === 0) throw new ChainError(sdk.invalidCoins, '')
        if (isModule(ctx, to)) throw new ChainError(sdk.unauthorized, `${to} is not allowed to receive funds`)
        for (const coin of msg.amount) send(ctx, msg.fromAddress, to, positive(coin, coin.amount, sdk.invalidCoins), coin.denom)
        return MsgSendResponse.encode(MsgSendResponse.fromPartial({})).finish()
      },
    }
  },
}

/** Fields of the messages that name a delegator, a validator and, some of them, an amount. */
const delegation: Fields = { 1: true, 2: true, 3: coinFields }

function operatorAddress(ctx: Context, text: string): string {
  try {
    addressBytes(text, `${ctx.genesis.prefix}valoper`)
    return text
  } catch (cause) {
    throw new ChainError(sdk.invalidAddress, `invalid validator address: ${reasonOf(cause)}`)
  }
}

function positive(coin: Coin | undefined, why: string, kind = sdk.invalidRequest): bigint {
  if (coin !== undefined && /^[1-9]\d{0,77}$/.test(coin.amount)) return BigInt(coin.amount)
  throw new ChainError(kind, why)
}

function inStakeDenom(ctx: Context, coin: Coin, amount: bigint): bigint {
  if (coin.denom === ctx.genesis.denom) return amount
  throw new ChainError(sdk.invalidRequest, `invalid coin denomination: got ${coin.denom}, expected ${ctx.genesis.denom}`)
}
