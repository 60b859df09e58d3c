import { GrpcTypes } from '@mysten/sui/grpc'
import { epochDurationMs, mistPerSui } from '../constants.ts'
import { madeId } from '../ids.ts'
import type { EpochStart, Node } from '../node.ts'
import type { Pool } from '../pool.ts'
import type { Validator } from '../state.ts'

/** The newest that @mysten/sui 2.33.1 knows of (its `MAX_PROTOCOL_VERSION`, read 2026-11-21). */
export const protocolVersion = 138n
/** Basis points that the voting power of all validators makes. */
const allVotingPower = 10_000n

/**
 * Mainnet's parameters: subsidies since epoch 20, in periods of 10 epochs that shrink by a tenth; up to 150 validators, which once joined
 * with 30 million SUI. They are told and not enforced.
 *
 * @see MystenLabs/sui sui-types/src/governance.rs, and mainnet's system state as public answers of its nodes show it (read 2026-11-21)
 */
const parameters = {
  stakeSubsidyStartEpoch: 20n,
  minValidatorCount: 4n,
  maxValidatorCount: 150n,
  minValidatorJoiningStake: 30_000_000n * mistPerSui,
  validatorLowStakeThreshold: 20_000_000n * mistPerSui,
  validatorVeryLowStakeThreshold: 15_000_000n * mistPerSui,
  validatorLowStakeGracePeriod: 7n,
}
const subsidy = { stakeSubsidyPeriodLength: 10n, stakeSubsidyDecreaseRate: 1000 }

/** Writes the system state as of an epoch's beginning; for the current epoch, the present state. */
export function systemStateMessage(node: Node, start: EpochStart): GrpcTypes.SystemState {
  const now = start.epoch === node.epoch
  const set = start.validators.map(({ validator, pool }) => ({ validator, pool: now ? (node.state.pools.get(pool.id) ?? pool) : pool }))
  const totalStake = set.reduce((sum, { pool }) => sum + pool.sui, 0n)
  return GrpcTypes.SystemState.create({
    version: 2n,
    epoch: start.epoch,
    protocolVersion,
    validators: {
      totalStake,
      activeValidators: set.map(({ validator, pool }) => validatorMessage(node, validator, pool, totalStake)),
      pendingActiveValidators: { id: madeId('pending-validators', node.chainId), size: 0n },
      pendingRemovals: set.flatMap(({ validator }, index) => (validator.leaving ? [BigInt(index)] : [])),
      stakingPoolMappings: { id: madeId('pool-mappings', node.chainId), size: BigInt(set.length) },
      inactiveValidators: { id: madeId('inactive-validators', node.chainId), size: BigInt(node.state.inactive.entries().length) },
      validatorCandidates: { id: madeId('candidates', node.chainId), size: 0n },
      extraFields: { id: madeId('set-extra', node.chainId), size: 0n },
    },
    storageFund: { totalObjectStorageRebates: 0n, nonRefundableBalance: 0n },
    parameters: {
      epochDurationMs: BigInt(epochDurationMs),
      ...parameters,
      extraFields: { id: madeId('parameters-extra', node.chainId), size: 0n },
    },
    referenceGasPrice: node.gasPrice,
    stakeSubsidy: {
      balance: 0n,
      distributionCounter: start.epoch,
      currentDistributionAmount: 0n,
      ...subsidy,
      extraFields: { id: madeId('subsidy-extra', node.chainId), size: 0n },
    },
    safeMode: start.safeMode,
    safeModeStorageRewards: 0n,
    safeModeComputationRewards: 0n,
    safeModeStorageRebates: 0n,
    safeModeNonRefundableStorageFee: 0n,
    epochStartTimestampMs: BigInt(start.startMs),
    extraFields: { id: madeId('system-extra', node.chainId), size: 0n },
  })
}

function validatorMessage(node: Node, validator: Validator, pool: Pool, totalStake: bigint): GrpcTypes.Validator {
  const { address, name, commissionBps, nextCommissionBps } = validator
  return GrpcTypes.Validator.create({
    name,
    address,
    description: `${name}, a validator of the sandbox`,
    imageUrl: '',
    projectUrl: '',
    votingPower: totalStake === 0n ? 0n : (pool.sui * allVotingPower) / totalStake,
    operationCapId: madeId('operation-cap', address),
    gasPrice: node.gasPrice,
    stakingPool: poolMessage(pool),
    commissionRate: commissionBps,
    nextEpochStake: pool.sui + pool.pendingStake - pool.pendingSuiWithdraw,
    nextEpochGasPrice: node.gasPrice,
    nextEpochCommissionRate: nextCommissionBps,
    extraFields: { id: madeId('validator-extra', address), size: 0n },
  })
}

function poolMessage(pool: Pool): GrpcTypes.StakingPool {
  return {
    id: pool.id,
    activationEpoch: pool.activationEpoch,
    suiBalance: pool.sui,
    rewardsPool: pool.rewards,
    poolTokenBalance: pool.tokens,
    exchangeRates: { id: pool.exchangeRatesId, size: pool.rates },
    pendingStake: pool.pendingStake,
    pendingTotalSuiWithdraw: pool.pendingSuiWithdraw,
    pendingPoolTokenWithdraw: pool.pendingTokenWithdraw,
    extraFields: { id: pool.extraFieldsId, size: pool.extraFields },
    ...(pool.deactivationEpoch === undefined ? {} : { deactivationEpoch: pool.deactivationEpoch }),
  }
}
