import { MOST_UNITS } from '@svc/contract'
import type { Control } from '@svc/contract/control'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz'
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { AuthorizationType, StakeAuthorization } from 'cosmjs-types/cosmos/staking/v1beta1/authz'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import { integer, timeOf } from '../answer.ts'

/** Facts of a power, without who has it. */
export type Bounds = Pick<Control, 'aspect' | 'terms' | 'limit' | 'severity' | 'permits'>

const DELEGATE = '/cosmos.staking.v1beta1.MsgDelegate'
const SEND = '/cosmos.bank.v1beta1.MsgSend'
const UNDELEGATE = '/cosmos.staking.v1beta1.MsgUndelegate'
const REDELEGATE = '/cosmos.staking.v1beta1.MsgBeginRedelegate'
const CANCEL = '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation'

/** Messages that a StakeAuthorization is for. @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/types/authz.go (normalizeAuthzType; read 2026-11-29) */
const STAKE_TYPES: Readonly<Partial<Record<AuthorizationType, string>>> = {
  [AuthorizationType.AUTHORIZATION_TYPE_DELEGATE]: DELEGATE,
  [AuthorizationType.AUTHORIZATION_TYPE_UNDELEGATE]: UNDELEGATE,
  [AuthorizationType.AUTHORIZATION_TYPE_REDELEGATE]: REDELEGATE,
  [AuthorizationType.AUTHORIZATION_TYPE_CANCEL_UNBONDING_DELEGATION]: CANCEL,
}

/** Weights of the messages by which no money is taken: they bind it, have it paid to the wallet's own withdraw address, or vote. By any other message it can be. */
const WEIGHTS: Readonly<Record<string, Control['severity']>> = {
  [DELEGATE]: 'warning',
  [CANCEL]: 'warning',
  '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward': 'warning',
  '/cosmos.gov.v1.MsgVote': 'info',
  '/cosmos.gov.v1.MsgVoteWeighted': 'info',
  '/cosmos.gov.v1beta1.MsgVote': 'info',
  '/cosmos.gov.v1beta1.MsgVoteWeighted': 'info',
}

/** Acts that a message is; who may grant in the wallet's name may grant himself any. */
const PERMITS: Readonly<Record<string, NonNullable<Control['permits']>>> = {
  [UNDELEGATE]: ['exit'],
  [REDELEGATE]: ['move'],
  '/cosmos.authz.v1beta1.MsgGrant': ['exit', 'move'],
}

/** Most addresses and denominations that the terms name; they tell the number of the others. */
const MOST_NAMED = 5
/** Longest type of a message that is repeated, in characters. */
const LONGEST_TYPE = 120

/**
 * Describes what an authorisation allows, and its bounds.
 *
 * @param own the operator's validators
 * @throws EndpointError for a content that is none of its type
 */
export function authorizationBounds(
  authorization: Any,
  expiration: Timestamp | undefined,
  { denom, own }: { readonly denom: string; readonly own: readonly string[] },
): Bounds {
  const { typeUrl, value } = authorization
  if (typeUrl === GenericAuthorization.typeUrl) return boundsOf(GenericAuthorization.decode(value).msg, [], expiration)
  if (typeUrl === SendAuthorization.typeUrl) {
    const { spendLimit, allowList } = SendAuthorization.decode(value)
    return boundsOf(SEND, [namedOf('to', allowList), otherCoins(spendLimit, denom)], expiration, limitOf(spendLimit, denom))
  }
  const stake = typeUrl === StakeAuthorization.typeUrl ? StakeAuthorization.decode(value) : null
  const type = stake && STAKE_TYPES[stake.authorizationType]
  if (!stake || !type) return { aspect: 'grant_other', terms: termsOf([cut(typeUrl), untilOf(expiration)]), severity: 'critical' }
  const [allowList, denyList] = [stake.allowList?.address ?? [], stake.denyList?.address ?? []]
  const coins = stake.maxTokens === undefined ? [] : [stake.maxTokens]
  const bounds = boundsOf(type, [namedOf('with', allowList), namedOf('not with', denyList)], expiration, limitOf(coins, denom))
  // A restaking tool: it can do nothing but stake more with the same operator.
  const isRestaking = type === DELEGATE && allowList.length > 0 && allowList.every((validator) => own.includes(validator))
  return isRestaking ? { ...bounds, severity: 'info' } : bounds
}

function boundsOf(
  type: string,
  bounds: readonly (string | null)[],
  expiration: Timestamp | undefined,
  limit: Pick<Bounds, 'limit'> = {},
): Bounds {
  const permits = PERMITS[type]
  return {
    aspect: aspectOf(type),
    terms: termsOf([cut(type), ...bounds, untilOf(expiration)]),
    severity: WEIGHTS[type] ?? 'critical',
    ...limit,
    ...(permits === undefined ? {} : { permits }),
  }
}

/** Makes a word of a message's name: `grant_begin_redelegate` of `/cosmos.staking.v1beta1.MsgBeginRedelegate`. */
function aspectOf(type: string): string {
  const name = /\.Msg([A-Z][A-Za-z0-9]{0,40})$/.exec(type)?.[1]
  return name === undefined ? 'grant_other' : `grant${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
}

/** Reads the bound in the chain's own token: a list without it allows none of it, and more than there can be of a token bounds nothing. */
function limitOf(coins: readonly Coin[], denom: string): Pick<Bounds, 'limit'> {
  if (coins.length === 0) return {}
  const limit = integer(coins.find((coin) => coin.denom === denom)?.amount ?? '0')
  return limit > MOST_UNITS ? {} : { limit }
}

function otherCoins(coins: readonly Coin[], denom: string): string | null {
  return namedOf(
    'also in',
    coins.filter((coin) => coin.denom !== denom).map((coin) => cut(coin.denom)),
  )
}

function namedOf(word: string, names: readonly string[]): string | null {
  if (names.length === 0) return null
  const more = names.length - MOST_NAMED
  return `${word} ${names.slice(0, MOST_NAMED).map(cut).join(' and ')}${more > 0 ? ` and ${more} more` : ''}`
}

function untilOf(expiration: Timestamp | undefined): string | null {
  return expiration === undefined ? null : `until ${timeOf(expiration).toISOString()}`
}

function termsOf(parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join(', ') || null
}

/** Shortens a text of the chain to printable ASCII, which types, addresses and denominations are made of. */
function cut(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_TYPE)
}
