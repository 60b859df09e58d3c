import type { Balance } from '@svc/contract'
import { assignedTo, walletPowers } from '@svc/kit-svm'
import { tokenAccountOf } from './chain/derived-addresses.ts'
import { heldOf, readPoolState } from './chain/pool-state.ts'
import { lamportsFor } from './chain/price.ts'
import { readTokenAccount, tokenPowers } from './chain/token-account.ts'
import { digestOf } from './digests.ts'
import { type LiquidContext, poolOf } from './network.ts'

/** Reads the worth of an address's pool tokens before any fee, and the powers that others have over them, in one call. @throws 502 POOL_UNREADABLE; 502, 503, 504 */
export async function balance(ctx: LiquidContext, address: string): Promise<Balance> {
  const own = poolOf(ctx.network)
  const state = await readPoolState(ctx, [tokenAccountOf(address, own).toBase58(), address])
  const [tokens = null, wallet = null] = state.others
  const account = readTokenAccount(tokens, own.tokenProgram)
  return {
    staked: lamportsFor(heldOf(state, address, own), state.record),
    activating: null,
    deactivating: null,
    withdrawing: null,
    rewards: null,
    objects: null,
    control: [...tokenPowers(account, address), ...walletPowers(wallet)],
    digest: digestOf(account, address, assignedTo(wallet)),
  }
}
