import { itemsOf, malformedAnswer, membersOf } from '@svc/contract'
import {
  QueryCommunityPoolRequest,
  QueryCommunityPoolResponse,
  QueryDelegationTotalRewardsRequest,
  QueryDelegationTotalRewardsResponse,
  QueryValidatorOutstandingRewardsRequest,
  QueryValidatorOutstandingRewardsResponse,
} from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { orNone, partsOf } from './answer.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'

/** Delegator and validator of a delegation whose rewards a transaction pays out, besides its other effects. */
export interface Delegation {
  readonly delegatorAddress: string
  readonly validatorAddress: string
}

/** A sum of rewards in one denomination. */
export interface OwedReward {
  readonly denom: string
  /** Base units times `UNIT`. */
  readonly parts: bigint
}

/** Rewards that can be paid out. */
export interface Rewards {
  /** Rewards that the delegator is owed with that validator, even if less than a unit; null where the chain has no such delegation. */
  readonly owed: readonly OwedReward[] | null
  /** Denominations held for all delegators of that validator, at least a unit. */
  readonly held: readonly string[]
  /** Bytes of the community pool, where a payout alone writes it; null on other chains. */
  readonly poolBytes: number | null
}

/** Scale of the SDK's fixed-point numbers. @see https://pkg.go.dev/cosmossdk.io/math#LegacyPrecision (read 2026-11-21) */
export const UNIT = 10n ** 18n

/**
 * Gas of a payout that a simulation does not contain: of each denomination, of each character of its name, since every record of rewards has the name in it, and what
 * the first one takes less, with what the payout itself takes.
 *
 * Measured on gaiad v29 on 2026-11-28, a stake, a claim and an exit with one and three new ones: 18,537 to 18,547 of a name of six characters, 34,543 to 34,615 of one of
 * 68, as IBC makes them, and 50,286 to 50,359 of one of 128. 14,200 to 15,900 of the first, there and on celestia-appd v6.2.5 on 2026-11-23.
 */
const DENOM_GAS = 18_000n
const FIRST_LESS = 3_600n
const CHARACTER_GAS = 266n

/** Characters of a denomination that came by IBC: `ibc/` and a SHA-256 in hexadecimal. @see https://docs.cosmos.network/ibc/latest/architecture/adr-001-coin-source-tracing (read 2026-11-28) */
const IBC_NAME = 68

/** Denominations for which there is room besides those that the validator holds: anybody can deposit rewards in others until the block, for a fee of his own. */
const NEW_DENOMS = 3n

/** Names of denominations, of 128 characters at most. @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/types/coin.go (reDnmString; read 2026-11-28) */
const NAME = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/

/**
 * Gas of reading and writing the community pool: flat, and for each of its bytes.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/store/types/gas.go (KVGasConfig: 1,000 and 3 a byte read, 2,000 and 30 a byte written; read 2026-11-25)
 * and x/distribution/keeper/delegation.go, line 448 (sendCoinsToDestination; read 2026-11-25)
 */
const POOL_GAS = 3_000n
const POOL_BYTE_GAS = 33n
/** Largest pool that a node is believed: some 600 denominations of IBC at 100 bytes each, with which a transaction takes two million gas, 0.011 ATOM at the Hub's least price. */
const MOST_POOL_BYTES = 65_536

/** Reads the denominations in which rewards can be paid out; in the same wave as the preflight. @throws 502, 503, 504 */
export async function readRewardDenoms(
  { poolWithPayout = false }: CosmosChain,
  { query }: CosmosClient,
  { delegatorAddress, validatorAddress }: Delegation,
): Promise<Rewards> {
  const [owed, holdings, poolBytes] = await Promise.all([
    query<readonly OwedReward[] | null>({
      path: '/cosmos.distribution.v1beta1.Query/DelegationTotalRewards',
      request: QueryDelegationTotalRewardsRequest.encode({ delegatorAddress }).finish(),
      read(answer) {
        const own = QueryDelegationTotalRewardsResponse.decode(answer).rewards.find((each) => each.validatorAddress === validatorAddress)
        return own ? owedOf(own.reward).filter(({ parts }) => parts > 0n) : null
      },
      refused: orNone(() => null),
    }),
    query<readonly string[]>({
      path: '/cosmos.distribution.v1beta1.Query/ValidatorOutstandingRewards',
      request: QueryValidatorOutstandingRewardsRequest.encode({ validatorAddress }).finish(),
      read: (answer) =>
        owedOf(QueryValidatorOutstandingRewardsResponse.decode(answer).rewards?.rewards ?? []).flatMap(({ denom, parts }) =>
          parts >= UNIT ? [denom] : [],
        ),
      refused: orNone(() => []),
    }),
    poolWithPayout
      ? query<number>({
          path: '/cosmos.distribution.v1beta1.Query/CommunityPool',
          request: QueryCommunityPoolRequest.encode({}).finish(),
          read(answer) {
            if (answer.length > MOST_POOL_BYTES)
              throw malformedAnswer(`a community pool of ${answer.length} bytes, above ${MOST_POOL_BYTES}`)
            owedOf(QueryCommunityPoolResponse.decode(answer).pool)
            // The answer is written as the chain keeps it: coins in field 1.
            return answer.length
          },
          refused: orNone(() => 0),
        })
      : null,
  ])
  return { owed, held: holdings, poolBytes }
}

