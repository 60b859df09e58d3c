import { parseAbi, type Question, reader } from '@svc/kit-evm'
import { monadValidators, monadValidatorsAbi } from '@svc/kit-evm/monad'
import { badGateway } from '../codes.ts'
import type { StakingNetwork } from '../network.ts'

/** Smallest delegation and compounding, in wei: the precompile's dust threshold. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
export const DUST = 1_000_000_000n

/** Called methods of the staking precompile. Getters are no views: it accepts a plain CALL only. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
export const staking = parseAbi([
  'function delegate(uint64 validatorId) payable returns (bool success)',
  'function undelegate(uint64 validatorId, uint256 amount, uint8 withdrawId) returns (bool success)',
  'function withdraw(uint64 validatorId, uint8 withdrawId) returns (bool success)',
  'function claimRewards(uint64 validatorId) returns (bool success)',
  'function compound(uint64 validatorId) returns (bool success)',
  'function getDelegator(uint64 validatorId, address delegator) returns (uint256 stake, uint256 accRewardPerToken, uint256 unclaimedRewards, uint256 deltaStake, uint256 nextDeltaStake, uint64 deltaEpoch, uint64 nextDeltaEpoch)',
  'function getWithdrawalRequest(uint64 validatorId, address delegator, uint8 withdrawId) returns (uint256 withdrawalAmount, uint256 accRewardPerToken, uint64 withdrawEpoch)',
  'function getDelegators(uint64 validatorId, address startDelegator) returns (bool isDone, address nextDelegator, address[] delegators)',
])

/** Functions that ask the staking contract. An answer that has the wrong form at every endpoint is left out: one slot that cannot be read does not hide the others. */
export const { ask, askAll, answered } = reader({
  malformed: 'leave out',
  unreadable: ({ method, reason }) => unreadable(`${method}: ${reason || 'no reason given'}`),
})

/** Reader of the chain's validators. */
export const validators = monadValidators({ askAll }, () => unreadable('its active set has no end'))

/** Makes the error of a staking contract that cannot be read. @param why clause on what is wrong with the precompile or its answer */
export function unreadable(why: string) {
  return badGateway('STAKING_UNREADABLE', `The staking contract could not be read: ${why}.`)
}

/** A delegator's record, in wei. */
export interface Delegator {
  /** Active stake, which earns. */
  readonly stake: bigint
  /** Stake that becomes active at the next epoch or the one after. */
  readonly pending: bigint
  readonly rewards: bigint
}

/** Makes the question for the number of the present epoch; the flag that the precompile adds is ignored. */
export function askEpoch({ staking: to }: StakingNetwork): Question<bigint> {
  return monadValidatorsAbi.question(to, 'getEpoch', [], ({ epoch }) => epochOf(epoch))
}

/** Makes the question for the delegation of an address to a validator. */
export function askDelegator({ staking: to }: StakingNetwork, validator: number, address: string): Question<Delegator> {
  return staking.question(to, 'getDelegator', [validator, address], (it) => ({
    stake: it.stake,
    pending: it.deltaStake + it.nextDeltaStake,
    rewards: it.unclaimedRewards,
  }))
}

/** Checks that an epoch's number can be written as a JSON number, and returns it. @throws RangeError for one that no chain has reached */
export function epochOf(epoch: bigint): bigint {
  if (epoch > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`epoch ${epoch}`)
  return epoch
}
