import { type Info, SettingsError } from '@svc/contract'
import { commissionOf } from './chain.ts'
import type { MovesContext } from './network.ts'

/** Terms of a move. Leaving, rates and totals are those of the chain's staking, which is another protocol. */
export async function info({ client, network }: MovesContext): Promise<Info> {
  return {
    activationMinutes: 0,
    deactivationMinutes: null,
    withdrawalMinutes: null,
    rewardFeePercent: (await commissionOf(client, network.target).catch(() => null)) ?? undefined,
    withdrawalFeePercent: null,
    aprPercent: null,
    apyPercent: null,
    // A double signature costs 5 %. Parameter `slash_fraction_double_sign` of the chain (read 2026-11-22).
    maxSlashingPercent: 5,
    minStake: 1n,
    maxStake: null,
    users: null,
    tvl: null,
  }
}

/** Checks at the chain that the validators of the settings exist. @throws a sentence when one of the two validators does not exist */
export async function inspect({ client, network }: MovesContext): Promise<void> {
  for (const setting of ['source', 'target'] as const) {
    const address = network[setting]
    if ((await commissionOf(client, address)) === null) throw new SettingsError(`${setting} ${address} is not a validator of this chain.`)
  }
}
