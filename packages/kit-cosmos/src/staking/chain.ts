import { defineMemo, EndpointError, malformedAnswer, requireSent } from '@svc/contract'
import type { StakeShare } from '@svc/contract/control'
import { QueryDelegationTotalRewardsRequest, QueryDelegationTotalRewardsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import {
  QueryDelegationRequest,
  QueryDelegationResponse,
  QueryParamsRequest,
  QueryParamsResponse,
  QueryUnbondingDelegationRequest,
  QueryUnbondingDelegationResponse,
  QueryValidatorRequest,
  QueryValidatorResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { BondStatus, type Params } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { amountOf, integer, orNone, partsOf, share, timeOf, units } from '../answer.ts'
import { badGateway } from '../codes.ts'
import type { StakingContext } from './network.ts'
import { emptyingAmount } from './shares.ts'

/** Scale of the SDK's fixed-point numbers. @see https://pkg.go.dev/cosmossdk.io/math#LegacyPrecision (read 2026-11-21) */
export const DEC_SCALE = 10n ** 18n
/** Time for which the parameters of x/staking are taken for unchanged: governance needs days to change them. */
const PARAMS_MS = 3_600_000
/** A year: no chain of the family unbonds for longer than some weeks. @see https://github.com/cosmos/chain-registry (read 2026-11-22) */
const LONGEST_UNBONDING = 31_536_000n

/** A validator. Amounts in base units. */
export interface Validator {
  readonly tokens: bigint
  /** Shares times `DEC_SCALE`; more than the tokens once it was slashed. */
  readonly shares: bigint
  readonly jailed: boolean
  /** True if the validator is in the active set. */
  readonly bonded: boolean
  /** Share of the rewards, times `DEC_SCALE`. */
  readonly commission: bigint
  /** Its consensus key, Ed25519, 32 bytes; null when it has another form. */
  readonly consensusKey: Uint8Array | null
}

/** Tells whether stake with a validator earns rewards. The actions and the shown rate use this one rule. */
export function earns({ bonded, jailed }: Pick<Validator, 'bonded' | 'jailed'>): boolean {
  return bonded && !jailed
}

/**
 * Reads the operator's validator. One that the chain does not know is a wrong setting, which is noticed at start and by `svc check`; later it is treated as a fault of the
 * node.
 *
 * @throws 502 VALIDATOR_UNKNOWN, 502, 503, 504
 */
export async function readValidator(ctx: StakingContext): Promise<Validator> {
  const { validator, chainId } = ctx.network
  return findValidator(ctx, validator, () => {
    throw new EndpointError(
      'no answer',
      badGateway(
        'VALIDATOR_UNKNOWN',
        `The chain's node does not know ${validator} as a validator of ${chainId}; if that lasts, the operator has to mend that setting.`,
      ),
    )
  })
}

/**
 * Reads a validator.
 *
 * @param none makes the result when the chain does not know it
 * @throws 502, 503, 504
 */
export async function findValidator<N>(ctx: StakingContext, validatorAddr: string, none: () => N): Promise<Validator | N> {
  return ctx.client.query<Validator | N>({
    path: '/cosmos.staking.v1beta1.Query/Validator',
    request: QueryValidatorRequest.encode({ validatorAddr }).finish(),
    read(answer) {
      const { validator } = QueryValidatorResponse.decode(answer)
      const { operatorAddress, tokens, delegatorShares, jailed, status, commission, consensusPubkey } = requireSent(validator)
      if (operatorAddress !== validatorAddr) throw malformedAnswer(operatorAddress)
      // An Ed25519 PubKey message: field 1, 32 bytes.
      const key = consensusPubkey?.value
      return {
        tokens: integer(tokens),
        shares: integer(delegatorShares),
        jailed,
        bonded: status === BondStatus.BOND_STATUS_BONDED,
        commission: share(commission?.commissionRates?.rate),
        consensusKey: key?.length === 34 && key[0] === 0x0a ? key.subarray(2) : null,
      }
    },
    refused: orNone(none),
  })
}

/** Delegation of an address to a validator. */
interface Delegation {
  /** Its present worth as the chain tells it, in base units. */
  readonly worth: bigint
  /** Times `DEC_SCALE`. */
  readonly shares: bigint
}

const NO_DELEGATION: Delegation = { worth: 0n, shares: 0n }

/** Reads an address's delegation to a validator, with its present worth in a denom. */
export async function readDelegation(
  ctx: StakingContext,
  denom: string,
  delegatorAddr: string,
  validatorAddr: string,
): Promise<Delegation> {
  return ctx.client.query<Delegation>({
    path: '/cosmos.staking.v1beta1.Query/Delegation',
    request: QueryDelegationRequest.encode({ delegatorAddr, validatorAddr }).finish(),
    read(answer) {
      const { delegation, balance } = requireSent(QueryDelegationResponse.decode(answer).delegationResponse)
      const { delegatorAddress, validatorAddress, shares } = requireSent(delegation)
      if (delegatorAddress !== delegatorAddr || validatorAddress !== validatorAddr) throw malformedAnswer(delegation)
      return { worth: amountOf(balance, denom), shares: partsOf(shares) }
    },
    refused: orNone(() => NO_DELEGATION),
  })
}

/** Stake of an address. */
export interface Stake {
  /** Base units that can be taken out. */
  readonly amount: bigint
  /** True if a rest is left that is worth less than a unit. */
  readonly rest: boolean
  /** Stake in shares; null where nothing tells the worth of a share. */
  readonly share: StakeShare | null
}

/**
 * Reads the stake of an address with a validator: the amount whose exit empties the delegation, else its worth as the chain tells it.
 *
 * A validator that is gone, or was slashed to nothing, has no rate. A rate of another height than the delegation's may differ, so that no amount empties it: then the worth
 * is returned.
 */
export async function readStake(ctx: StakingContext, denom: string, delegatorAddr: string, validatorAddr: string): Promise<Stake> {
  const readPool = () => findValidator(ctx, validatorAddr, () => null)
  const slashes = unequal.get(ctx) ?? new Set()
  const [{ worth, shares }, poolState] = await Promise.all([
    readDelegation(ctx, denom, delegatorAddr, validatorAddr),
    slashes.has(validatorAddr) ? readPool() : undefined,
  ])
  // Where a share is a unit, as before any slash, the worth is what empties it.
  if (shares === worth * DEC_SCALE) return { amount: worth, rest: false, share: { own: shares, tokens: worth, shares } }
  unequal.set(ctx, slashes.add(validatorAddr))
  const pool = poolState === undefined ? await readPool() : poolState
  const emptying = pool && emptyingAmount(worth, shares, pool)
  return { amount: emptying ?? worth, rest: emptying === null, share: pool && { own: shares, tokens: pool.tokens, shares: pool.shares } }
}

/** Validators of which a share was seen not to be a unit: the validator's rate is then asked for at once, and not after the delegation. */
const unequal = defineMemo<Set<string>>()

/** A withdrawal on its way. */
export interface Unbonding {
  /** Number of the exit; 0 for exits from before the chain numbered them. */
  readonly id: bigint
  /** In base units, after slashing. */
  readonly balance: bigint
  /** In base units, before slashing: it is less only where a part of it was cancelled. */
  readonly initial: bigint
  readonly completesAt: Date
}

/** Reads the withdrawals of an address from a validator, in the chain's order. */
export async function readUnbondings(ctx: StakingContext, delegatorAddr: string, validatorAddr: string): Promise<readonly Unbonding[]> {
  return ctx.client.query<readonly Unbonding[]>({
    path: '/cosmos.staking.v1beta1.Query/UnbondingDelegation',
    request: QueryUnbondingDelegationRequest.encode({ delegatorAddr, validatorAddr }).finish(),
    read(answer) {
      const { unbond } = QueryUnbondingDelegationResponse.decode(answer)
      // An answer without content reads as an empty one; the address in it tells the two apart.
      if (unbond.delegatorAddress !== delegatorAddr) throw malformedAnswer(unbond.delegatorAddress)
      const ids = unbond.entries.map(({ unbondingId }) => unbondingId).filter((id) => id > 0n)
      if (new Set(ids).size < ids.length) throw malformedAnswer(ids)
      return unbond.entries.map(({ unbondingId, balance, initialBalance, completionTime }) => ({
        id: unbondingId,
        balance: units(integer(balance)),
        initial: units(integer(initialBalance)),
        completesAt: timeOf(completionTime),
      }))
    },
    refused: orNone(() => []),
  })
}

/** Amount that an address can claim, in whole base units, as the chain pays it out. */
export interface Claimable {
  /** Claimable amount of the chain's token. */
  readonly rewards: bigint
  /** Claimable amounts of other tokens, which anybody can add to a validator's rewards. */
  readonly others: readonly { readonly denom: string; readonly amount: bigint }[]
}

const NOTHING: Claimable = { rewards: 0n, others: [] }

/**
 * Reads the rewards that an address can claim from each of the given validators.
 *
 * It asks the question over all validators, because the one over a single validator is refused where nothing is delegated, and a chain may owe rewards from before; and it
 * reads the entries, not the total, which on some chains leaves those out.
 *
 * @see https://github.com/celestiaorg/CIPs/blob/main/cips/cip-030.md (read 2026-11-21)
 */
export async function readClaimable(
  ctx: StakingContext,
  denom: string,
  delegatorAddress: string,
  validators: readonly string[],
): Promise<(validator: string) => Claimable> {
  return ctx.client.query<(validator: string) => Claimable>({
    path: '/cosmos.distribution.v1beta1.Query/DelegationTotalRewards',
    request: QueryDelegationTotalRewardsRequest.encode({ delegatorAddress }).finish(),
    read(answer) {
      const { rewards } = QueryDelegationTotalRewardsResponse.decode(answer)
      const claimable = new Map(
        validators.map((validator): [string, Claimable] => {
          const own = rewards.find(({ validatorAddress }) => validatorAddress === validator)
          const coins = (own?.reward ?? []).map((each) => ({ denom: each.denom, amount: partsOf(each.amount) / DEC_SCALE }))
          return [
            validator,
            {
              rewards: units(coins.find((each) => each.denom === denom)?.amount ?? 0n),
              others: coins.filter((each) => each.denom !== denom && each.amount > 0n),
            },
          ]
        }),
      )
      return (validator) => claimable.get(validator) ?? NOTHING
    },
  })
}

/** Parameters of x/staking, and until when they count, in milliseconds. */
const stakingParams = defineMemo<{ readonly params: Params; readonly until: number }>()

/** Reads the parameters of x/staking, remembered for an hour unless a fresh reading is demanded. @throws 502, 503, 504 */
export async function readStakingParams(ctx: StakingContext, { afresh = false } = {}): Promise<Params> {
  const entry = stakingParams.get(ctx)
  if (!afresh && entry && ctx.now().getTime() < entry.until) return entry.params
  const params = await ctx.client.query({
    path: '/cosmos.staking.v1beta1.Query/Params',
    request: QueryParamsRequest.encode({}).finish(),
    read(answer) {
      const { params } = QueryParamsResponse.decode(answer)
      const { seconds } = params.unbondingTime
      // A chain from before the parameter tells none.
      if (params.minCommissionRate !== '') share(params.minCommissionRate)
      if (params.bondDenom === '' || params.maxEntries < 1 || seconds < 0n || seconds > LONGEST_UNBONDING) throw malformedAnswer(params)
      return params
    },
  })
  stakingParams.set(ctx, { params, until: ctx.now().getTime() + PARAMS_MS })
  return params
}
