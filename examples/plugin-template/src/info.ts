import { type Info, isServiceError, SettingsError } from '@svc/contract'
import type { SavingsContext } from './network.ts'
import { ask } from './vault.ts'

/** Terms of the vault. `users` and `tvl` do not apply: they are told of a chain, not of a vault. */
export async function info(ctx: SavingsContext): Promise<Info> {
  const [dailyRate, minimum] = await ask<[bigint, bigint]>(ctx, ['dailyRate'], ['minimum'])
  const days = ctx.network.interest_days
  const daily = Number(dailyRate) / 1e18
  return {
    activationMinutes: 0,
    deactivationMinutes: 0,
    withdrawalMinutes: 0,
    rewardFeePercent: 0,
    withdrawalFeePercent: 0,
    aprPercent: 100 * daily * days,
    apyPercent: 100 * ((1 + daily) ** days - 1),
    maxSlashingPercent: 0,
    minStake: minimum,
    maxStake: null,
    users: null,
    tvlUsd: null,
    tvl: null,
  }
}

/** @throws a sentence when there is no savings vault at the address of the settings */
export async function inspect(ctx: SavingsContext): Promise<void> {
  try {
    await ask(ctx, ['dailyRate'], ['minimum'], ['closed'])
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'VAULT_UNREADABLE') throw error
    throw new SettingsError(`vault ${ctx.network.vault} is no savings vault: ${error.message}`)
  }
}
