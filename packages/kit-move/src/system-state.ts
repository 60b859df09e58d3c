import type { GrpcTypes } from '@mysten/sui/grpc'
import { present } from './answer.ts'

/** A staking pool at the beginning of an epoch. Amounts in MIST or in pool tokens. */
export interface PoolState {
  readonly id: string
  /** null: it has not begun to earn yet. */
  readonly activationEpoch: bigint | null
  /** null: it still earns. */
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
  /** Of this epoch, in hundredths of a percent. */
  readonly commissionBps: bigint
  readonly pool: PoolState
}

/** What the chain says of an epoch. It changes only at the boundary. */
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

/** A system state from the node's answer. @throws 502 */
export function readSystemState(response: GrpcTypes.GetEpochResponse): SystemState {
  const epoch = present(response.epoch)
  const state = present(epoch.systemState)
  const parameters = present(state.parameters)
  return {
    epoch: present(epoch.epoch ?? state.epoch),
    referenceGasPrice: present(epoch.referenceGasPrice ?? state.referenceGasPrice),
    epochStartMs: present(state.epochStartTimestampMs),
    epochDurationMs: present(parameters.epochDurationMs),
    stakeSubsidyStartEpoch: present(parameters.stakeSubsidyStartEpoch),
    safeMode: state.safeMode ?? false,
    validators: present(state.validators).activeValidators.map(readValidator),
  }
}

function readValidator({ address, name, commissionRate, stakingPool }: GrpcTypes.Validator): ValidatorState {
  return { address: present(address), name: name ?? '', commissionBps: present(commissionRate), pool: readPool(present(stakingPool)) }
}

function readPool(pool: GrpcTypes.StakingPool): PoolState {
  return {
    id: present(pool.id),
    activationEpoch: pool.activationEpoch ?? null,
    deactivationEpoch: pool.deactivationEpoch ?? null,
    suiBalance: present(pool.suiBalance),
    poolTokenBalance: present(pool.poolTokenBalance),
    rewardsPool: present(pool.rewardsPool),
    exchangeRatesId: present(pool.exchangeRates?.id),
    extraFieldsId: present(pool.extraFields?.id),
    pendingStake: present(pool.pendingStake),
    pendingTotalSuiWithdraw: present(pool.pendingTotalSuiWithdraw),
    pendingPoolTokenWithdraw: present(pool.pendingPoolTokenWithdraw),
  }
}
