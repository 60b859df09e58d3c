import { parseAbi, type Question, readAmount, reader } from '@svc/kit-evm'
import { badGateway } from '../codes.ts'
import type { StakingNetwork } from '../network.ts'

/** Methods of the staking contract that are called. Public Solidity sources of the contract, storage version 4 (read 2026-11-21). */
export const staking = parseAbi([
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
  'function owner() view returns (address)',
  'error EnforcedPause()',
])

/** A delegator's record with the pool, in wei. */
export interface Delegator {
  /** Active stake, which earns, with compounded rewards. */
  readonly stake: bigint
  /** Stake that waits for its epoch, or that has reached it without a transaction on the record since. */
  readonly pending: bigint
  /** True if an exit was requested and not paid out yet. */
  readonly exiting: boolean
  /** Sum of all rewards that were paid out. */
  readonly claimed: bigint
}

/** A requested exit. */
export interface Exit {
  readonly pool: string
  /** Wei, principal and rewards. */
  readonly amount: bigint
  /** First epoch in which it is paid. */
  readonly unlockEpoch: bigint
}

export const { ask, askAll, answered, orSettingsError } = reader({
  unreadable({ method, reason }) {
    // The mainnet contract began without delegation, and a node that lags far behind still has it so: the call is not there, and nothing is said.
    const why = reason || (method === 'getDelegator' ? 'the contract of this chain knows no delegation' : 'no reason given')
    return badGateway('STAKING_UNREADABLE', `The chain's staking could not be read (${method}): ${why}.`)
  },
})

/** Makes the question for the number of the present epoch. */
export function askEpoch({ staking: to }: StakingNetwork): Question<bigint> {
  return staking.question(to, 'currentEpoch', [])
}

/** Makes the question whether the contract is paused, so that it takes no stake and no exit. */
export function askPaused({ staking: to }: StakingNetwork): Question<boolean> {
  return staking.question(to, 'paused', [])
}

/** Makes the question for the record of an address with a pool. */
export function askDelegator({ staking: to }: StakingNetwork, pool: string, address: string): Question<Delegator> {
  return staking.question(to, 'getDelegator', [pool, address], (it) => ({
    stake: readAmount(it.stake),
    pending: readAmount(it.pendingStake),
    exiting: it.isPendingUndelegate,
    claimed: readAmount(it.totalRewardsClaimed),
  }))
}

/** Makes the question for the epoch from which pending stake with a pool counts; 0 when there is none. */
export function askActivation({ staking: to }: StakingNetwork, pool: string, address: string): Question<bigint> {
  return staking.question(to, 'pendingActivationEpoch', [pool, address])
}

/** Makes the question for an address's exits from every pool that were not paid yet. */
export function askExits({ staking: to }: StakingNetwork, address: string): Question<readonly Exit[]> {
  return staking.question(to, 'getUserPendingUndelegations', [address], (exits) =>
    exits
      .filter(({ processed }) => !processed)
      .map(({ poolId, amount, unlockEpoch }) => ({ pool: poolId, amount: readAmount(amount), unlockEpoch })),
  )
}
