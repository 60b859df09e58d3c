import type { Balance } from '@svc/contract'
import { readPosition } from './chain/position.ts'
import type { Exit } from './chain/staking.ts'
import type { StakingContext } from './network.ts'

/** An address's record with the operator's pool. It has no parts with identifiers, so there are no objects. @throws 502 when it cannot be read */
export async function balance(ctx: StakingContext, address: string): Promise<Balance> {
  const { active, waiting, exits, epoch, rewards, digest } = await readPosition(ctx, address)
  const sum = (predicate: (exit: Exit) => boolean) => exits.filter(predicate).reduce((total, { amount }) => total + amount, 0n)
  return {
    staked: active,
    activating: waiting,
    deactivating: sum(({ unlockEpoch }) => epoch < unlockEpoch),
    withdrawing: sum(({ unlockEpoch }) => epoch >= unlockEpoch),
    rewards,
    objects: null,
    digest,
  }
}
