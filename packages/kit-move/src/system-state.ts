import type { GrpcTypes } from '@mysten/sui/grpc'
import { requireSent } from '@svc/contract'
import { upTo } from './answer.ts'

/** A staking pool at the beginning of an epoch. Amounts in MIST or in pool tokens. */
export interface PoolState {
  readonly id: string
  /** Epoch in which the pool begins to earn; null: it has not begun yet. */
  readonly activationEpoch: bigint | null
  /** Epoch in which the pool stops earning; null: it still earns. */
  readonly deactivationEpoch: bigint | null
  /** Active stake with the rewards it has earned. */
  readonly suiBalance: bigint
  readonly poolTokenBalance: bigint
  /** Rewards not yet withdrawn: what they can be paid from. */
  readonly rewardsPool: bigint
  /** Table of the pool's exchange rates by epoch. */
  readonly exchangeRatesId: string
  readonly extraFieldsId: string
  /** Stake that counts from the next epoch on. */
  readonly pendingStake: bigint
  readonly pendingTotalSuiWithdraw: bigint
  readonly pendingPoolTokenWithdraw: bigint
}

export interface ValidatorState {
  readonly address: string
  readonly name: string
  /** Commission of this epoch, in hundredths of a percent. */
  readonly commissionBps: bigint
  /** Commission of the next epoch, in hundredths of a percent. */
  readonly nextCommissionBps: bigint
  /** True if the validator has asked to leave, which it does at the end of the epoch. */
  readonly leaving: boolean
  readonly pool: PoolState
}

/** State of the system in an epoch, by the chain. The state changes only at the boundary, but for who is leaving. */
export interface SystemState {
  readonly epoch: bigint
  /** MIST for a unit of computation, at least. */
  readonly referenceGasPrice: bigint
  readonly epochStartMs: bigint
  readonly epochDurationMs: bigint
  /** Epoch from which stake subsidies are paid. */
  readonly stakeSubsidyStartEpoch: bigint
  /** The last boundary went wrong, so that no pool was processed in it. */
  readonly safeMode: boolean
  /** The active set. */
  readonly validators: readonly ValidatorState[]
}

/** Members of an epoch that a system state is read from; a mask on the system state brings all of it anyway. */
export const SYSTEM_STATE_PATHS: readonly string[] = ['epoch', 'reference_gas_price', 'system_state']

/** An epoch is a day, and the chain itself keeps it in 32 bits where it reserves coins. */
export const MOST_EPOCH = 2n ** 32n - 1n
/** Highest gas price in MIST: `max_gas_price`. Days of an epoch, at most; one lasts a day. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs (read 2026-11-22) */
const MOST_PRICE = 100_000n
const LONGEST_EPOCH_MS = 30n * 86_400_000n
/** Hundredths of a percent. */
const WHOLE = 10_000n
/** The year 9999, in milliseconds. */
const LAST_MS = 253_402_300_799_999n
/** MIST of all the SUI that there is, ten thousand million. @see https://docs.sui.io/concepts/tokenomics (read 2026-11-22) */
const SUPPLY = 10n ** 19n

/** Reads the system state from the node's answer. @throws EndpointError */
export function readSystemState(response: GrpcTypes.GetEpochResponse): SystemState {
  const epoch = requireSent(response.epoch)
  const state = requireSent(epoch.systemState)
  const parameters = requireSent(state.parameters)
  const { activeValidators, pendingRemovals } = requireSent(state.validators)
  const leaving = new Set(pendingRemovals.map((index) => upTo(BigInt(activeValidators.length - 1), index)))
  return {
    epoch: upTo(MOST_EPOCH, epoch.epoch ?? state.epoch),
    referenceGasPrice: upTo(MOST_PRICE, epoch.referenceGasPrice ?? state.referenceGasPrice),
    epochStartMs: upTo(LAST_MS, state.epochStartTimestampMs),
    epochDurationMs: upTo(LONGEST_EPOCH_MS, parameters.epochDurationMs),
    stakeSubsidyStartEpoch: requireSent(parameters.stakeSubsidyStartEpoch),
    safeMode: state.safeMode ?? false,
    validators: activeValidators.map((validator, index) => readValidator(validator, leaving.has(BigInt(index)))),
  }
}

function readValidator(validator: GrpcTypes.Validator, leaving: boolean): ValidatorState {
  const { address, name, commissionRate, nextEpochCommissionRate, stakingPool } = validator
  return {
    address: requireSent(address),
    name: name ?? '',
    commissionBps: upTo(WHOLE, commissionRate),
    nextCommissionBps: upTo(WHOLE, nextEpochCommissionRate ?? commissionRate),
    leaving,
    pool: readPool(requireSent(stakingPool)),
  }
}

function readPool(pool: GrpcTypes.StakingPool): PoolState {
  return {
    id: requireSent(pool.id),
    activationEpoch: pool.activationEpoch ?? null,
    deactivationEpoch: pool.deactivationEpoch ?? null,
    suiBalance: upTo(SUPPLY, pool.suiBalance),
    poolTokenBalance: requireSent(pool.poolTokenBalance),
    rewardsPool: upTo(SUPPLY, pool.rewardsPool),
    exchangeRatesId: requireSent(pool.exchangeRates?.id),
    extraFieldsId: requireSent(pool.extraFields?.id),
    pendingStake: upTo(SUPPLY, pool.pendingStake),
    pendingTotalSuiWithdraw: requireSent(pool.pendingTotalSuiWithdraw),
    pendingPoolTokenWithdraw: requireSent(pool.pendingPoolTokenWithdraw),
  }
}
