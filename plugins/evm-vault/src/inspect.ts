import { SettingsError } from '@svc/contract'
import { readAmount } from '@svc/kit-evm'
import { sharedAbi, vaultAbi } from './abi.ts'
import { ask } from './chain/calls.ts'
import { servedKind } from './chain/vault-kinds.ts'
import { contextOf, deploymentOf, type VaultContext, vaultsOf } from './network.ts'

/**
 * Checks on the chain that the vaults of the settings, and the contracts around them, are the right ones.
 *
 * @throws a sentence when a vault, present or former, or the contracts around it are not what the settings say, or it cannot be served
 */
export async function inspect(ctx: VaultContext): Promise<void> {
  await Promise.all(vaultsOf(ctx.network).map((vault) => inspectVault(contextOf(ctx, vault))))
}

async function inspectVault(ctx: VaultContext): Promise<void> {
  const { vault } = ctx.network
  const { keeper, vaults_registry, os_token_controller, os_token_config } = deploymentOf(ctx.network)
  const { vaultId, version, registered, ...others } = await ask<{
    vaultId: string
    version: bigint
    registered: boolean
    keeper: string
    os_token_controller: bigint
    os_token_config: bigint
  }>(
    ctx,
    {
      vaultId: vaultAbi.question(vault, 'vaultId', []),
      version: vaultAbi.question(vault, 'version', [], readAmount),
      registered: sharedAbi.question(vaults_registry, 'vaults', [vault]),
      keeper: sharedAbi.question(keeper, 'rewardsRoot', []),
      os_token_controller: sharedAbi.question(os_token_controller, 'avgRewardPerSecond', [], readAmount),
      os_token_config: sharedAbi.question(os_token_config, 'getConfig', [vault], ({ ltvPercent }) => ltvPercent),
    },
    // The contracts themselves are in doubt.
    { malformed: 'leave out' },
  )
  if (!vaultId.ok || !version.ok) throw new SettingsError(`vault ${vault} is no vault: it does not answer vaultId() and version().`)
  const kind = servedKind(vaultId.value, Number(version.value))
  if (typeof kind === 'string') throw new SettingsError(`vault ${vault} ${kind}.`)
  if (!registered.ok) throw new SettingsError(`vaults_registry ${vaults_registry} is no registry of vaults.`)
  if (!registered.value)
    throw new SettingsError(`vault ${vault} is not in the registry ${vaults_registry}, so that it can never be harvested.`)
  for (const [name, answer] of Object.entries(others))
    if (!answer.ok) throw new SettingsError(`${name} is not the contract meant: it does not answer ${answer.method}().`)
}
