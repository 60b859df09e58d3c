// What stands on the chain besides the node's own rules. The protocol's own contracts cannot be had here, so these are the models of the plugin's sandbox: their
// code is run by the node for real, but it is not the protocol's.
export { setUpVault, type VaultChain, vaultCodes, type World } from '@svc/plugin-evm-vault/sandbox'
export { type EvmCall, type EvmReceipt, multicallAddress, multicallCode } from '@svc/sandbox-evm'
