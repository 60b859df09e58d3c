import { type Balance, EndpointError, malformedAnswer, type StakedObject } from '@svc/contract'
import { move, type PoolState, type SystemState } from '@svc/kit-move'
import { type InactivePools, readInactivePools } from './chain/inactive-pools.ts'
import {
  FUNGIBLE_STAKED_SUI,
  type FungibleStake,
  fungibleDataId,
  readFungibleData,
  readFungibleStake,
  readStake,
  STAKED_SUI,
  type Stake,
} from './chain/layouts.ts'
import { type Content, listOwned, type OwnedObject, readContents } from './chain/objects.ts'
import { redemptionOf, rewardOf, suiOf } from './chain/pool.ts'
import { currentRate, type PoolAt, type Rates, rateKey, readRates } from './chain/rates.ts'
import { listsEvents } from './chain/stakes-made.ts'
import { digestOf, MOST_OBJECTS } from './digests.ts'
import { type Reading, type StakingContext, withNode } from './network.ts'

/**
 * Reads every position of an address, with any validator. It takes one wave for an address without positions, else two; all of it comes from one endpoint, or by the word
 * of two.
 *
 * @throws 502, 503, 504
 */
export async function balance(ctx: StakingContext, address: string): Promise<Balance> {
  let partly: Balance | undefined
  // What neither of two can read they have to leave out alike; what one of them alone cannot read is no answer, and never taken from that one.
  const isAgreed = (ctx.upstream(move.endpoints)?.agreement ?? 1) > 1
  try {
    return await withNode(ctx, async (reading) => {
      const { found: position, whole } = await positions(reading, address)
      if (whole || isAgreed) return position
      // What this endpoint cannot read another one may; where none can, the rest of it is still worth to be known.
      partly ??= position
      throw new EndpointError('malformed', malformedAnswer().refusal, { partial: true })
    })
  } catch (error) {
    if (partly === undefined) throw error
    return partly
  }
}

/** @returns `whole`: nothing was there that could not be read */
async function positions(ctx: Reading, address: string): Promise<{ readonly found: Balance; readonly whole: boolean }> {
  const [state, stakes, shares] = await Promise.all([
    ctx.node.systemState(),
    listOwned(ctx, address, STAKED_SUI),
    listOwned(ctx, address, FUNGIBLE_STAKED_SUI),
  ])
  const own = read(stakes, readStake)
  // It may begin to count in the epoch after the next one, where the epoch has ended between two answers.
  if (own.some(({ of }) => of !== null && of.activationEpoch > state.epoch + 2n)) throw malformedAnswer(own)
  const { objects, whole } = await valued(ctx, state, own, read(shares, readFungibleStake))
  const sum = (status: StakedObject['status']) =>
    objects.reduce((total, object) => (object.status === status ? total + (object.amount ?? 0n) : total), 0n)
  const isTold = whole && stakes.length + shares.length <= MOST_OBJECTS && listsEvents(ctx)
  const digest = isTold ? { digest: digestOf([...stakes, ...shares]) } : {}
  const position: Balance = {
    ...digest,
    staked: sum('active'),
    activating: sum('activating'),
    deactivating: null,
    withdrawing: null,
    rewards: objects.reduce<bigint | null>((total, { rewards }) => (total === null || rewards === null ? null : total + rewards), 0n),
    objects,
    // Whoever has an object alone decides over it, and those of other owners are not listed.
    control: [],
  }
  return { found: position, whole }
}

/** A position as it was read; null when it is of another layout. */
interface Position<T> {
  readonly id: string
  readonly of: T | null
}

/** A position that could be read. */
interface Readable<T> extends Position<T> {
  readonly of: T
}

/** Readings of the chain by which positions are valued. */
interface ChainReading {
  readonly state: SystemState
  /** Active set by the id of its pools. */
  readonly active: ReadonlyMap<string, { readonly address: string; readonly pool: PoolState }>
  readonly rates: Rates
  readonly contents: ReadonlyMap<string, Content>
  readonly inactive: InactivePools
}