/**
 * Computes the gas of a payout that the simulation did not contain and that the delivery may: rewards are nothing in the block of a delegation's last change, and less than
 * a unit is not paid yet. Anything that the validator holds for anybody may be owed to this delegator a block later, since whoever adds to its rewards adds to those of all
 * its delegators.
 *
 * @param simulated denominations that the simulation paid out; null where it computed no rewards. A lost answer on rewards looks like that of an account without a
 *   delegation; a simulation
 *   that does compute rewards disproves it.
 */
export function unsimulatedGas({ owed, held: holdings, poolBytes }: Rewards, simulated: readonly string[] | null): bigint {
  if (owed === null && simulated === null) return 0n
  const [names, paid] = [namesOf(owed ?? []), simulated ?? []]
  const missing = [...new Set([...names, ...holdings])].filter((denom) => !paid.includes(denom))
  const gas = missing.reduce((sum, denom) => sum + gasOf(denom.length), 0n)
  if (missing.length === 0 || paid.length > 0) return gas
  // Where something is owed, be it less than a unit, the simulation has written the pool.
  return gas - FIRST_LESS + (names.length === 0 ? poolGas(poolBytes) : 0n)
}

/**
 * Computes additional gas for a few denominations that the validator does not hold yet, in which a stranger can deposit rewards between craft and block. 0 where nothing is
 * paid out.
 *
 * @param simulated as of `unsimulatedGas`
 */
export function newDenomsGas({ owed }: Rewards, simulated: readonly string[] | null): bigint {
  return owed === null && simulated === null ? 0n : NEW_DENOMS * gasOf(IBC_NAME)
}

/** Gas of a further denomination, by the number of characters of its name. */
function gasOf(characters: number): bigint {
  return DENOM_GAS + CHARACTER_GAS * BigInt(characters)
}

/** Computes an upper bound of the gas units for a payout of rewards, against which a node's estimate is checked: each denomination counts at least as if it had come by IBC. */
export function payoutGas(rewards: Rewards): bigint {
  return [...namesIn(rewards)].reduce((sum, { length }) => sum + gasOf(Math.max(length, IBC_NAME)), poolGas(rewards.poolBytes))
}

function poolGas(bytes: number | null): bigint {
  return bytes === null ? 0n : POOL_GAS + POOL_BYTE_GAS * BigInt(bytes)
}

/** Counts the denominations in which rewards can be paid out. */
export function denomsOf(rewards: Rewards): number {
  return namesIn(rewards).size
}

function namesIn({ owed, held: holdings }: Rewards): ReadonlySet<string> {
  return new Set([...namesOf(owed ?? []), ...holdings])
}

/**
 * Reads the denominations that a simulation paid out to a delegator from its events.
 *
 * @returns null where no event says that rewards were reckoned up
 * @throws EndpointError for events that are none
 */
export function paidIn(events: unknown, { delegatorAddress, validatorAddress }: Delegation): readonly string[] | null {
  const payouts = itemsOf(events).flatMap((event) => {
    const { type, attributes } = membersOf(event)
    if (type !== 'withdraw_rewards') return []
    const values = Object.fromEntries(itemsOf(attributes).map((each) => [String(membersOf(each).key), String(membersOf(each).value)]))
    if (values.delegator !== undefined && values.delegator !== delegatorAddress) return []
    if (values.validator !== validatorAddress) return []
    return [values.amount ?? '']
  })
  if (payouts.length === 0) return null
  return payouts.flatMap((amounts) =>
    amounts.split(',').flatMap((coin) => {
      const [, amount = '0', denom = ''] = /^(\d{1,78})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(coin) ?? []
      return BigInt(amount) > 0n ? [denom] : []
    }),
  )
}

function owedOf(coins: readonly { readonly denom: string; readonly amount: string }[]): readonly OwedReward[] {
  const owed = coins.map(({ denom, amount }) => ({ denom, parts: partsOf(amount) }))
  const odd = owed.find(({ denom }) => !NAME.test(denom))
  if (odd) throw malformedAnswer(odd.denom)
  if (new Set(namesOf(owed)).size < owed.length) throw malformedAnswer(namesOf(owed))
  return owed
}

function namesOf(owed: readonly OwedReward[]): readonly string[] {
  return owed.map(({ denom }) => denom)
}
