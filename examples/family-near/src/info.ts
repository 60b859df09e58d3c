import { type Info, SettingsError } from '@svc/contract'
import { readAccounts, readFee, readTotal } from './chain.ts'
import type { PoolContext } from './network.ts'

/** Part of the supply that is minted in a year, and the part of it that goes to validators. @see near/nearcore PR 14477, reward_calculator.rs (read 2026-11-23) */
const MINTED = 0.025
const VALIDATORS = 0.9
/** Epochs of a year at 43,200 blocks of 0.6 s. */
const EPOCHS = 365.25 / 0.3
/** Minutes of an epoch, at the same pace. */
const EPOCH_MINUTES = 432

/** Terms of staking with the pool. */
export async function info(ctx: PoolContext): Promise<Info> {
  const [fee, total, users, apr] = await Promise.all([
    readFee(ctx).catch(() => undefined),
    readTotal(ctx).catch(() => undefined),
    readAccounts(ctx).catch(() => undefined),
    readRate(ctx).catch(() => undefined),
  ])
  const net = apr === undefined || fee === undefined ? undefined : apr * (1 - fee / 100)
  return {
    // What is proposed in an epoch counts from the second one after. https://docs.near.org/protocol/network/epoch (read 2026-11-23)
    activationMinutes: 2 * EPOCH_MINUTES,
    // NUM_EPOCHS_TO_UNLOCK of the pool's contract.
    deactivationMinutes: 4 * EPOCH_MINUTES,
    withdrawalMinutes: 0,
    rewardFeePercent: fee,
    withdrawalFeePercent: 0,
    aprPercent: net,
    apyPercent: net === undefined ? undefined : ((1 + net / 100 / EPOCHS) ** EPOCHS - 1) * 100,
    maxSlashingPercent: 0,
    minStake: 10n ** 21n,
    maxStake: null,
    users,
    tvl: total,
  }
}

/** What validators earn in a year in percent of their stake, before the pool's fee. */
async function readRate({ client }: PoolContext): Promise<number> {
  const [head, { current }] = await Promise.all([client.block(), client.validators()])
  const staked = current.reduce((sum, { stake }) => sum + stake, 0n)
  if (head === null || staked === 0n) throw new TypeError('there is no stake to divide by')
  return (MINTED * VALIDATORS * 100 * Number((head.supply * 1_000_000n) / staked)) / 1_000_000
}

/** Checks at the chain that the pool of the settings is one. @throws a sentence where the pool is none */
export async function inspect(ctx: PoolContext): Promise<void> {
  await readFee(ctx).catch((error: unknown) => {
    throw new SettingsError(
      `${ctx.network.pool} does not answer as a staking pool does: ${error instanceof Error ? error.message : 'no reason given'}`,
    )
  })
}
