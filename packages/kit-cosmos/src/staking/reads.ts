import { ServiceError } from '@svc/contract'
import type { Params } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { BondStatus } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { answer, answerOrNone, integer, present } from '../answer.ts'
import { malformed } from '../rpc.ts'
import type { StakingContext } from './network.ts'

/** Scale of the SDK's fixed-point numbers. @see https://pkg.go.dev/cosmossdk.io/math#LegacyPrecision (read 2026-11-21) */
export const DEC_SCALE = 10n ** 18n
/** How long the parameters of x/staking are taken for unchanged: governance needs days to change them. */
const PARAMS_MS = 3_600_000

/** The operator's validator. Amounts in base units. */
export interface Validator {
  readonly tokens: bigint
  /** Shares times `DEC_SCALE`; more than the tokens once it was slashed. */
  readonly shares: bigint
  readonly jailed: boolean
  /** In the active set. */
  readonly bonded: boolean
  /** Share of the rewards, times `DEC_SCALE`. */
  readonly commission: bigint
  /** Its consensus key, Ed25519, 32 bytes; null when it has another form. */
  readonly consensusKey: Uint8Array | null
}

/** @throws 500 VALIDATOR_UNKNOWN: it is a setting; 502, 503, 504 */
export async function readValidator(ctx: StakingContext): Promise<Validator> {
  const { validator: validatorAddr } = ctx.network
  const found = await answerOrNone(ctx.client.staking.Validator({ validatorAddr }))
  if (found === undefined) {
    throw new ServiceError(
      500,
      'VALIDATOR_UNKNOWN',
      `${validatorAddr} is not a validator of ${ctx.network.chainId}; the operator has to mend that setting.`,
    )
  }
  const { tokens, delegatorShares, jailed, status, commission, consensusPubkey } = present(found.validator)
  // An Ed25519 PubKey message: field 1, 32 bytes.
  const key = consensusPubkey?.value
  return {
    tokens: integer(tokens),
    shares: integer(delegatorShares),
    jailed,
    bonded: status === BondStatus.BOND_STATUS_BONDED,
    commission: integer(commission?.commissionRates?.rate),
    consensusKey: key?.length === 34 && key[0] === 0x0a ? key.subarray(2) : null,
  }
}

/** What an address has delegated to the operator's validator, in base units, by its present worth. */
export async function readDelegation(ctx: StakingContext, delegatorAddr: string): Promise<bigint> {
  const found = await answerOrNone(ctx.client.staking.Delegation({ delegatorAddr, validatorAddr: ctx.network.validator }))
  return found === undefined ? 0n : integer(present(found.delegationResponse).balance?.amount)
}

/** A withdrawal on its way. */
export interface Unbonding {
  /** 0 for those from before the chain numbered them. */
  readonly id: bigint
  /** In base units, after slashing. */
  readonly balance: bigint
  readonly completesAt: Date
}

/** Withdrawals of an address from the operator's validator, in the chain's order. */
export async function readUnbondings(ctx: StakingContext, delegatorAddr: string): Promise<readonly Unbonding[]> {
  const found = await answerOrNone(ctx.client.staking.UnbondingDelegation({ delegatorAddr, validatorAddr: ctx.network.validator }))
  if (found === undefined) return []
  const { unbond } = found
  // An answer without content reads as an empty one; the address in it tells the two apart.
  if (unbond.delegatorAddress !== delegatorAddr) throw malformed()
  return unbond.entries.map(({ unbondingId, balance, completionTime }) => ({
    id: unbondingId,
    balance: integer(balance),
    completesAt: new Date(Number(completionTime.seconds) * 1000 + Math.floor(completionTime.nanos / 1_000_000)),
  }))
}

/**
 * Claimable rewards of an address with the operator's validator, in whole base units, as the chain pays them out.
 *
 * The question over all validators is asked because the one over a single validator is refused where nothing is delegated, and a chain may
 * owe rewards from before; and the entry is read, not the total, which on some chains leaves those out.
 *
 * @see https://github.com/celestiaorg/CIPs/blob/main/cips/cip-030.md (read 2026-11-21)
 */
export async function readRewards(ctx: StakingContext, denom: string, delegatorAddress: string): Promise<bigint> {
  const { rewards } = await answer(ctx.client.distribution.DelegationTotalRewards({ delegatorAddress }))
  const own = rewards.find(({ validatorAddress }) => validatorAddress === ctx.network.validator)
  const coin = own?.reward.find((each) => each.denom === denom)
  return coin === undefined ? 0n : integer(coin.amount) / DEC_SCALE
}

/** Parameters of x/staking, remembered for an hour. */
export async function readStakingParams(ctx: StakingContext): Promise<Params> {
  const known = ctx.memo.get('staking-params') as { readonly params: Params; readonly until: number } | undefined
  if (known && ctx.now().getTime() < known.until) return known.params
  const { params } = await answer(ctx.client.staking.Params({}))
  if (params.bondDenom === '') throw malformed()
  ctx.memo.set('staking-params', { params, until: ctx.now().getTime() + PARAMS_MS })
  return params
}
