import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { Delegation, type DelegationResponse, UnbondingDelegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Context } from '../context.ts'
import { type Dec, one, truncate } from '../dec.ts'
import { tokensFromShares } from '../modules/shares.ts'
import type { UnbondingEntry, Validator as ValidatorRecord } from '../state.ts'
import { timestamp } from '../wire.ts'

/** A validator as the chain shows it. */
export function wireValidator(ctx: Context, validator: ValidatorRecord): Validator {
  return Validator.fromPartial({
    operatorAddress: validator.operator,
    consensusPubkey: { typeUrl: '/cosmos.crypto.ed25519.PubKey', value: PubKey.encode({ key: validator.consensusKey }).finish() },
    jailed: validator.jailed,
    status: validator.status,
    tokens: String(validator.tokens),
    delegatorShares: String(validator.shares),
    description: { moniker: validator.moniker },
    unbondingHeight: validator.unbondingHeight,
    unbondingTime: timestamp(validator.unbondingTime),
    commission: {
      commissionRates: { rate: String(validator.commission), maxRate: String(one), maxChangeRate: String(one / 100n) },
      updateTime: timestamp(ctx.genesis.mint.kind === 'schedule' ? Date.parse(ctx.genesis.mint.since) : 0),
    },
    minSelfDelegation: '1',
  })
}

/** A delegation with what it is worth, cut off to base units. */
export function wireDelegation(ctx: Context, validator: ValidatorRecord, delegator: string, shares: Dec): DelegationResponse {
  return {
    delegation: Delegation.fromPartial({ delegatorAddress: delegator, validatorAddress: validator.operator, shares: String(shares) }),
    balance: { denom: ctx.genesis.denom, amount: String(truncate(tokensFromShares(validator, shares))) },
  }
}

/** What is on its way out. */
export function wireUnbonding(operator: string, delegator: string, entries: readonly UnbondingEntry[]): UnbondingDelegation {
  return UnbondingDelegation.fromPartial({
    delegatorAddress: delegator,
    validatorAddress: operator,
    entries: entries.map((entry) => ({
      creationHeight: entry.creationHeight,
      completionTime: timestamp(entry.completionTime),
      initialBalance: String(entry.initialBalance),
      balance: String(entry.balance),
      unbondingId: entry.id,
      unbondingOnHoldRefCount: 0n,
    })),
  })
}
