import type { Balance } from '@svc/contract'
import { delegated } from './chain.ts'
import type { MovesContext } from './network.ts'

/** Stake that has moved. What is still with the first validator is not of this protocol. */
export async function balance({ client, network }: MovesContext, address: string): Promise<Balance> {
  const staked = await delegated(client, address, network.target)
  return { staked, activating: null, deactivating: null, withdrawing: null, rewards: null, objects: null }
}
