import type { Balance } from '@svc/contract'
import { placesOf } from './chain.ts'
import type { VouchersContext } from './network.ts'

/** The vouchers of a wallet: what was paid in, and as rewards what has come to them since. */
export async function balance({ client, network }: VouchersContext, address: string): Promise<Balance> {
  const places = await placesOf(client, network.program, address)
  const objects = places.flatMap(({ address: id, voucher }) => {
    if (voucher === null || voucher.holder !== address) return []
    const { principal: amount, lamports } = voucher
    const fixed = { type: 'delegation', status: 'active', validator: null, activationEpoch: null, withdrawableEpoch: null } as const
    return [{ ...fixed, id, amount, rewards: lamports - amount, withdrawableAt: null }]
  })
  return {
    staked: objects.reduce((sum, { amount }) => sum + amount, 0n),
    activating: null,
    deactivating: null,
    withdrawing: null,
    rewards: objects.reduce((sum, { rewards }) => sum + rewards, 0n),
    objects,
  }
}
