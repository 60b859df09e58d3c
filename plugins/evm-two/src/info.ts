import { type Info, isServiceError, SettingsError } from '@svc/contract'
import type { StakingContext } from './network.ts'
import { askCap, askEpochSeconds, askMinimum, askRewarded, askWindow } from './parameters.ts'
import { roomOf } from './pool.ts'
import { type Answer, ask, askAll, askDelegator, askPool, askValue, type Delegator, type Pool } from './staking.ts'
import { annualRate, annualYield } from './yield.ts'

const NOBODY = '0x0000000000000000000000000000000000000000'

interface Terms {
  readonly epochSeconds: number
  readonly window: bigint
  readonly minimum: bigint
  readonly cap: bigint
  readonly rewarded: boolean
  /** Of 10000. */
  readonly commission: bigint
  /** Of 100000 a year. */
  readonly rate: bigint
  /** Wei, at the last yearly step of the rate. */
  readonly supply: bigint
  /** Wei, of all pools in this epoch. */
  readonly totalStake: bigint
  readonly pool: Pool
  readonly users: bigint
  readonly active: boolean
}

/** Terms of delegating to the operator's pool, in one round trip. What cannot be read is left out, so that its last good value stays. */
export async function info(ctx: StakingContext): Promise<Info> {
  const id = ctx.network.pool_id
  const answers = await ask<Terms>(ctx, {
    epochSeconds: askEpochSeconds,
    window: askWindow,
    minimum: askMinimum,
    cap: askCap,
    rewarded: askRewarded,
    commission: askValue('getCommissionRate', id),
    rate: askValue('currentInflationRate'),
    supply: askValue('lastInflationTotalSupplySnapshot'),
    totalStake: askValue('totalStake'),
    pool: askPool(id),
    users: askValue('delegatorCounts', id),
    active: askValue('isValidatorActive', id),
  })
  const terms = known(ctx, answers)
  const { epochSeconds, window, pool, cap } = terms
  const epochMinutes = epochSeconds && epochSeconds / 60
  const rate = rateOf(terms)
  return {
    activationMinutes: epochMinutes && Math.ceil(epochMinutes),
    deactivationMinutes: epochMinutes && window !== undefined ? Math.ceil(Number(window) * epochMinutes) : undefined,
    withdrawalMinutes: 0,
    rewardFeePercent: terms.commission === undefined ? undefined : Number(terms.commission) / 100,
    withdrawalFeePercent: 0,
    aprPercent: rate,
    apyPercent: rate === undefined || epochSeconds === undefined ? undefined : annualYield(rate, epochSeconds),
    maxSlashingPercent: 0,
    minStake: terms.minimum,
    maxStake: pool && cap !== undefined ? roomOf(pool, cap) : undefined,
    users: terms.users === undefined ? undefined : Number(terms.users),
    tvlUsd: null,
    tvl: pool?.totalStake,
  }
}

/** @throws a sentence when the contracts or the operator's pool are not what the settings say */
export async function inspect(ctx: StakingContext): Promise<void> {
  const { staking, chain_config, pool_id } = ctx.network
  const { pool, config } = await asSettings(`staking ${staking} is no staking contract with delegation`, () =>
    askAll<{ pool: Pool; config: string; delegator: Delegator }>(ctx, {
      pool: askPool(pool_id),
      config: askValue('cfg'),
      delegator: askDelegator(pool_id, NOBODY),
    }),
  )
  if (config !== chain_config)
    throw new SettingsError(`chain_config ${chain_config} is not where the staking contract has its parameters; they are at ${config}.`)
  if (!pool.exists) throw new SettingsError(`pool_id ${pool_id} is not a registered pool of this chain.`)
}

/** Net of commission; 0 where nothing is earned: rewards are switched off, or the pool is not active. */
function rateOf({ rewarded, active, supply, rate, commission, totalStake }: Partial<Terms>): number | undefined {
  if (rewarded === false || active === false) return 0
  if ([rewarded, active, supply, rate, commission, totalStake].includes(undefined)) return undefined
  return annualRate({ supply: supply!, rate: rate!, commission: commission!, totalStake: totalStake! })
}

/** The answers there are. A paused contract, for one, does not say whether a pool is active. */
function known(ctx: StakingContext, answers: { readonly [K in keyof Terms]: Answer<Terms[K]> }): Partial<Terms> {
  const entries = Object.entries(answers) as [keyof Terms, Answer<unknown>][]
  for (const [, answer] of entries)
    if (!answer.ok)
      ctx.log.warn(
        { network: ctx.network.chainId, method: answer.method, reason: answer.reason },
        'staking-info: a source could not be read; its last good value stays',
      )
  return Object.fromEntries(entries.flatMap(([name, answer]) => (answer.ok ? [[name, answer.value]] : [])))
}

/** What cannot be read of a contract that answers is a setting that does not fit. */
async function asSettings<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'STAKING_UNREADABLE') throw error
    throw new SettingsError(`${what}: ${error.message}`)
  }
}
