import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthorizationType, StakeAuthorization } from 'cosmjs-types/cosmos/staking/v1beta1/authz'
import { MsgBeginRedelegate, MsgCancelUnbondingDelegation, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type Context, emit } from '../context.ts'
import { authz, ChainError, sdk } from '../errors.ts'
import type { AuthorizationGrant } from '../state.ts'
import { ensureAccount } from './auth.ts'

// Authorisations as x/authz of the SDK 0.53.8 keeps, takes and forgets them (keeper/keeper.go, keeper/msg_server.go; read 2026-11-29).

/** Types of messages that a StakeAuthorization is for. @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/types/authz.go (normalizeAuthzType; read 2026-11-29) */
const STAKING_TYPES: Readonly<Partial<Record<AuthorizationType, string>>> = {
  [AuthorizationType.AUTHORIZATION_TYPE_DELEGATE]: MsgDelegate.typeUrl,
  [AuthorizationType.AUTHORIZATION_TYPE_UNDELEGATE]: MsgUndelegate.typeUrl,
  [AuthorizationType.AUTHORIZATION_TYPE_REDELEGATE]: MsgBeginRedelegate.typeUrl,
  [AuthorizationType.AUTHORIZATION_TYPE_CANCEL_UNBONDING_DELEGATION]: MsgCancelUnbondingDelegation.typeUrl,
}

/** Lets one account run messages of a type in another's name, in place of an earlier authorisation. @throws ChainError */
export function saveGrant(ctx: Context, granter: string, grantee: string, grant: AuthorizationGrant): void {
  if (granter === grantee) throw new ChainError(authz.sameAccount)
  ensureAccount(ctx.state, grantee, {})
  if (grant.expiration !== null && grant.expiration <= ctx.time) throw new ChainError(authz.inPast)
  const typeUrl = messageTypeOf(grant)
  ctx.state.grants.set(`${granter}/${grantee}/${typeUrl}`, grant)
  emitTyped(ctx, 'cosmos.authz.v1beta1.EventGrant', { grantee, granter, msg_type_url: typeUrl })
}

/** Revokes an authorisation. @throws ChainError where there is none */
export function deleteGrant(ctx: Context, granter: string, grantee: string, typeUrl: string): void {
  const key = `${granter}/${grantee}/${typeUrl}`
  if (!ctx.state.grants.has(key)) throw new ChainError(authz.notFound, 'failed to delete grant with given key')
  ctx.state.grants.delete(key)
  emitTyped(ctx, 'cosmos.authz.v1beta1.EventRevoke', { grantee, granter, msg_type_url: typeUrl })
}

/** Uses an authorisation for one message, and reduces its limit, if it has one. @throws ChainError where there is none, or where it does not allow this message */
export function useGrant(ctx: Context, grantee: string, granter: string, message: Any): void {
  if (granter === grantee) return
  const key = `${granter}/${grantee}/${message.typeUrl}`
  const grant = ctx.state.grants.get(key)
  if (grant === undefined) throw new ChainError(authz.notFound, 'failed to get grant with given key')
  if (grant.expiration !== null && grant.expiration < ctx.time) throw new ChainError(authz.expired)
  const rest = restOf(grant, message)
  if (rest === null) deleteGrant(ctx, granter, grantee, message.typeUrl)
  else ctx.state.grants.set(key, { ...grant, value: rest })
}

/** Removes expired authorisations at the beginning of a block. */
export function expireGrants({ state, time }: Context): void {
  for (const [key, { expiration }] of state.grants.entries()) if (expiration !== null && expiration <= time) state.grants.delete(key)
}

/** @throws ChainError for an authorisation of a type that is not known here */
function messageTypeOf({ typeUrl, value }: Pick<AuthorizationGrant, 'typeUrl' | 'value'>): string {
  if (typeUrl === GenericAuthorization.typeUrl) return GenericAuthorization.decode(value).msg
  if (typeUrl === SendAuthorization.typeUrl) return MsgSend.typeUrl
  const type = typeUrl === StakeAuthorization.typeUrl ? STAKING_TYPES[StakeAuthorization.decode(value).authorizationType] : undefined
  if (type === undefined) throw new ChainError(authz.unknownType)
  return type
}

/** @returns the authorisation as it is after the message; null: it is used up @throws ChainError where it does not allow it */
function restOf({ typeUrl, value }: AuthorizationGrant, message: Any): Uint8Array | null {
  if (typeUrl === SendAuthorization.typeUrl) return restOfSend(SendAuthorization.decode(value), MsgSend.decode(message.value))
  return typeUrl === StakeAuthorization.typeUrl ? restOfStake(StakeAuthorization.decode(value), message) : value
}

function restOfSend(own: SendAuthorization, { toAddress, amount }: MsgSend): Uint8Array | null {
  if (own.allowList.length > 0 && !own.allowList.includes(toAddress))
    throw new ChainError(sdk.unauthorized, `cannot send to ${toAddress} address`)
  const spendLimit = own.spendLimit.flatMap(({ denom, amount: limit }) => {
    const left = BigInt(limit) - BigInt(amount.find((coin) => coin.denom === denom)?.amount ?? 0)
    if (left < 0n) throw new ChainError(sdk.insufficientFunds, 'requested amount is more than spend limit')
    return left === 0n ? [] : [{ denom, amount: String(left) }]
  })
  if (amount.some(({ denom }) => own.spendLimit.every((limit) => limit.denom !== denom)))
    throw new ChainError(sdk.insufficientFunds, 'requested amount is more than spend limit')
  return spendLimit.length === 0 ? null : SendAuthorization.encode({ ...own, spendLimit }).finish()
}

function restOfStake(own: StakeAuthorization, message: Any): Uint8Array | null {
  const isMove = message.typeUrl === MsgBeginRedelegate.typeUrl
  const { validator, amount } = isMove ? moveOf(message.value) : stakeOf(message.value)
  const allowed = own.allowList?.address ?? []
  if (own.denyList?.address.includes(validator) || (allowed.length > 0 && !allowed.includes(validator)))
    throw new ChainError(sdk.unauthorized, `cannot delegate/undelegate to ${validator} validator`)
  if (own.maxTokens === undefined) return StakeAuthorization.encode(own).finish()
  const left = BigInt(own.maxTokens.amount) - amount
  if (left < 0n) throw new ChainError(sdk.insufficientFunds, 'negative coin amount')
  return left === 0n
    ? null
    : StakeAuthorization.encode({ ...own, maxTokens: { denom: own.maxTokens.denom, amount: String(left) } }).finish()
}

/** Messages that delegate, undelegate and cancel have validator and amount in the same fields. */
function stakeOf(value: Uint8Array) {
  const { validatorAddress, amount } = MsgDelegate.decode(value)
  return { validator: validatorAddress, amount: BigInt(amount.amount) }
}

function moveOf(value: Uint8Array) {
  const { validatorDstAddress, amount } = MsgBeginRedelegate.decode(value)
  return { validator: validatorDstAddress, amount: BigInt(amount.amount) }
}

/** An event that has a type of its own has its values as JSON. */
function emitTyped(ctx: Context, type: string, values: Readonly<Record<string, string>>): void {
  emit(ctx, type, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])))
}
