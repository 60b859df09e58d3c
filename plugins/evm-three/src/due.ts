import type { Balance } from '@svc/contract'
import { EPOCH_BLOCKS } from '@svc/kit-evm/monad'
import { askAll, askEpoch } from './chain/staking.ts'
import type { StakingContext } from './network.ts'

/**
 * Tells when the next slot is free, or what waits is active: by the pace of epochs, each of which ends later than the last one seen by a whole one at most. Stake
 * that was delegated in the last part of an epoch waits for one more.
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
