import type { Balance, StakedObject } from '@svc/contract'
import { readSlots, releaseEpoch, SLOTS, type SlotRead } from './chain/slots.ts'
import { askAll, askDelegator } from './chain/staking.ts'
import type { StakingContext } from './network.ts'

/** An address's delegation with the operator's validator and its withdrawal slots. @throws 502 when the delegation cannot be read */
export async function balance(ctx: StakingContext, address: string): Promise<Balance> {
  const [[{ stake, pending, rewards }], slots] = await Promise.all([
    askAll(ctx, [askDelegator(ctx.network, address)]),
    readSlots(ctx, address, 0, SLOTS - 1),
  ])
  const objects = slots.flatMap((read) => objectOf(read, ctx.network.validator_id))
  const sum = (status: StakedObject['status']) =>
    objects.reduce((total, object) => (object.status === status ? total + (object.amount ?? 0n) : total), 0n)
  return { staked: stake, activating: pending, deactivating: sum('deactivating'), withdrawing: sum('withdrawable'), rewards, objects }
}

function objectOf({ id, slot, epoch }: SlotRead, validator: number): StakedObject[] {
  const shared = {
    id: String(id),
    type: 'withdrawal_request',
    rewards: null,
    validator: String(validator),
    activationEpoch: null,
    withdrawableAt: null,
  } as const
  if (!slot.ok) return [{ ...shared, status: 'unknown', amount: null, withdrawableEpoch: null }]
  if (slot.value.amount === 0n) return []
  const release = releaseEpoch(slot.value)
  return [
    {
      ...shared,
      status: epoch >= release ? 'withdrawable' : 'deactivating',
      amount: slot.value.amount,
      withdrawableEpoch: Number(release),
    },
  ]
}
