import type { Balance } from '@svc/contract'
import { askAll, askBalance } from './chain.ts'
import type { SavingsContext } from './network.ts'

/** Savings of an address, interest included. They are one sum, paid in and out at once: no other bucket applies, and there are no objects. */
export async function balance(ctx: SavingsContext, address: string): Promise<Balance> {
  const [staked] = await askAll(ctx, [askBalance(ctx.network, address)])
  return { staked, activating: null, deactivating: null, withdrawing: null, rewards: null, objects: null }
}
