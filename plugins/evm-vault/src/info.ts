import { type Info, SettingsError } from '@svc/contract'
import { readExitEvents } from './events.ts'
import { readHead } from './head.ts'
import { obstacle } from './kinds.ts'
import { look } from './look.ts'
import { chainOf, type VaultContext } from './network.ts'
import { ask, ofShared, ofVault } from './questions.ts'
import { annualYield, readRate } from './yield.ts'

/** Smallest stake, in wei: the vault has no minimum of its own. */
const LEAST_STAKE = 1n
/** Largest capacity: none. */
const UNLIMITED = 2n ** 256n - 1n
const NOBODY = '0x0000000000000000000000000000000000000000'

/** Terms of staking in the vault. Catches up on the vault's exits beside it, so that no request has to. */
export async function info(ctx: VaultContext): Promise<Info> {
  const [{ vault }, rate] = await Promise.all([
    look<{ capacity: bigint; feePercent: bigint }>(ctx, {
      vault: { capacity: ofVault('capacity'), feePercent: ofVault('feePercent') },
    }),
    orMissing(ctx, 'the rate', readRate(ctx)),
    orMissing(ctx, 'exits', readExitEvents(ctx, NOBODY, readHead(ctx))),
  ])
  const room = vault.capacity > vault.totalAssets ? vault.capacity - vault.totalAssets : 0n
  return {
    activationMinutes: 0,
    deactivationMinutes: ctx.network.exit_minutes,
    withdrawalMinutes: 0,
    rewardFeePercent: Number(vault.feePercent) / 100,
    withdrawalFeePercent: 0,
    aprPercent: rate,
    apyPercent: typeof rate === 'number' ? annualYield(rate) : rate,
    maxSlashingPercent: ctx.network.max_slashing_percent,
    minStake: LEAST_STAKE,
    maxStake: vault.capacity === UNLIMITED ? null : room,
    users: null,
    tvlUsd: null,
    tvl: null,
  }
}

/** @throws a sentence when the vault or the contracts around it are not what the settings say, or the vault cannot be served */
export async function inspect(ctx: VaultContext): Promise<void> {
  const { vault } = ctx.network
  const { keeper, vaults_registry, os_token_controller, os_token_config } = chainOf(ctx.network)
  const { vaultId, version, registered, ...others } = await ask<{
    vaultId: string
    version: bigint
    registered: boolean
    keeper: string
    os_token_controller: bigint
    os_token_config: bigint
  }>(ctx, {
    vaultId: ofVault('vaultId'),
    version: ofVault('version'),
    registered: ofShared(vaults_registry, 'vaults', [vault]),
    keeper: ofShared(keeper, 'rewardsRoot'),
    os_token_controller: ofShared(os_token_controller, 'avgRewardPerSecond'),
    os_token_config: ofShared(os_token_config, 'getConfig', [vault], ([config]) => config.ltvPercent),
  })
  if (!vaultId.ok || !version.ok) throw new SettingsError(`vault ${vault} is no vault: it does not answer vaultId() and version().`)
  const hindrance = obstacle(vaultId.value, Number(version.value))
  if (hindrance) throw new SettingsError(`vault ${vault} ${hindrance}.`)
  if (!registered.ok) throw new SettingsError(`vaults_registry ${vaults_registry} is no registry of vaults.`)
  if (!registered.value)
    throw new SettingsError(`vault ${vault} is not in the registry ${vaults_registry}, so that it can never be harvested.`)
  for (const [name, answer] of Object.entries(others))
    if (!answer.ok) throw new SettingsError(`${name} is not the contract meant: it does not answer ${answer.method}().`)
}

/** A value whose source may fail: its last good one then stays. */
async function orMissing<T>(ctx: VaultContext, what: string, value: Promise<T>): Promise<T | undefined> {
  try {
    return await value
  } catch (error) {
    ctx.log.warn({ err: error, network: ctx.network.chainId }, `staking-info: ${what} could not be read`)
    return undefined
  }
}
