import type { Balance } from '@svc/contract'
import { tokensOf } from './chain/accounts.ts'
import { tokenAccountOf } from './chain/derived-addresses.ts'
import { readPoolState } from './chain/pool-state.ts'
import { lamportsFor } from './chain/price.ts'
import { type LiquidContext, poolOf } from './network.ts'

/** What an address's pool tokens are worth before any fee. @throws 502 POOL_UNREADABLE; 502, 503, 504 */
export async function balance(ctx: LiquidContext, address: string): Promise<Balance> {
  const own = poolOf(ctx.network)
  const { record, others } = await readPoolState(ctx, [tokenAccountOf(address, own).toBase58()])
  return {
    staked: lamportsFor(tokensOf(others[0] ?? null, address, own), record),
    activating: null,
    deactivating: null,
    withdrawing: null,
    rewards: null,
    objects: null,
  }
}
