import { BinaryWriter } from 'cosmjs-types/binary'
import { PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import {
  Delegation,
  type DelegationResponse,
  Redelegation,
  type RedelegationResponse,
  UnbondingDelegation,
  Validator,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Context } from '../context.ts'
import { type Dec, one, truncate } from '../dec.ts'
import { tokensFromShares } from '../modules/shares.ts'
import type { RedelegationEntry, UnbondingEntry, Validator as ValidatorRecord } from '../state.ts'
import { blockTimestamp, timestamp } from '../wire.ts'

/** Writes a validator as the staking module's queries answer it. */
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
    unbondingTime: validator.unbondingTime === 0 ? timestamp(0) : blockTimestamp(validator.unbondingTime),
    commission: {
      commissionRates: { rate: String(validator.commission), maxRate: String(one), maxChangeRate: String(one / 100n) },
      updateTime: blockTimestamp(Number(ctx.state.numbers.existing('genesisTime'))),
    },
    minSelfDelegation: '1',
  })
}

/** Writes a validator. The library writes its list of ids also when it is empty, as the last field, and the chain leaves it out. */
function encodeValidator(validator: Validator): Uint8Array {
  const bytes = Validator.encode(validator).finish()
  return bytes.at(-2) === EMPTY_IDS && bytes.at(-1) === 0 ? bytes.subarray(0, -2) : bytes
}

/** Tag of the ids of unbondings, field 13 of bytes. */
const EMPTY_IDS = 0x6a

/** Codec of the answer of `Validator`, whose field 1 is the validator. */
export const validatorResponse = {
  encode: ({ validator }: { validator: Validator }) => new BinaryWriter().uint32(10).bytes(encodeValidator(validator)),
}

/** The answer of `Validators` and `DelegatorValidators`: field 1 is each validator, field 2 the place of the next page. */
export const validatorsResponse = {
  encode({ validators, pagination }: { validators: readonly Validator[]; pagination: PageResponse }) {
    const writer = new BinaryWriter()
    for (const validator of validators) writer.uint32(10).bytes(encodeValidator(validator))
    return writer.uint32(18).bytes(PageResponse.encode(pagination).finish())
  },
}

/** Writes a delegation with its worth, truncated to base units. */
export function wireDelegation(ctx: Context, validator: ValidatorRecord, delegator: string, shares: Dec): DelegationResponse {
  return {
    delegation: Delegation.fromPartial({ delegatorAddress: delegator, validatorAddress: validator.operator, shares: String(shares) }),
    balance: { denom: ctx.genesis.denom, amount: String(truncate(tokensFromShares(validator, shares))) },
  }
}

/** Writes the exits of a delegator from a validator. */
export function wireUnbonding(operator: string, delegator: string, entries: readonly UnbondingEntry[]): UnbondingDelegation {
  return UnbondingDelegation.fromPartial({
    delegatorAddress: delegator,
    validatorAddress: operator,
    entries: entries.map((entry) => ({
      creationHeight: entry.creationHeight,
      completionTime: blockTimestamp(entry.completionTime),
      initialBalance: String(entry.initialBalance),
      balance: String(entry.balance),
      unbondingId: entry.id,
      unbondingOnHoldRefCount: 0n,
    })),
  })
}

/** Writes the redelegations of one delegator from one validator to another. @param key `delegator/from/to` */
export function wireRedelegation(ctx: Context, key: string, entries: readonly RedelegationEntry[]): RedelegationResponse {
  const [delegatorAddress = '', validatorSrcAddress = '', validatorDstAddress = ''] = key.split('/')
  const target = ctx.state.validators.existing(validatorDstAddress)
  return {
    redelegation: Redelegation.fromPartial({ delegatorAddress, validatorSrcAddress, validatorDstAddress }),
    entries: entries.map(({ id, creationHeight, completionTime, initialBalance, shares }) => ({
      redelegationEntry: {
        creationHeight,
        completionTime: blockTimestamp(completionTime),
        initialBalance: String(initialBalance),
        sharesDst: String(shares),
        unbondingId: id,
        unbondingOnHoldRefCount: 0n,
      },
      balance: String(truncate(tokensFromShares(target, shares))),
    })),
  }
}
