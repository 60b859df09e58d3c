import { badGateway } from '@svc/contract'
import { type ReadResult, readMany } from '@svc/kit-evm'
import { Interface, type Result } from 'ethers'
import type { StakingContext } from './network.ts'

/** Smallest delegation and compounding, in wei: the precompile's dust threshold. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
export const DUST = 1_000_000_000n
/** Epochs between a request's deactivation and its release. @see https://docs.monad.xyz/developer-essentials/staking#withdrawal_delay (read 2026-11-21) */
const WITHDRAWAL_DELAY = 1n
/** Slots of one delegator with one validator: a uint8. */
export const SLOTS = 256

/** What is called of the staking precompile. Getters are no views: it accepts a plain CALL only. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
export const staking = new Interface([
  'function delegate(uint64 validatorId) payable returns (bool success)',
  'function undelegate(uint64 validatorId, uint256 amount, uint8 withdrawId) returns (bool success)',
  'function withdraw(uint64 validatorId, uint8 withdrawId) returns (bool success)',
  'function claimRewards(uint64 validatorId) returns (bool success)',
  'function compound(uint64 validatorId) returns (bool success)',
  'function getEpoch() returns (uint64 epoch, bool inEpochDelayPeriod)',
  'function getDelegator(uint64 validatorId, address delegator) returns (uint256 stake, uint256 accRewardPerToken, uint256 unclaimedRewards, uint256 deltaStake, uint256 nextDeltaStake, uint64 deltaEpoch, uint64 nextDeltaEpoch)',
  'function getWithdrawalRequest(uint64 validatorId, address delegator, uint8 withdrawId) returns (uint256 withdrawalAmount, uint256 accRewardPerToken, uint64 withdrawEpoch)',
  'function getValidator(uint64 validatorId) returns (address authAddress, uint64 flags, uint256 stake, uint256 accRewardPerToken, uint256 commission, uint256 unclaimedRewards, uint256 consensusStake, uint256 consensusCommission, uint256 snapshotStake, uint256 snapshotCommission, bytes secpPubkey, bytes blsPubkey)',
  'function getConsensusValidatorSet(uint32 startIndex) returns (bool isDone, uint32 nextIndex, uint64[] valIds)',
  'function getSnapshotValidatorSet(uint32 startIndex) returns (bool isDone, uint32 nextIndex, uint64[] valIds)',
  'function getDelegators(uint64 validatorId, address startDelegator) returns (bool isDone, address nextDelegator, address[] delegators)',
])

/** A delegator's record, in wei. */
export interface Delegator {
  /** Active, earning. */
  readonly stake: bigint
  /** Becomes active at the next epoch or the one after. */
  readonly pending: bigint
  readonly rewards: bigint
}

/** A withdrawal slot; all zeros when it is free. */
export interface Slot {
  readonly amount: bigint
  /** Accumulator at the time of undelegation, scaled by 1e36. */
  readonly accumulator: bigint
  /** Epoch in which the stake deactivates, as the chain stores it. */
  readonly epoch: bigint
}

const FREE_SLOT = `0x${'0'.repeat(192)}`
const NO_SLOT: Slot = { amount: 0n, accumulator: 0n, epoch: 0n }

/** First epoch in which `withdraw` of a slot succeeds. */
export function releaseEpoch(slot: Slot): bigint {
  return slot.epoch + WITHDRAWAL_DELAY
}

/** A call to the precompile, and how its answer is read. */
export interface Question<T> {
  readonly data: string
  read(answer: string): T
  readonly method: string
}

export const askEpoch: Question<bigint> = question('getEpoch', [], ([epoch]) => epoch)

export function askDelegator(validator: number, address: string): Question<Delegator> {
  return question('getDelegator', [validator, address], (it) => ({
    stake: it.stake,
    pending: it.deltaStake + it.nextDeltaStake,
    rewards: it.unclaimedRewards,
  }))
}

export function askSlot(validator: number, address: string, id: number): Question<Slot> {
  const [slot] = askSlots(validator, address, [id])
  return slot!
}

/** The same for many slots: the call data differs in its last word only, so it is encoded once. */
export function askSlots(validator: number, address: string, ids: readonly number[]): readonly Question<Slot>[] {
  const asked = question('getWithdrawalRequest', [validator, address, 0], (it) => ({
    amount: it.withdrawalAmount,
    accumulator: it.accRewardPerToken,
    epoch: it.withdrawEpoch,
  }))
  // Most of 256 slots are free: three zero words, which need no decoder.
  const read = (answer: string): Slot => (answer === FREE_SLOT ? NO_SLOT : asked.read(answer))
  return ids.map((id) => ({ method: asked.method, read, data: asked.data.slice(0, -2) + id.toString(16).padStart(2, '0') }))
}

export function question<T>(method: string, args: readonly unknown[], read: (answer: Result) => T): Question<T> {
  return {
    method,
    data: staking.encodeFunctionData(method, args),
    read: (answer) => read(staking.decodeFunctionResult(method, answer)),
  }
}

/** An answer, or the chain's reason for none. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

/** Puts questions to the precompile in one round trip. A question that fails fails alone. */
export async function ask<T>(ctx: StakingContext, questions: readonly Question<T>[]): Promise<readonly Answer<T>[]> {
  const to = ctx.network.staking
  const results = await readMany(
    ctx,
    questions.map(({ data }) => ({ to, data })),
  )
  return results.map((result, index) => answer(questions[index]!, result))
}

/** The same where every answer is needed, of different kinds. @throws 502 STAKING_UNREADABLE when one cannot be read */
export async function askAll<T extends readonly unknown[]>(ctx: StakingContext, questions: { [K in keyof T]: Question<T[K]> }): Promise<T> {
  const answers = await ask<unknown>(ctx, questions as readonly Question<unknown>[])
  return answers.map((each) => answered(each)) as unknown as T
}

/** @throws 502 STAKING_UNREADABLE */
export function answered<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value
  throw badGateway('STAKING_UNREADABLE', `The staking contract could not be read: ${answer.reason || 'no reason given'}.`)
}

function answer<T>({ method, read }: Question<T>, result: ReadResult): Answer<T> {
  if (!result.ok) return result
  try {
    return { ok: true, value: read(result.data) }
  } catch {
    return { ok: false, reason: `${method} gave an answer of another form` }
  }
}
