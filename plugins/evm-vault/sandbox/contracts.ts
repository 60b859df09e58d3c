import { Interface, type InterfaceAbi } from 'ethers'
import contracts from './contracts.generated.json' with { type: 'json' }

/** A contract of the stand-ins: its code, and its interface from its own sources, not from the plugin. */
interface StandIn {
  readonly code: string
  readonly abi: Interface
  /** Calls that only the stand-in has. */
  readonly control: Interface
}

const standIn = (code: string, abi: InterfaceAbi, control: InterfaceAbi): StandIn => ({
  code,
  abi: new Interface(abi),
  control: new Interface(control),
})

export const vaultContract = standIn(contracts.Vault.deployedBytecode, contracts.IVault.abi, contracts.IVaultControl.abi)
export const keeperContract = standIn(contracts.Keeper.deployedBytecode, contracts.IKeeper.abi, contracts.IKeeperControl.abi)
export const registryContract = standIn(
  contracts.VaultsRegistry.deployedBytecode,
  contracts.IVaultsRegistry.abi,
  contracts.IVaultsRegistryControl.abi,
)
export const controllerContract = standIn(
  contracts.OsTokenController.deployedBytecode,
  contracts.IOsTokenController.abi,
  contracts.IOsTokenControllerControl.abi,
)
export const configContract = standIn(
  contracts.OsTokenConfig.deployedBytecode,
  contracts.IOsTokenConfig.abi,
  contracts.IOsTokenConfigControl.abi,
)
