import type { Info } from '@svc/contract'
import { askAll, askClosed, askTerms, orSettingsError } from './chain.ts'
import type { SavingsContext } from './network.ts'

/** Terms of the vault. `users` and `tvl` do not apply: they are told of a chain, not of a vault. */
export async function info(ctx: SavingsContext): Promise<Info> {
  const { dailyRate, minimum } = await askAll(ctx, askTerms(ctx.network))
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
    tvl: null,
  }
}

/** Checks at the chain that the vault of the settings is one. @throws a sentence when there is no savings vault at the address of the settings */
export async function inspect(ctx: SavingsContext): Promise<void> {
  const { network } = ctx
  await orSettingsError(`vault ${network.vault} is no savings vault`, () =>
    askAll(ctx, { ...askTerms(network), closed: askClosed(network) }),
  )
}
