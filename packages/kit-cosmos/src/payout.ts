import { itemsOf, malformedAnswer, membersOf } from '@svc/contract'
import {
  QueryDelegationTotalRewardsRequest,
  QueryDelegationTotalRewardsResponse,
  QueryValidatorOutstandingRewardsRequest,
  QueryValidatorOutstandingRewardsResponse,
} from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { integer, orNone, units } from './answer.ts'
import type { CosmosClient } from './client.ts'

/** The two ends of a delegation whose rewards a transaction pays out along with what it does. */
export interface Delegation {
  readonly delegatorAddress: string
  readonly validatorAddress: string
}

/** Denominations in which rewards can be paid out. */
export interface Rewards {
  /** Owed to the delegator by that validator, be it less than a unit; null where the chain has no delegation between the two. */
  readonly owed: readonly string[] | null
  /** Held for all delegators of that validator, at least a unit. */
  readonly held: readonly string[]
}

/** Scale of the SDK's fixed-point numbers. @see https://pkg.go.dev/cosmossdk.io/math#LegacyPrecision (read 2026-11-21) */
const UNIT = 10n ** 18n

/**
 * Gas of a payout that a simulation does not contain: of its first denomination, with what the payout itself takes, of each further one, and of one
 * that came by IBC, whose name is longer. Measured on gaiad v29 and celestia-appd v6.2.5 on 2026-11-23: 14,200 to 15,900; about 19,000; about 35,000.
 */
const FIRST_GAS = 16_000n
const FURTHER_GAS = 19_500n
const IBC_GAS = 36_000n

/** Reads in which denominations rewards can be paid out; in the same wave as the preflight. @throws 502, 503, 504 */
export async function readRewardDenoms({ query }: CosmosClient, { delegatorAddress, validatorAddress }: Delegation): Promise<Rewards> {
  const [owed, held] = await Promise.all([
    query<readonly string[] | null>({
      path: '/cosmos.distribution.v1beta1.Query/DelegationTotalRewards',
      request: QueryDelegationTotalRewardsRequest.encode({ delegatorAddress }).finish(),
      read(answer) {
        const own = QueryDelegationTotalRewardsResponse.decode(answer).rewards.find((each) => each.validatorAddress === validatorAddress)
        return own ? denomsOf(own.reward, 1n) : null
      },
      refused: orNone(() => null),
    }),
    query<readonly string[]>({
      path: '/cosmos.distribution.v1beta1.Query/ValidatorOutstandingRewards',
      request: QueryValidatorOutstandingRewardsRequest.encode({ validatorAddress }).finish(),
      read: (answer) => denomsOf(QueryValidatorOutstandingRewardsResponse.decode(answer).rewards?.rewards ?? [], UNIT),
      refused: orNone(() => []),
    }),
  ])
  return { owed, held }
}

/**
 * Works out the gas of a payout that a simulation did not contain and that the delivery may: rewards are nothing in the block of the last change of a
 * delegation, and less than a unit is not paid yet. Where nothing is owed at present, whatever the validator holds may be in a block's time.
 *
 * @param paid denominations that the simulation paid out
 */
export function unsimulatedGas({ owed, held }: Rewards, paid: readonly string[]): bigint {
  if (owed === null) return 0n
  const missing = (owed.length === 0 ? held : owed).filter((denom) => !paid.includes(denom))
  const gas = missing.reduce((sum, denom) => sum + (denom.startsWith('ibc/') ? IBC_GAS : FURTHER_GAS), 0n)
  // The first denomination of all is the cheaper one.
  return missing.length > 0 && paid.length === 0 ? gas - FURTHER_GAS + FIRST_GAS : gas
}

/** Gas that a payout in all of these denominations can take, for the bound on what a node tells. */
export function payoutGas({ owed, held }: Rewards): bigint {
  return BigInt(new Set([...(owed ?? []), ...held]).size) * IBC_GAS
}

/** Denominations that a simulation paid out to a delegator, by its events. @throws EndpointError for events that are none */
export function paidIn(events: unknown, { delegatorAddress, validatorAddress }: Delegation): readonly string[] {
  return itemsOf(events).flatMap((event) => {
    const { type, attributes } = membersOf(event)
    if (type !== 'withdraw_rewards') return []
    const values = Object.fromEntries(itemsOf(attributes).map((each) => [String(membersOf(each).key), String(membersOf(each).value)]))
    if (values.delegator !== undefined && values.delegator !== delegatorAddress) return []
    if (values.validator !== validatorAddress) return []
    return (values.amount ?? '').split(',').flatMap((coin) => {
      const [, amount = '0', denom = ''] = /^(\d{1,78})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(coin) ?? []
      return BigInt(amount) > 0n ? [denom] : []
    })
  })
}

function denomsOf(coins: readonly { readonly denom: string; readonly amount: string }[], least: bigint): readonly string[] {
  const denoms = coins.flatMap(({ denom, amount }) => {
    const parts = integer(amount)
    units(parts / UNIT)
    return parts >= least ? [denom] : []
  })
  if (new Set(denoms).size < denoms.length) throw malformedAnswer(denoms)
  return denoms
}