async function valued(
  ctx: Reading,
  state: SystemState,
  stakes: readonly Position<Stake>[],
  shares: readonly Position<FungibleStake>[],
): Promise<{ readonly objects: StakedObject[]; readonly whole: boolean }> {
  const active = new Map(state.validators.map((validator) => [validator.pool.id, validator]))
  const [staked, shared] = [readable(stakes), readable(shares)]
  const earning = staked.filter(({ of }) => of.activationEpoch <= state.epoch)
  const isInactive = ({ of }: Readable<Stake | FungibleStake>) => !active.has(of.pool)
  const [rates, contents, inactive] = await Promise.all([
    readRates(
      ctx,
      state.epoch,
      earning.flatMap(({ of }) => rateOf(active.get(of.pool)?.pool, of)),
    ),
    readContents(
      ctx,
      shared.flatMap(({ of }) => dataOf(active.get(of.pool)?.pool)),
    ),
    readInactivePools(ctx, {
      pools: [...staked, ...shared].filter(isInactive).map(({ of }) => of.pool),
      stakes: earning.filter(isInactive).map(({ id }) => id),
      shares: shared.filter(isInactive).map(({ id }) => id),
    }),
  ])
  const reading = { state, active, rates, contents, inactive }
  const unread = [...rates.values()].includes(null) || [...contents.values()].includes('unreadable')
  const whole = !unread && [...stakes, ...shares].every(({ of }) => of !== null)
  return {
    objects: [...stakes.map((stake) => stakeObject(stake, reading)), ...shares.map((share) => fungibleObject(share, reading))],
    whole,
  }
}

function stakeObject({ id, of: stake }: Position<Stake>, { state, active, rates, inactive }: ChainReading): StakedObject {
  if (stake === null) return unreadable(id)
  const { pool: poolId, principal, activationEpoch } = stake
  const validator = active.get(poolId)
  const shared = { ...common(id), amount: principal, activationEpoch: Number(activationEpoch) }
  const of = validator?.address ?? inactive.validators.get(poolId) ?? null
  if (activationEpoch > state.epoch) return { ...shared, status: 'activating', rewards: 0n, validator: of }
  if (!validator) return { ...shared, status: 'active', rewards: inactive.rewards.get(id) ?? null, validator: of }
  const { pool } = validator
  const at = rates.get(rateKey({ pool, epoch: activationEpoch }))
  return { ...shared, status: 'active', rewards: at ? rewardOf(principal, at, currentRate(pool), pool.rewardsPool) : null, validator: of }
}

function fungibleObject({ id, of: share }: Position<FungibleStake>, { active, contents, inactive }: ChainReading): StakedObject {
  if (share === null) return unreadable(id)
  const validator = active.get(share.pool)
  // Which part of a payout is principal is not known outside the active set; the whole of it can be had.
  if (!validator) {
    const amount = inactive.payouts.get(id) ?? null
    const of = inactive.validators.get(share.pool) ?? null
    return { ...common(id), status: amount === null ? 'unknown' : 'active', amount, rewards: null, validator: of }
  }
  const content = contents.get(fungibleDataId(validator.pool.extraFieldsId))
  const data = content instanceof Uint8Array ? readFungibleData(content) : null
  const rate = currentRate(validator.pool)
  const worth = suiOf(rate, share.value)
  // What other owners redeem and add changes how much of its worth is principal; the worth itself only rises.
  const shared = { ...common(id), status: 'active', holds: worth, validator: validator.address } as const
  if (data === null || data.supply === 0n) return { ...shared, amount: worth, rewards: null }
  const { principal, reward } = redemptionOf(share.value, rate, data)
  return { ...shared, amount: principal, rewards: reward }
}

/** Returns the members that are never known of a position here: it can be withdrawn at any time. */
function common(id: string) {
  return { id, type: 'delegation', activationEpoch: null, withdrawableEpoch: null, withdrawableAt: null } as const
}

function unreadable(id: string): StakedObject {
  return { ...common(id), status: 'unknown', amount: null, rewards: null, validator: null }
}

/** @throws EndpointError for the content of another object */
function read<T extends { readonly id: string }>(
  owned: readonly OwnedObject[],
  layout: (content: Uint8Array | undefined) => T | null,
): Position<T>[] {
  return owned.map(({ id, content }) => {
    const of = layout(content)
    if (of !== null && of.id !== id) throw malformedAnswer({ id, of })
    return { id, of }
  })
}

function readable<T>(positions: readonly Position<T>[]): readonly Readable<T>[] {
  return positions.flatMap(({ id, of }) => (of === null ? [] : [{ id, of }]))
}

function rateOf(pool: PoolState | undefined, { activationEpoch }: Stake): PoolAt[] {
  return pool ? [{ pool, epoch: activationEpoch }] : []
}

function dataOf(pool: PoolState | undefined): string[] {
  return pool ? [fungibleDataId(pool.extraFieldsId)] : []
}
