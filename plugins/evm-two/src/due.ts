import { askEpochSeconds } from './chain/parameters.ts'
import { readPositions } from './chain/position.ts'
import { askAll } from './chain/staking.ts'
import type { StakingContext } from './network.ts'

/**
 * Returns the time at which the next exit is paid, or waiting stake becomes active, estimated by the length of an epoch; the present one may have just begun. An epoch ends
 * only when the chain's own sender ends it, so that the position is read again at that time.
 *
 * @throws 502, 503, 504
 */
export async function due(ctx: StakingContext, address: string): Promise<Date | null> {
  const [positions, [seconds]] = await Promise.all([readPositions(ctx, address), askAll(ctx, [askEpochSeconds(ctx.network)])])
  const coming = positions.flatMap(({ epoch, waiting, activation, exits }) =>
    [...exits.map(({ unlockEpoch }) => unlockEpoch), ...(waiting > 0n ? [activation] : [])]
      .filter((each) => each > epoch)
      .map((each) => Number(each - epoch)),
  )
  if (coming.length === 0) return null
  const epochs = Math.min(...coming)
  return new Date(ctx.now().getTime() + epochs * seconds * 1000)
}
