import type { Balance } from '@svc/contract'
import { readAccount } from './chain.ts'
import { BLOCK_SECONDS } from './kit/index.ts'
import type { PoolContext } from './network.ts'

/** Blocks of an epoch. @see near/nearcore epoch_configs/mainnet/85.json (read 2026-11-23) */
export const EPOCH_BLOCKS = 43_200n
/** Seconds after the expected end of an epoch at which a position is looked at: blocks may be slower. */
const LATE = 120

/** The position of an account: rewards are added to the stake. */
export async function balance(ctx: PoolContext, address: string): Promise<Balance> {
  const { staked, unstaked, isFree } = await readAccount(ctx, address)
  return {
    staked,
    activating: null,
    deactivating: isFree ? 0n : unstaked,
    withdrawing: isFree ? unstaked : 0n,
    rewards: null,
    objects: null,
  }
}

/** Tells when a position changes next by itself: in which epoch it is free the pool tells nobody, so at the end of this one. */
export async function due({ client, now }: PoolContext, _address: string, { deactivating }: Balance): Promise<Date | null> {
  if (deactivating === null || deactivating === 0n) return null
  const [{ epochStart }, head] = await Promise.all([client.validators(), client.block()])
  const end = epochStart + EPOCH_BLOCKS
  const left = head !== null && end > head.height ? Number(end - head.height) : 0
  return new Date(now().getTime() + (left * BLOCK_SECONDS + LATE) * 1000)
}
