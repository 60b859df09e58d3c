import { type Info, membersOf, orLastGood, parseAmount, type Sampling, SettingsError, takeSample } from '@svc/contract'
import { EPOCH_BLOCKS, earns } from '@svc/kit-evm/monad'
import { assetsOf, type Pool, rememberCoreVault } from './chain/pool.ts'
import { storedRedeemDelay } from './chain/redeem-delay.ts'
import { GRACE } from './chain/request.ts'
import { meanCommission, poolValidators, validators } from './chain/validators.ts'
import { askAll, askPool, chainTime, coreVault, orSettingsError, vault } from './chain/vault.ts'
import type { LiquidContext } from './network.ts'
import { combinedFee, isPlausible, issuedRates, measuredRates, type Rates, type Sample } from './yield.ts'

/** The service's own minimum of a deposit, in wei; the contract has none. */
const MIN_STAKE = 100n * 10n ** 18n
/** Shortest time over which the price's growth is taken, in seconds: a day says more than the formula. */
const MEASURE_SECONDS = 86_400
/** A sample each six hours at most, each for a month. */
const SAMPLING: Sampling<Sample> = {
  key: 'samples',
  every: 6 * 3_600 - 100,
  keep: 30 * 86_400,
  read({ seconds, pool }) {
    const { shares, assets } = membersOf(pool)
    return typeof shares === 'bigint' && typeof assets === 'bigint' ? { seconds: Number(seconds), pool: { shares, assets } } : null
  },
  precedes: isPlausible,
}

/** ERC-7540's asynchronous redemption, by ERC-165. @see https://eips.ethereum.org/EIPS/eip-7540 (read 2026-11-21) */
const ASYNC_REDEEM = '0x620ee8e4'
const ONE_SHARE = 10n ** 18n

/** Rates where stake earns nothing. */
const NOTHING: Rates = { aprPercent: 0, apyPercent: 0 }

interface Books {
  readonly pool: Pool
  /** Basis points. */
  readonly rewardsFee: bigint
  readonly withdrawalFee: bigint
  readonly core: string
  readonly now: bigint
}

/** Reads the terms of the pool, measured on the chain where possible. @throws 502 when the vault itself cannot be read */
export async function info(ctx: LiquidContext): Promise<Info> {
  const [books, delay, delayed] = await Promise.all([
    readBooks(ctx),
    orLastGood(ctx, 'redeem delay', readRedeemDelay(ctx)),
    orLastGood(ctx, 'epoch', validators.isDelayed(ctx)),
  ])
  rememberCoreVault(ctx, books.core)
  const staked = delayed === undefined ? undefined : await orLastGood(ctx, 'validators', poolValidators(ctx, books.core, delayed))
  const feePercent = staked && combinedFee(meanCommission(staked), books.rewardsFee)
  const [only] = ctx.network.validator_id === undefined ? [] : (staked ?? [])
  const rates = only && !earns(only) ? NOTHING : await orLastGood(ctx, 'annual rate', ratesOf(ctx, books, delayed, feePercent))
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
    tvl: null,
  }
}

/**
 * Checks on the chain that vault and validator of the settings are the right ones.
 *
 * @throws a sentence when the vault is not Magma's, or the validator of the settings is not registered
 */
export async function inspect(ctx: LiquidContext): Promise<void> {
  const { vault: to, staking, validator_id } = ctx.network
  const { redeems, core, shares, assets, price } = await orSettingsError(`vault ${to} is no vault of Magma`, () =>
    askAll(ctx, {
      redeems: vault.question(to, 'supportsInterface', [ASYNC_REDEEM]),
      core: vault.question(to, 'coreVault', []),
      ...askPool(ctx.network),
      price: vault.question(to, 'convertToAssets', [ONE_SHARE]),
    }),
  )
  if (!redeems) throw new SettingsError(`vault ${to} is no vault of Magma: it has no asynchronous redemption (ERC-7540).`)
  if (price !== assetsOf(ONE_SHARE, { shares, assets }))
    throw new SettingsError(`vault ${to} converts shares by another formula than this version knows; its amounts would be wrong.`)
  await orSettingsError(`vault ${to} names ${core} as the vault behind it, which is none`, () =>
    askAll(ctx, [coreVault.question(core, 'minUserWithdrawAmount', [])]),
  )
  if (validator_id === undefined) return
  const [validator] = await orSettingsError(`staking ${staking} is no staking contract`, () => validators.read(ctx, [validator_id], false))
  if (!validator?.exists) throw new SettingsError(`validator_id ${validator_id} is not a registered validator of this chain.`)
}

async function readBooks(ctx: LiquidContext): Promise<Books> {
  const { network } = ctx
  const [{ shares, assets, ...books }, now] = await Promise.all([
    askAll(ctx, {
      ...askPool(network),
      rewardsFee: vault.question(network.vault, 'rewardsFee', []),
      withdrawalFee: vault.question(network.vault, 'withdrawalFee', []),
      core: vault.question(network.vault, 'coreVault', []),
    }),
    chainTime(ctx),
  ])
  return { pool: { shares, assets }, ...books, now }
}

/** @returns seconds; undefined when what stands in its place is no delay */
async function readRedeemDelay(ctx: LiquidContext): Promise<bigint | undefined> {
  const { redeem_delay_seconds, chainId } = ctx.network
  if (redeem_delay_seconds !== undefined) return BigInt(redeem_delay_seconds)
  const delay = await storedRedeemDelay(ctx)
  if (delay === null) ctx.log.warn({ network: chainId }, 'staking-info: the redeem delay is not where it was; set redeem_delay_seconds')
  return delay ?? undefined
}

/** Measured over a day or more of samples, which replicas share, else by the formula over the active set. */
async function ratesOf(
  ctx: LiquidContext,
  { pool, now }: Books,
  delayed: boolean | undefined,
  feePercent: number | undefined,
): Promise<Rates | undefined> {
  const { network, store } = ctx
  const epochSeconds = EPOCH_BLOCKS * network.block_seconds
  const latest: Sample = { seconds: Number(now), pool }
  const [first] = await takeSample(store, latest, SAMPLING)
  if (first && latest.seconds - first.seconds >= MEASURE_SECONDS) return measuredRates(first, latest, epochSeconds)
  if (delayed === undefined || feePercent === undefined) return undefined
  const of = {
    rewardPerBlock: parseAmount(network.reward_per_block, 18, 'reward_per_block'),
    blockSeconds: network.block_seconds,
    totalStake: await validators.activeStake(ctx, delayed),
    feePercent,
  }
  return issuedRates(of, epochSeconds)
}
