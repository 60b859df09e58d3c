import { type Condition, conditionOf } from '@svc/contract'
import { type Term, termsOf } from '@svc/contract/control'
import { type Deployment, readDeployment } from '@svc/kit-svm'
import type { Fee, NextFee } from './chain/next-fees.ts'
import { obstacleOf, type PoolRecord } from './chain/pool.ts'
import { readPoolState } from './chain/pool-state.ts'
import { type LiquidContext, poolOf } from './network.ts'
import { percentOf, percentText } from './yield.ts'

/**
 * Reads the state of the pool, and the terms that its manager, and whoever may replace its program, decide. The validator to which deposits are directed is not part of it:
 * a deposit earns by the pool's price.
 *
 * @throws 502 POOL_UNREADABLE; 502, 503, 504
 */
export async function condition(ctx: LiquidContext): Promise<readonly Condition[]> {
  const { pool, program } = poolOf(ctx.network)
  const [{ record }, deployment] = await Promise.all([readPoolState(ctx, []), readDeployment(ctx.client, program)])
  const terms = termsFrom(record, deployment)
  return [conditionOf({ kind: 'pool', id: pool, commissionPercent: percentOf(record.epochFee), terms }, obstacleOf(record))]
}

function termsFrom(record: PoolRecord, deployment: Deployment | null): readonly Term[] {
  const { next } = record
  return [
    ...termsOf('power', {
      manager: record.manager,
      staker: record.staker,
      reserve: record.reserve,
      fee_account: record.managerFeeAccount,
      stake_deposit_authority: record.stakeDepositAuthority,
      sol_deposit_authority: record.solDepositAuthority,
      sol_withdraw_authority: record.solWithdrawAuthority,
      implementation: deployment ? `deployed in slot ${deployment.slot}` : undefined,
      upgrade_authority: deployment ? deployment.authority : undefined,
    }),
    ...termsOf('fee', {
      commission: feeTerm(record.epochFee, next.epoch),
      sol_deposit_fee: percentText(record.solDepositFee),
      sol_withdrawal_fee: feeTerm(record.solWithdrawalFee, next.solWithdrawal),
      stake_deposit_fee: percentText(record.stakeDepositFee),
      stake_withdrawal_fee: feeTerm(record.stakeWithdrawalFee, next.stakeWithdrawal),
    }),
  ]
}

/** The fee that counts, or the one that is announced with its epoch. */
function feeTerm(fee: Fee, next: NextFee | null) {
  return next === null ? percentText(fee) : { value: percentText(next.fee), effectiveEpoch: Number(next.epoch) }
}
