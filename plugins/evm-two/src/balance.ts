import { type Balance, type PositionPart, positionOf } from '@svc/contract'
import { readDelegate, walletPowers, withDelegate } from '@svc/kit-evm'
import { type Position, readPositions } from './chain/position.ts'
import type { Exit } from './chain/staking.ts'
import type { StakingContext } from './network.ts'

/** Reads an address's records with the operator's pool and the former ones. Their parts have no identifiers, so that there are no objects. @throws 502 when one cannot be read */
export async function balance(ctx: StakingContext, address: string): Promise<Balance> {
  const [positions, delegate] = await Promise.all([readPositions(ctx, address), readDelegate(ctx.client, address)])
  return {
    ...positionOf(
      positions.map((position, index) => partOf(position, index > 0)),
      null,
    ),
    control: walletPowers(delegate),
    digest: withDelegate(positions.map(({ digest }) => digest).join('|'), delegate),
  }
}

/** Puts what lies with one pool into the buckets. */
function partOf({ pool, active, waiting, exits, epoch, rewards }: Position, isFormer: boolean): PositionPart {
  const sum = (predicate: (exit: Exit) => boolean) => exits.filter(predicate).reduce((total, { amount }) => total + amount, 0n)
  return {
    validator: pool,
    isFormer,
    staked: active,
    activating: waiting,
    deactivating: sum(({ unlockEpoch }) => epoch < unlockEpoch),
    withdrawing: sum(({ unlockEpoch }) => epoch >= unlockEpoch),
    rewards,
  }
}
