import { type Info, SettingsError, unknownFormer } from '@svc/contract'
import type { Answer } from '@svc/kit-evm'
import { ZeroAddress } from 'ethers'
import { askCap, askEpochSeconds, askMinimum, askRewarded, askWindow } from './chain/parameters.ts'
import { askPool, askState, earns, roomOf } from './chain/pool.ts'
import { ask, askAll, askDelegator, orSettingsError, staking } from './chain/staking.ts'
import { poolsOf, type StakingContext } from './network.ts'
import { annualRate, annualYield } from './yield.ts'

/** Reads the terms of delegating to the operator's pool, in one round trip. A term that cannot be read is left out, so that its last good value stays. */
export async function info(ctx: StakingContext): Promise<Info> {
  const { network } = ctx
  const { staking: to, pool_id } = network
  const { active, leaving } = askState(network)
  const answers = await ask(ctx, {
    epochSeconds: askEpochSeconds(network),
    window: askWindow(network),
    minimum: askMinimum(network),
    cap: askCap(network),
    pool: askPool(network, pool_id),
    users: staking.question(to, 'delegatorCounts', [pool_id]),
    rewarded: askRewarded(network),
    active,
    leaving,
    commission: staking.question(to, 'getCommissionRate', [pool_id]),
    rate: staking.question(to, 'currentInflationRate', []),
    supply: staking.question(to, 'lastInflationTotalSupplySnapshot', []),
    totalStake: staking.question(to, 'totalStake', []),
  })
  const lastGood = <T>(answer: Answer<T>) => orLastGood(ctx, answer)
  const [epochSeconds, window, pool, cap] = [
    lastGood(answers.epochSeconds),
    lastGood(answers.window),
    lastGood(answers.pool),
    lastGood(answers.cap),
  ]
  const [minimum, users, commission] = [lastGood(answers.minimum), lastGood(answers.users), lastGood(answers.commission)]
  const rate = rateOf({
    rewarded: lastGood(answers.rewarded),
    active: lastGood(answers.active),
    leaving: lastGood(answers.leaving),
    commission,
    rate: lastGood(answers.rate),
    supply: lastGood(answers.supply),
    totalStake: lastGood(answers.totalStake),
  })
  const epochMinutes = epochSeconds && epochSeconds / 60
  return {
    activationMinutes: epochMinutes && Math.ceil(epochMinutes),
    deactivationMinutes: epochMinutes && window !== undefined ? Math.ceil(Number(window) * epochMinutes) : undefined,
    withdrawalMinutes: 0,
    rewardFeePercent: commission === undefined ? undefined : Number(commission) / 100,
    withdrawalFeePercent: 0,
    aprPercent: rate,
    apyPercent: rate === undefined || epochSeconds === undefined ? undefined : annualYield(rate, epochSeconds),
    maxSlashingPercent: 0,
    minStake: minimum,
    maxStake: pool && cap !== undefined ? roomOf(pool, cap) : undefined,
    users: users === undefined ? undefined : Number(users),
    tvl: pool?.totalStake,
  }
}

/**
 * Compares the settings with the contracts and the operator's pool on the chain, at the start.
 *
 * @throws a sentence when the contracts or the operator's pool are not what the settings say
 */
export async function inspect(ctx: StakingContext): Promise<void> {
  const { network } = ctx
  const { staking: to, chain_config, pool_id } = network
  const { pool, config } = await orSettingsError(`staking ${to} is no staking contract with delegation`, () =>
    askAll(
      ctx,
      {
        pool: askPool(network, pool_id),
        config: staking.question(to, 'cfg', []),
        delegator: askDelegator(network, pool_id, ZeroAddress),
      },
      // The contracts themselves are in doubt, so what another form says is to be seen.
      { malformed: 'leave out' },
    ),
  )
  if (config !== chain_config)
    throw new SettingsError(`chain_config ${chain_config} is not where the staking contract has its parameters; they are at ${config}.`)
  if (!pool.exists) throw new SettingsError(`pool_id ${pool_id} is not a registered pool of this chain.`)
}

/** Lists the former pools that the staking contract does not know, one sentence each. @throws 502, 503, 504 */
export async function inspectFormer(ctx: StakingContext): Promise<readonly string[]> {
  const [, ...former] = poolsOf(ctx.network)
  const pools = await askAll(
    ctx,
    former.map((pool) => askPool(ctx.network, pool)),
  )
  return former.flatMap((pool, index) => (pools[index]?.exists ? [] : [unknownFormer(pool, 'pool')]))
}

interface Rate {
  readonly rewarded: boolean | undefined
  readonly active: boolean | undefined
  readonly leaving: boolean | undefined
  /** Commission, in parts of 10000. */
  readonly commission: bigint | undefined
  /** Yearly rate, in parts of 100000. */
  readonly rate: bigint | undefined
  /** Wei, at the last yearly step of the rate. */
  readonly supply: bigint | undefined
  /** Wei, of all pools in this epoch. */
  readonly totalStake: bigint | undefined
}

/** Net of commission; 0 where nothing is earned: rewards are switched off, or the pool takes no stake because it earns nothing there. */
function rateOf({ rewarded, active, leaving, supply, rate, commission, totalStake }: Rate): number | undefined {
  if (rewarded === false) return 0
  if (active !== undefined && leaving !== undefined && !earns({ active, leaving })) return 0
  if (rewarded === undefined || active === undefined || leaving === undefined) return undefined
  if (supply === undefined || rate === undefined || commission === undefined || totalStake === undefined) return undefined
  return annualRate({ supply, rate, commission, totalStake })
}

/** The value of an answer; undefined where there is none, as of a paused contract about a pool's state. */
function orLastGood<T>({ log, network }: StakingContext, answer: Answer<T>): T | undefined {
  if (answer.ok) return answer.value
  const { method, reason } = answer
  log.warn({ network: network.chainId, method, reason }, 'staking-info: a source could not be read; its last good value stays')
  return undefined
}
