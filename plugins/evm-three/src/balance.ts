import type { Balance, StakedObject } from '@svc/contract'
import type { StakingContext } from './network.ts'
import {
  type Answer,
  answered,
  ask,
  askDelegator,
  askEpoch,
  askSlots,
  type Delegator,
  type Question,
  releaseEpoch,
  SLOTS,
  type Slot,
} from './staking.ts'

/** Slots read in one call: with the loop of the multicall contract about 3.7 million gas, under the 8.1 million that Monad's nodes run at once. */
const CHUNK = 128

/** A slot by id, or why it could not be read. */
export interface SlotRead {
  readonly id: number
  readonly slot: Answer<Slot>
  /** Epoch of the state in which it was read. */
  readonly epoch: bigint
}

/** An address's delegation with the operator's validator and its withdrawal slots. @throws 502 when the delegation cannot be read */
export async function balance(ctx: StakingContext, address: string): Promise<Balance> {
  const [[delegator], slots] = await Promise.all([
    ask<Delegator>(ctx, [askDelegator(ctx.network.validator_id, address)]),
    readSlots(ctx, address, 0, SLOTS - 1),
  ])
  const { stake, pending, rewards } = answered(delegator!)
  const objects = slots.flatMap((read) => objectOf(read, ctx.network.validator_id))
  const sum = (status: StakedObject['status']) =>
    objects.reduce((total, object) => (object.status === status ? total + (object.amount ?? 0n) : total), 0n)
  return { staked: stake, activating: pending, deactivating: sum('deactivating'), withdrawing: sum('withdrawable'), rewards, objects }
}

/** The slots from `first` to `last`, free ones too, in one round trip. */
export async function readSlots(ctx: StakingContext, address: string, first: number, last: number): Promise<readonly SlotRead[]> {
  const ids = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const chunks = Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, index) => ids.slice(index * CHUNK, (index + 1) * CHUNK))
  const reads = await Promise.all(
    chunks.map(async (chunk) => {
      const questions = askSlots(ctx.network.validator_id, address, chunk)
      // Each chunk carries the epoch of its own state, so that a boundary between two chunks classifies neither wrongly.
      const [epoch, ...slots] = await ask<bigint | Slot>(ctx, [askEpoch as Question<bigint | Slot>, ...questions])
      return slots.map((slot, index) => ({ id: chunk[index]!, slot: slot as Answer<Slot>, epoch: answered(epoch!) as bigint }))
    }),
  )
  return reads.flat()
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
