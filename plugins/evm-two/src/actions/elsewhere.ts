import type { Elsewhere } from '@svc/contract'
import { type Position, readPosition } from '../chain/position.ts'
import { poolsOf, type StakingContext } from '../network.ts'
import { pros } from './refusals.ts'

/** Lists what an address has with the operator's other pools, in a round trip of its own where there are any. @param amountOf wei of the kind that was asked for */
export async function elsewhere(
  ctx: StakingContext,
  here: string,
  address: string,
  amountOf: (position: Position) => bigint,
): Promise<readonly Elsewhere[]> {
  const others = poolsOf(ctx.network).filter((pool) => pool !== here)
  const positions = await Promise.all(others.map((pool) => readPosition(ctx, pool, address)))
  return positions.flatMap((position) => {
    const amount = amountOf(position)
    return amount > 0n ? [{ validator: position.pool, text: pros(amount) }] : []
  })
}
