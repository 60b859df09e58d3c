import { type Info, parseAmount } from '@svc/contract'
import { DECIMALS } from '@svc/kit-svm'
import { readPoolState } from './chain.ts'
import { readCommission, readEpochSeconds } from './cluster.ts'
import type { LiquidContext } from './network.ts'
import { combinedFee, percentOf, ratesOf } from './yield.ts'

/** The service's own minimum of a deposit, in lamports; the program has none. */
const MIN_STAKE = parseAmount('0.003', DECIMALS)

/** Terms of the pool, as its account has them. @throws 502 POOL_UNREADABLE; 502, 503, 504 */
export async function info(ctx: LiquidContext): Promise<Info> {
  const { validator } = ctx.network
  const [{ record }, epochSeconds, commission] = await Promise.all([
    readPoolState(ctx, []),
    orMissing(ctx, 'length of an epoch', readEpochSeconds(ctx)),
    validator === undefined ? 0 : orMissing(ctx, "validator's commission", readCommission(ctx, validator)),
  ])
  const rates = epochSeconds === undefined ? undefined : ratesOf(record, record.last, epochSeconds)
  return {
    activationMinutes: 0,
    // SOL out of the reserve comes at once; a stake account that stands for it takes until the end of the epoch.
    deactivationMinutes: epochSeconds === undefined ? undefined : Math.ceil(Math.round(epochSeconds) / 60),
    withdrawalMinutes: 0,
    rewardFeePercent: commission === undefined ? undefined : combinedFee(commission, percentOf(record.epochFee)),
    withdrawalFeePercent: percentOf(record.solWithdrawalFee),
    aprPercent: rates === null ? null : rates?.aprPercent,
    apyPercent: rates === null ? null : rates?.apyPercent,
    maxSlashingPercent: 0,
    minStake: MIN_STAKE,
    maxStake: null,
    users: null,
    tvlUsd: null,
    tvl: null,
  }
}

/** A value whose source may fail: its last good one then stays. */
async function orMissing<T>(ctx: LiquidContext, what: string, value: Promise<T>): Promise<T | undefined> {
  try {
    return await value
  } catch (error) {
    ctx.log.warn({ err: error, network: ctx.network.chainId }, `staking-info: the ${what} could not be read; the last good value stays`)
    return undefined
  }
}
