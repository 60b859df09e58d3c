import { type Info, parseAmount } from '@svc/contract'
import type { LiquidContext } from './network.ts'
import { type Pool, rememberCoreVault } from './pool.ts'
import { chainTime, GRACE } from './request.ts'
import { activeStake, inDelayPeriod, meanCommission, poolValidators } from './validators.ts'
import { askAll, askVault } from './vault.ts'
import { combinedFee, issuedRates, measuredRates, type Rates, type Sample } from './yield.ts'

/** Blocks of an epoch. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
const EPOCH_BLOCKS = 50_000
/** The service's own minimum of a deposit, in wei; the contract has none. */
const MIN_STAKE = 100n * 10n ** 18n
/** Shortest and longest time over which the price's growth is taken, in seconds: a day says more than the formula, and a month is kept. */
const MEASURE_SECONDS = 86_400
const KEEP_SECONDS = 30 * 86_400
/**
 * Where the vault keeps the delay of redemptions, which no call tells: the fifth member of its ERC-7201 struct "storage.Magma".
 *
 * @see https://github.com/MagmaStaking/contracts-public (read 2026-11-21)
 */
const REDEEM_DELAY_SLOT = '0xe12a3c9ed0954edf986cec381af8403b24a0b0b94ceba99e0d4e9dd1e2aec504'
/** A delay above this, or none, is not what is meant to stand in that place: a year, in seconds. */
const LONGEST_DELAY = 31_536_000n

interface Books {
  readonly pool: Pool
  /** Basis points. */
  readonly rewardsFee: bigint
  readonly withdrawalFee: bigint
  readonly core: string
  readonly now: bigint
}

/** Terms of the pool, measured on the chain where they can be. @throws 502 when the vault itself cannot be read */
export async function info(ctx: LiquidContext): Promise<Info> {
  const [books, delay, delayed] = await Promise.all([
    readBooks(ctx),
    orMissing(ctx, 'redeem delay', readRedeemDelay(ctx)),
    orMissing(ctx, 'epoch', inDelayPeriod(ctx)),
  ])
  rememberCoreVault(ctx, books.core)
  const validators = delayed === undefined ? undefined : await orMissing(ctx, 'validators', poolValidators(ctx, books.core, delayed))
  const feePercent = validators && combinedFee(meanCommission(validators), books.rewardsFee)
  const rates = await orMissing(ctx, 'annual rate', ratesOf(ctx, books, delayed, feePercent))
  return {
    activationMinutes: 0,
    deactivationMinutes: delay === undefined ? undefined : Math.ceil(Number(delay + GRACE) / 60),
    withdrawalMinutes: 0,
    rewardFeePercent: feePercent,
    withdrawalFeePercent: Number(books.withdrawalFee) / 100,
    aprPercent: rates?.aprPercent,
    apyPercent: rates?.apyPercent,
    maxSlashingPercent: 0,
    minStake: MIN_STAKE,
    maxStake: null,
    users: null,
    tvlUsd: null,
    tvl: null,
  }
}

async function readBooks(ctx: LiquidContext): Promise<Books> {
  const [[shares, assets, rewardsFee, withdrawalFee, core], now] = await Promise.all([
    askAll<[bigint, bigint, bigint, bigint, string]>(ctx, [
      askVault(ctx, 'totalSupply'),
      askVault(ctx, 'totalAssets'),
      askVault(ctx, 'rewardsFee'),
      askVault(ctx, 'withdrawalFee'),
      askVault(ctx, 'coreVault'),
    ]),
    chainTime(ctx),
  ])
  return { pool: { shares, assets }, rewardsFee, withdrawalFee, core, now }
}

/** @returns seconds; undefined when what stands in its place is no delay */
async function readRedeemDelay(ctx: LiquidContext): Promise<bigint | undefined> {
  const { redeem_delay_seconds, vault } = ctx.network
  if (redeem_delay_seconds !== undefined) return BigInt(redeem_delay_seconds)
  const delay = BigInt(await ctx.client.bytes('eth_getStorageAt', [vault, REDEEM_DELAY_SLOT, 'latest']))
  if (delay > 0n && delay <= LONGEST_DELAY) return delay
  ctx.log.warn(
    { network: ctx.network.chainId, delay: String(delay) },
    'staking-info: the redeem delay is not where it was; set redeem_delay_seconds',
  )
  return undefined
}

/** Measured over a day or more of this process's samples, else by the formula over the active set. */
async function ratesOf(
  ctx: LiquidContext,
  { pool, now }: Books,
  delayed: boolean | undefined,
  feePercent: number | undefined,
): Promise<Rates | undefined> {
  const { network, memo } = ctx
  const epochSeconds = EPOCH_BLOCKS * network.block_seconds
  const sample: Sample = { seconds: Number(now), pool }
  const samples = [...((memo.get('samples') as Sample[] | undefined) ?? []), sample].filter(
    (each) => sample.seconds - each.seconds <= KEEP_SECONDS,
  )
  memo.set('samples', samples)
  if (sample.seconds - samples[0]!.seconds >= MEASURE_SECONDS) return measuredRates(samples[0]!, sample, epochSeconds)
  if (delayed === undefined || feePercent === undefined) return undefined
  const of = {
    rewardPerBlock: parseAmount(network.reward_per_block, 18, 'reward_per_block'),
    blockSeconds: network.block_seconds,
    totalStake: await activeStake(ctx, delayed),
    feePercent,
  }
  return issuedRates(of, epochSeconds)
}

/** A value whose source may fail: its last good one then stays. */
async function orMissing<T>(ctx: LiquidContext, what: string, value: Promise<T>): Promise<T | undefined> {
  try {
    return await value
  } catch (error) {
    ctx.log.warn({ err: error, network: ctx.network.chainId }, `staking-info: ${what} could not be read; its last good value stays`)
    return undefined
  }
}
