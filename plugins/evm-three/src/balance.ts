import { type Balance, type PositionPart, positionOf, type StakedObject } from '@svc/contract'
import { readDelegate, walletPowers } from '@svc/kit-evm'
import { readSlots, releaseEpoch, SLOTS, type SlotRead } from './chain/slots.ts'
import { askAll, askDelegator } from './chain/staking.ts'
import { type StakingContext, slotName, validatorsOf } from './network.ts'

/** Reads an address's delegations with the operator's validator and the former ones, and its withdrawal slots, in one round trip. @throws 502 when a delegation cannot be read */
export async function balance(ctx: StakingContext, address: string): Promise<Balance> {
  const [delegate, ...reads] = await Promise.all([
    readDelegate(ctx.client, address),
    ...validatorsOf(ctx.network).map((validator) => readWith(ctx, validator, address)),
  ])
  return {
    ...positionOf(
      reads.map(({ part }) => part),
      reads.flatMap(({ objects }) => objects),
    ),
    control: walletPowers(delegate),
  }
}

async function readWith(ctx: StakingContext, validator: number, address: string) {
  const { network } = ctx
  const [[{ stake, pending, rewards }], slots] = await Promise.all([
    askAll(ctx, [askDelegator(network, validator, address)]),
    readSlots(ctx, validator, address, 0, SLOTS - 1),
  ])
  const objects = slots.flatMap((read) => objectOf(read, validator, slotName(validator, read.id)))
  const sum = (status: StakedObject['status']) =>
    objects.reduce((total, object) => (object.status === status ? total + (object.amount ?? 0n) : total), 0n)
  const part: PositionPart = {
    validator: String(validator),
    isFormer: validator !== network.validator_id,
    staked: stake,
    activating: pending,
    deactivating: sum('deactivating'),
    withdrawing: sum('withdrawable'),
    rewards,
  }
  return { part, objects }
}

function objectOf({ slot, epoch }: Pick<SlotRead, 'slot' | 'epoch'>, validator: number, name: ReturnType<typeof slotName>): StakedObject[] {
  const shared = {
    ...name,
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
