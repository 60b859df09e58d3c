import type { Balance } from '@svc/contract'
import { EPOCH_BLOCKS } from '@svc/kit-evm/monad'
import { askAll, askEpoch } from './chain/staking.ts'
import type { StakingContext } from './network.ts'

/**
 * Returns the time at which the next slot is free, or waiting stake becomes active, estimated by the pace of epochs: the present one may have just begun, so that it counts
 * in full. Stake that was delegated in the last part of an epoch waits for one epoch more.
 *
 * @throws 502, 503, 504
 */
export async function due(ctx: StakingContext, _address: string, { activating, objects }: Balance): Promise<Date | null> {
  const releases = (objects ?? []).flatMap(({ status, withdrawableEpoch: epoch }) =>
    status === 'deactivating' && epoch !== null ? [epoch] : [],
  )
  if (releases.length === 0 && (activating ?? 0n) === 0n) return null
  const [epoch] = await askAll(ctx, [askEpoch(ctx.network)])
  const epochs = Math.min(...releases.map((release) => Math.max(1, release - Number(epoch))), ...(activating ? [1] : []))
  return new Date(ctx.now().getTime() + epochs * EPOCH_BLOCKS * ctx.network.block_seconds * 1000)
}
