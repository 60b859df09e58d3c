import type { Balance, StakedObject } from '@svc/contract'
import type { PoolState, SystemState } from '@svc/kit-move'
import {
  FUNGIBLE_STAKED_SUI,
  type FungibleStake,
  fungibleDataId,
  readFungibleData,
  readFungibleStake,
  readStake,
  STAKED_SUI,
  type Stake,
} from './layout.ts'
import type { StakingContext } from './network.ts'
import { type Content, listOwned, type Owned, readContents } from './objects.ts'
import { type Outside, readOutside } from './outside.ts'
import { redemptionOf, rewardOf, suiOf } from './pool.ts'
import { currentRate, type PoolAt, type Rates, rateKey, readRates } from './rates.ts'

/** Every position of an address, with whatever validator. One wave for an address without any, else two. @throws 502, 503, 504 */
export async function balance(ctx: StakingContext, address: string): Promise<Balance> {
  const [state, stakes, shares] = await Promise.all([
    ctx.client.systemState(),
    listOwned(ctx, address, STAKED_SUI),
    listOwned(ctx, address, FUNGIBLE_STAKED_SUI),
  ])
  const objects = await valued(ctx, state, read(stakes, readStake), read(shares, readFungibleStake))
  const sum = (status: StakedObject['status']) =>
    objects.reduce((total, object) => (object.status === status ? total + (object.amount ?? 0n) : total), 0n)
  return {
    staked: sum('active'),
    activating: sum('activating'),
    deactivating: null,
    withdrawing: null,
    rewards: objects.reduce<bigint | null>((total, { rewards }) => (total === null || rewards === null ? null : total + rewards), 0n),
    objects,
  }
}

/** A position as it was read; null when it is of another layout. */
interface Position<T> {
  readonly id: string
  readonly of: T | null
}

/** What is known of the chain when positions are valued. */
interface Known {
  readonly state: SystemState
  /** Active set by the id of its pools. */
  readonly active: ReadonlyMap<string, { readonly address: string; readonly pool: PoolState }>
  readonly rates: Rates
  readonly contents: ReadonlyMap<string, Content>
  readonly outside: Outside
}

async function valued(
  ctx: StakingContext,
  state: SystemState,
  stakes: readonly Position<Stake>[],
  shares: readonly Position<FungibleStake>[],
): Promise<StakedObject[]> {
  const active = new Map(state.validators.map((validator) => [validator.pool.id, validator]))
  const earning = stakes.filter(({ of }) => of !== null && of.activationEpoch <= state.epoch)
  const isOutside = ({ of }: Position<Stake | FungibleStake>) => of !== null && !active.has(of.pool)
  const [rates, contents, outside] = await Promise.all([
    readRates(
      ctx,
      state.epoch,
      earning.flatMap(({ of }) => rateOf(active.get(of!.pool)?.pool, of!)),
    ),
    readContents(
      ctx,
      shares.flatMap(({ of }) => dataOf(of && active.get(of.pool)?.pool)),
    ),
    readOutside(ctx, {
      pools: [...stakes, ...shares].filter(isOutside).map(({ of }) => of!.pool),
      stakes: earning.filter(isOutside).map(({ id }) => id),
      shares: shares.filter(isOutside).map(({ id }) => id),
    }),
  ])
  const known = { state, active, rates, contents, outside }
  return [...stakes.map((stake) => stakeObject(stake, known)), ...shares.map((share) => fungibleObject(share, known))]
}

function stakeObject({ id, of: stake }: Position<Stake>, { state, active, rates, outside }: Known): StakedObject {
  if (stake === null) return unreadable(id)
  const { pool: poolId, principal, activationEpoch } = stake
  const validator = active.get(poolId)
  const shared = { ...common(id), amount: principal, activationEpoch: Number(activationEpoch) }
  const of = validator?.address ?? outside.validators.get(poolId) ?? null
  if (activationEpoch > state.epoch) return { ...shared, status: 'activating', rewards: 0n, validator: of }
  if (!validator) return { ...shared, status: 'active', rewards: outside.rewards.get(id) ?? null, validator: of }
  const { pool } = validator
  const at = rates.get(rateKey({ pool, epoch: activationEpoch }))
  return { ...shared, status: 'active', rewards: at ? rewardOf(principal, at, currentRate(pool), pool.rewardsPool) : null, validator: of }
}

function fungibleObject({ id, of: share }: Position<FungibleStake>, { active, contents, outside }: Known): StakedObject {
  if (share === null) return unreadable(id)
  const validator = active.get(share.pool)
  // Which part of a payout is principal is not known outside the active set; the whole of it can be had.
  if (!validator) {
    const amount = outside.payouts.get(id) ?? null
    const of = outside.validators.get(share.pool) ?? null
    return { ...common(id), status: amount === null ? 'unknown' : 'active', amount, rewards: null, validator: of }
  }
  const content = contents.get(fungibleDataId(validator.pool.extraFieldsId))
  const data = content instanceof Uint8Array ? readFungibleData(content) : null
  const rate = currentRate(validator.pool)
  const shared = { ...common(id), status: 'active', validator: validator.address } as const
  if (data === null || data.supply === 0n) return { ...shared, amount: suiOf(rate, share.value), rewards: null }
  const { principal, reward } = redemptionOf(share.value, rate, data)
  return { ...shared, amount: principal, rewards: reward }
}

/** What is never known of a position here: it can be withdrawn at any time. */
function common(id: string) {
  return { id, type: 'delegation', activationEpoch: null, withdrawableEpoch: null, withdrawableAt: null } as const
}

function unreadable(id: string): StakedObject {
  return { ...common(id), status: 'unknown', amount: null, rewards: null, validator: null }
}

function read<T>(owned: readonly Owned[], layout: (content: Uint8Array | undefined) => T | null): Position<T>[] {
  return owned.map(({ id, content }) => ({ id, of: layout(content) }))
}

function rateOf(pool: PoolState | undefined, { activationEpoch }: Stake): PoolAt[] {
  return pool ? [{ pool, epoch: activationEpoch }] : []
}

function dataOf(pool: PoolState | null | undefined): string[] {
  return pool ? [fungibleDataId(pool.extraFieldsId)] : []
}
