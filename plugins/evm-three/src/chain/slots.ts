import type { Answer, Question } from '@svc/kit-evm'
import type { StakingContext, StakingNetwork } from '../network.ts'
import { answered, ask, askEpoch, epochOf, staking } from './staking.ts'

/** Slots of one delegator with one validator: a uint8. */
export const SLOTS = 256
/** Epochs between a request's deactivation and its release. @see https://docs.monad.xyz/developer-essentials/staking#withdrawal_delay (read 2026-11-21) */
const WITHDRAWAL_DELAY = 1n
/** Slots read in one call: with the loop of the multicall contract about 3.7 million gas, under the 8.1 million that Monad's nodes run at once. */
const SLOTS_PER_CALL = 128

/** A withdrawal slot; all zeros when it is free. */
export interface Slot {
  readonly amount: bigint
  /** Accumulator at the time of undelegation, scaled by 1e36. */
  readonly accumulator: bigint
  /** Epoch in which the stake deactivates, as the chain stores it. */
  readonly epoch: bigint
}

/** A slot by its id, or the reason why it could not be read. */
export interface SlotRead {
  readonly id: number
  readonly slot: Answer<Slot>
  /** Epoch of the state in which it was read. */
  readonly epoch: bigint
}

const FREE_SLOT = `0x${'0'.repeat(192)}`
const NO_SLOT: Slot = { amount: 0n, accumulator: 0n, epoch: 0n }

/** Returns the first epoch in which `withdraw` of a slot succeeds. */
export function releaseEpoch(slot: Slot): bigint {
  return slot.epoch + WITHDRAWAL_DELAY
}

/** Makes the question for a slot of an address with a validator. */
export function askSlot({ staking: to }: StakingNetwork, validator: number, address: string, id: number): Question<Slot> {
  return staking.question(to, 'getWithdrawalRequest', [validator, address, id], (it) => ({
    amount: it.withdrawalAmount,
    accumulator: it.accRewardPerToken,
    epoch: epochOf(it.withdrawEpoch),
  }))
}

/** Reads the slots with a validator from `first` to `last`, including free ones, in one round trip. @throws 502 when the epoch cannot be read */
export async function readSlots(
  ctx: StakingContext,
  validator: number,
  address: string,
  first: number,
  last: number,
): Promise<readonly SlotRead[]> {
  const question = askSlot(ctx.network, validator, address, 0)
  const chunks: Promise<readonly SlotRead[]>[] = []
  for (let from = first; from <= last; from += SLOTS_PER_CALL)
    chunks.push(readChunk(ctx, question, from, Math.min(last, from + SLOTS_PER_CALL - 1)))
  return (await Promise.all(chunks)).flat()
}

/** @param slot the question for slot 0: the call data differs in its last byte only, so it is encoded once */
async function readChunk(ctx: StakingContext, slot: Question<Slot>, first: number, last: number): Promise<readonly SlotRead[]> {
  const head = slot.data.slice(0, -2)
  // Most of 256 slots are free: three zero words, which need no decoder.
  const read = (answer: string): Slot => (answer === FREE_SLOT ? NO_SLOT : slot.read(answer))
  const slots = Array.from({ length: last - first + 1 }, (_, index) => ({
    ...slot,
    read,
    data: head + (first + index).toString(16).padStart(2, '0'),
  }))
  // Each chunk carries the epoch of its own state, so that a boundary between two chunks classifies neither wrongly.
  const [epoch, ...answers] = await ask(ctx, [askEpoch(ctx.network), ...slots])
  return answers.map((answer, index) => ({ id: first + index, slot: answer, epoch: answered(epoch) }))
}
