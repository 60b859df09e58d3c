import type { Balance } from '@svc/contract'
import { tokenAccountOf } from './chain/derived-addresses.ts'
import { heldOf, readPoolState } from './chain/pool-state.ts'
import { lamportsFor } from './chain/price.ts'
import { type LiquidContext, poolOf } from './network.ts'

/** Reads the worth of an address's pool tokens before any fee. @throws 502 POOL_UNREADABLE; 502, 503, 504 */
export async function balance(ctx: LiquidContext, address: string): Promise<Balance> {
  const own = poolOf(ctx.network)
  const state = await readPoolState(ctx, [tokenAccountOf(address, own).toBase58()])
  return {
    staked: lamportsFor(heldOf(state, address, own), state.record),
    activating: null,
    deactivating: null,
    withdrawing: null,
    rewards: null,
    objects: null,
  }
}
