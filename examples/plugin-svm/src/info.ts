import { type Info, SettingsError } from '@svc/contract'
import { isProgram } from './chain.ts'
import type { VouchersContext } from './network.ts'

/** Terms of vouchers. What comes to them is the issuer's to decide, so that there is no rate. */
export async function info({ client, network }: VouchersContext): Promise<Info> {
  const sold = await isProgram(client, network.program).catch(() => false)
  return {
    activationMinutes: 0,
    deactivationMinutes: 0,
    withdrawalMinutes: 0,
    rewardFeePercent: 0,
    withdrawalFeePercent: 0,
    aprPercent: null,
    apyPercent: null,
    maxSlashingPercent: 0,
    // Vouchers are sold while their program is there.
    minStake: sold ? 1_000_000_000n : undefined,
    maxStake: null,
    users: null,
    tvl: null,
  }
}

/** Checks at the chain that the program of the settings is one. @throws a sentence when there is no program at the address of the settings */
export async function inspect({ client, network }: VouchersContext): Promise<void> {
  if (!(await isProgram(client, network.program))) throw new SettingsError(`program ${network.program} is not a program.`)
}
