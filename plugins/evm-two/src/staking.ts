import { badGateway } from '@svc/contract'
import { type ReadResult, readMany } from '@svc/kit-evm'
import { Interface, type Result } from 'ethers'
import type { StakingContext } from './network.ts'

/** What is called of the staking contract. Public Solidity sources of the contract, storage version 4 (read 2026-11-21). */
export const staking = new Interface([
  'function delegate(bytes32 poolId) payable',
  'function undelegate(bytes32 poolId) returns (uint256 amount, uint256 unlockEpoch)',
  'function claimStake(bytes32 poolId)',
  'function claimReward(bytes32 poolId) returns (uint256 amount)',
  'function compoundRewards(bytes32 poolId)',
  'function getDelegator(bytes32 poolId, address delegator) view returns (tuple(uint256 principalStake, uint256 stake, uint256 accumulatedRewardPerShare, uint256 rewards, uint256 pendingStake, uint256 pendingWithdrawStake, uint256 pendingWithdrawWindow, uint256 totalRewardsClaimed, bool isPendingUndelegate))',
  'function getDelegatorReward(bytes32 poolId, address delegator) view returns (uint256)',
  'function pendingActivationEpoch(bytes32 poolId, address delegator) view returns (uint256)',
  'function getUserPendingUndelegations(address delegator) view returns (tuple(address delegator, bytes32 poolId, uint256 amount, uint256 unlockEpoch, uint256 pendingWithdrawWindow, bool processed, uint256 principalAmount, uint256 rewardAmount)[])',
  'function getValidator(bytes32 poolId) view returns (tuple(string description, string publicKey, string publicKeyPop, string blsPublicKey, string blsPublicKeyPop, string endpoint, uint8 status, bytes32 poolId, uint256 totalStake, address owner, uint256 stakeSnapshot, uint256 pendingWithdrawStake, uint8 pendingWithdrawWindow, address pendingOwner))',
  'function getCommissionRate(bytes32 poolId) view returns (uint256)',
  'function accumulatedRewardPerShares(bytes32 poolId) view returns (uint256)',
  'function getHistoricalRPS(uint256 epoch, bytes32 poolId) view returns (uint256 rps, uint256 refcount)',
  'function delegationEnabledMapping(bytes32 poolId) view returns (bool)',
  'function getDelegationApprover(bytes32 poolId) view returns (address)',
  'function isValidatorActive(bytes32 poolId) view returns (bool)',
  'function isValidatorPendingAdd(bytes32 poolId) view returns (bool)',
  'function isValidatorPendingExit(bytes32 poolId) view returns (bool)',
  'function delegatorCounts(bytes32 poolId) view returns (uint256)',
  'function currentEpoch() view returns (uint256)',
  'function totalStake() view returns (uint256)',
  'function currentInflationRate() view returns (uint256)',
  'function lastInflationTotalSupplySnapshot() view returns (uint256)',
  'function paused() view returns (bool)',
  'function cfg() view returns (address)',
  'error EnforcedPause()',
])

/** A delegator's record with the pool, in wei. */
export interface Delegator {
  /** Active, earning, with compounded rewards. */
  readonly stake: bigint
  /** Waits for its epoch; or has reached it, and nobody has touched the record since. */
  readonly pending: bigint
  /** An exit was requested and not paid out yet. */
  readonly exiting: boolean
}

/** A requested exit. */
export interface Exit {
  readonly pool: string
  /** Wei, principal and rewards. */
  readonly amount: bigint
  /** First epoch in which it is paid. */
  readonly unlockEpoch: bigint
}

/** A validator's pool. */
export interface Pool {
  readonly exists: boolean
  readonly owner: string
  /** Wei, with what begins to count in the next epoch. */
  readonly totalStake: bigint
}

/** A call, and how its answer is read. */
export interface Question<T> {
  readonly method: string
  readonly data: string
  /** To the chain's parameters, rather than to the staking contract. */
  readonly ofConfig?: true
  read(answer: string): T
}

export const askEpoch: Question<bigint> = askValue('currentEpoch')
export const askPaused: Question<boolean> = askValue('paused')

/** A method whose answer is one plain value. */
export function askValue<T>(method: string, ...args: readonly unknown[]): Question<T> {
  return question(method, args, ([value]) => value)
}

export function askDelegator(pool: string, address: string): Question<Delegator> {
  return question('getDelegator', [pool, address], ([it]) => ({
    stake: it.stake,
    pending: it.pendingStake,
    exiting: it.isPendingUndelegate,
  }))
}

/** Epoch from which pending stake counts; 0 when there is none. */
export function askActivation(pool: string, address: string): Question<bigint> {
  return askValue('pendingActivationEpoch', pool, address)
}

/** Exits that were not paid yet, of every pool. */
export function askExits(address: string): Question<readonly Exit[]> {
  return question('getUserPendingUndelegations', [address], ([entries]) =>
    entries
      .filter((entry: Result) => !entry.processed)
      .map((entry: Result) => ({ pool: entry.poolId, amount: entry.amount, unlockEpoch: entry.unlockEpoch })),
  )
}

export function askPool(pool: string): Question<Pool> {
  return question('getValidator', [pool], ([it]) => ({
    exists: BigInt(it.poolId) !== 0n,
    owner: it.owner,
    totalStake: it.totalStake,
  }))
}

function question<T>(method: string, args: readonly unknown[], read: (answer: Result) => T): Question<T> {
  return {
    method,
    data: staking.encodeFunctionData(method, args),
    read: (answer) => read(staking.decodeFunctionResult(method, answer)),
  }
}

/** An answer, or the chain's reason for none. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly method: string; readonly reason: string }

type Questions<T> = { readonly [K in keyof T]: Question<T[K]> }

/** Puts questions to the chain in one round trip, all to the same state. A question that fails fails alone. */
export async function ask<T extends object>(ctx: StakingContext, questions: Questions<T>): Promise<{ [K in keyof T]: Answer<T[K]> }> {
  const named = Object.entries(questions) as [keyof T, Question<T[keyof T]>][]
  const { staking: contract, chain_config: parameters } = ctx.network
  const results = await readMany(
    ctx,
    named.map(([, { data, ofConfig }]) => ({ to: ofConfig ? parameters : contract, data })),
  )
  return Object.fromEntries(named.map(([name, each], index) => [name, answer(each, results[index]!)])) as { [K in keyof T]: Answer<T[K]> }
}

/** The same where every answer is needed. @throws 502 STAKING_UNREADABLE when one cannot be read */
export async function askAll<T extends object>(ctx: StakingContext, questions: Questions<T>): Promise<T> {
  const answers = Object.entries(await ask(ctx, questions)) as [keyof T, Answer<T[keyof T]>][]
  return Object.fromEntries(answers.map(([name, each]) => [name, answered(each)])) as T
}

/** @throws 502 STAKING_UNREADABLE */
export function answered<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value
  const { method, reason } = answer
  // The mainnet contract began without delegation, and a node that lags far behind still has it so: the call is not there, and nothing is said.
  const why = reason || (method === 'getDelegator' ? 'the contract of this chain knows no delegation' : 'no reason given')
  throw badGateway('STAKING_UNREADABLE', `The chain's staking could not be read (${method}): ${why}.`)
}

function answer<T>({ method, read }: Question<T>, result: ReadResult): Answer<T> {
  if (!result.ok) return { ok: false, method, reason: result.reason }
  try {
    return { ok: true, value: read(result.data) }
  } catch {
    return { ok: false, method, reason: 'the answer has another form' }
  }
}
