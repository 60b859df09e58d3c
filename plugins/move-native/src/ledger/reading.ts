import { malformedAnswer, nodeBehind } from '@svc/contract'
import type { BookReading } from '@svc/contract/book'
import { readCheckpoint } from '@svc/kit-move'
import { readChainRewards, readTables } from '../chain/inactive-pools.ts'
import { FUNGIBLE_STAKED_SUI, readFungibleStake, readStake, STAKED_SUI } from '../chain/layouts.ts'
import { listOwned, type OwnedObject } from '../chain/objects.ts'
import { rewardOf, suiOf } from '../chain/pool.ts'
import { currentRate } from '../chain/rates.ts'
import { type StakingContext, withNode } from '../network.ts'
import { type RateOf, readTableRates } from './rates.ts'
import { factsOf, type PositionState, type RateTable } from './state.ts'

/** Most that a reward is bounded by where the pool is not in the active set: what its stake earned is in its rates alone. */
const UNBOUNDED = 2n ** 64n

/**
 * Reads all stakes of a wallet at the last checkpoint, which is final. What each stake has earned is worked out from the rates of its pool, and has to be what the chain's own
 * code says. It takes four round trips: where the node is, the objects, the tables of pools outside the active set, and rates.
 *
 * @throws 502, 503, 504
 */
export async function reading(ctx: StakingContext, address: string): Promise<BookReading> {
  // Two endpoints are never at the same checkpoint: where one is, the other has to be too, and more is not compared.
  const { height, epoch, time } = await ctx.client.submit(({ live }) => live)
  if (height === null) throw malformedAnswer({ height }).refusal
  return withNode(ctx, async (node) => {
    const [live, checkpoint, state, stakes, shares] = await Promise.all([
      node.node.live,
      readCheckpoint(node.node, height),
      node.node.systemState(),
      listOwned(node, address, STAKED_SUI),
      listOwned(node, address, FUNGIBLE_STAKED_SUI),
    ])
    if (checkpoint === null || live.height === null || live.height < height) throw nodeBehind(`it has no checkpoint ${height}`)
    if (live.epoch !== epoch || state.epoch !== epoch) throw nodeBehind(`it is in epoch ${live.epoch}`)
    if (checkpoint.epoch !== epoch || checkpoint.time.getTime() !== time.getTime()) throw malformedAnswer({ checkpoint, time })
    const active = new Map(state.validators.map(({ pool }) => [pool.id, pool]))
    const objects = {
      epoch,
      stakes: stakes.map((each) => heldOf(each, readStake)),
      shares: shares.map((each) => heldOf(each, readFungibleStake)),
    }
    const pools = [...new Set([...objects.stakes, ...objects.shares].map(({ pool }) => pool))]
    const inactive = pools.filter((pool) => !active.has(pool))
    const outside = inactive.length === 0 ? new Map<string, string>() : await readTables(node, inactive)
    const tables = new Map(
      pools.map((id): readonly [string, RateTable] => {
        const pool = active.get(id)
        if (pool) return [id, { table: pool.exchangeRatesId, since: pool.activationEpoch ?? epoch + 1n }]
        return [id, { table: outside.get(id) ?? malformed(id), since: 0n }]
      }),
    )
    const position: PositionState = { ...objects, tables }
    const earning = position.stakes.filter(({ activationEpoch }) => activationEpoch <= epoch)
    const places = [
      ...earning.flatMap(({ pool, activationEpoch }) => [
        { pool, epoch: activationEpoch },
        { pool, epoch },
      ]),
      ...position.shares.map(({ pool }) => ({ pool, epoch })),
    ]
    const [rateOf, chainRewards] = await Promise.all([
      readTableRates(node, epoch, tables, places),
      readChainRewards(
        node,
        earning.map(({ id }) => id),
      ),
    ])
    for (const { pool } of position.shares) {
      const one = active.get(pool)
      const [now, other] = [one && currentRate(one), rateOf(pool, epoch)]
      if (now && (now.sui !== other?.sui || now.tokens !== other.tokens)) throw malformedAnswer({ now, other })
    }
    const rewards = earning.reduce((sum, { id, pool, activationEpoch, principal }) => {
      const [at, now, chainReward] = [rateOf(pool, activationEpoch), rateOf(pool, epoch), chainRewards.get(id)]
      const reward = at && now && rewardOf(principal, at, now, active.get(pool)?.rewardsPool ?? UNBOUNDED)
      const isLost = reward === null && !active.has(pool)
      if (chainReward === undefined || (reward !== chainReward && !isLost)) throw malformedAnswer({ id, reward, chainReward })
      return sum + chainReward
    }, 0n)
    return {
      mark: { height, hash: checkpoint.hash, time, epoch: Number(epoch) },
      amounts: amountsOf(position, rewards, rateOf),
      keep: places.some((at) => rateOf(at.pool, at.epoch) === null && !active.has(at.pool)) ? {} : (factsOf(position) ?? {}),
    }
  })
}

function amountsOf({ epoch, stakes, shares }: PositionState, rewards: bigint, rateOf: RateOf): Readonly<Record<string, bigint>> {
  const amounts = new Map<string, bigint>([['rewards', rewards]])
  const add = (key: string, amount: bigint) => amounts.set(key, (amounts.get(key) ?? 0n) + amount)
  for (const { activationEpoch, principal } of stakes) add(activationEpoch > epoch ? 'pending' : 'stake', principal)
  for (const { pool, value } of shares) add(`fungible:${pool}`, value)
  for (const pool of new Set(shares.map((share) => share.pool))) {
    const rate = rateOf(pool, epoch)
    if (rate !== null) add(`fungible_worth:${pool}`, suiOf(rate, amounts.get(`fungible:${pool}`) ?? 0n))
  }
  return Object.fromEntries([...amounts].filter(([, amount]) => amount > 0n))
}

/** @throws EndpointError for the content of another object, or of another layout */
function heldOf<T extends { readonly id: string }>(
  { id, version, content }: OwnedObject,
  layout: (content: Uint8Array | undefined) => T | null,
): T & { readonly version: bigint } {
  const of = layout(content)
  if (of === null || of.id !== id) throw malformedAnswer({ id, of })
  return { ...of, version: BigInt(version) }
}

function malformed(cause: unknown): never {
  throw malformedAnswer(cause)
}
