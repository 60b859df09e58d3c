import { type EvmChain, multicallAbi, multicallAddress } from '@svc/sandbox-evm'
import { Interface, type InterfaceAbi } from 'ethers'
import contracts from './contracts.generated.json' with { type: 'json' }

/** Address of Magma's vault, which is the gMON token too. @see https://github.com/monad-crypto/protocols (read 2026-11-21) */
export const vaultAddress = '0x8498312A6B3CbD158bf0c93AbdCF29E6e4F55081'
/** Addresses of the vaults behind Magma's in this sandbox; the real addresses are read from the vault. */
export const coreVaultAddress = '0x00000000000000000000000000000000c0de0143'
export const gVaultAddress = '0x0000000000000000000000000000000060de0143'
/** Address of Monad's staking precompile. */
export const stakingAddress = '0x0000000000000000000000000000000000001000'

/** Calls, events and errors, from the stand-ins' interfaces and not from the plugin. */
export const vaultAbi: InterfaceAbi = contracts.IMagma.abi
export const coreVaultAbi: InterfaceAbi = contracts.ICoreVault.abi

/** Who pays the rewards, and owns the vault. It has no key. */
export const magmaAccount = '0x0000000000000000000000000000000000901143'

const controls = new Interface(contracts.IMagmaControl.abi)
const coreControls = new Interface(contracts.ICoreVaultControl.abi)
const calls = new Interface(vaultAbi)
const multicall = new Interface(multicallAbi)
const purse = 10n ** 30n

/** A call of a stand-in, and the value that goes with it, in wei. */
export interface ControlCall {
  readonly target: string
  readonly callData: string
  readonly value: bigint
}

/** A control of the vault, as `IMagmaControl` names it. */
export function control(name: string, ...args: readonly unknown[]): ControlCall {
  return { target: vaultAddress, callData: controls.encodeFunctionData(name, args), value: 0n }
}

/** A control of the vault behind it, as `ICoreVaultControl` names it. */
export function coreControl(name: string, ...args: readonly unknown[]): ControlCall {
  return { target: coreVaultAddress, callData: coreControls.encodeFunctionData(name, args), value: 0n }
}

/** Pays staking rewards in, in wei, before the pool's fee. */
export function reward(value: bigint): ControlCall {
  return { ...control('reward'), value }
}

/** Puts the stand-ins' code in place, empty, open to everybody and without any delay, minimum or fee. */
export async function putVault(chain: EvmChain): Promise<void> {
  await chain.setCode(vaultAddress, contracts.Magma.deployedBytecode)
  await chain.setCode(coreVaultAddress, contracts.CoreVault.deployedBytecode)
  await chain.fund(magmaAccount, purse)
  await drive(chain, control('setVaults', coreVaultAddress, gVaultAddress, magmaAccount))
}

/**
 * Puts what is needed of the staking precompile where nobody has put it.
 *
 * @returns whether it was put, so that the epochs are this scenario's
 */
export async function putValidators(chain: EvmChain): Promise<boolean> {
  if ((await chain.rpc('eth_getCode', [stakingAddress, 'latest'])) !== '0x') return false
  await chain.setCode(stakingAddress, contracts.Validators.deployedBytecode)
  return true
}

/** Tells whether the staking precompile is still the one that `putValidators` put. */
export async function hasOwnValidators(chain: EvmChain): Promise<boolean> {
  return (await chain.rpc('eth_getCode', [stakingAddress, 'latest'])) === contracts.Validators.deployedBytecode
}

/**
 * Runs controls in one transaction: all of the calls in order, or none.
 *
 * @throws SandboxError `RPC_ERROR` when a stand-in refuses one
 */
export async function drive(chain: EvmChain, ...steps: readonly ControlCall[]): Promise<void> {
  const value = steps.reduce((sum, step) => sum + step.value, 0n)
  const data = multicall.encodeFunctionData('aggregate3Value', [steps.map((step) => ({ ...step, allowFailure: false }))])
  await chain.send({ from: magmaAccount, to: multicallAddress, data, value })
}

/** The pool's assets in wei. */
export async function totalAssets(chain: EvmChain): Promise<bigint> {
  return BigInt(await chain.call({ to: vaultAddress, data: calls.encodeFunctionData('totalAssets') }))
}

/** Deposits for an address, without its key. */
export async function deposit(chain: EvmChain, owner: string, value: bigint): Promise<void> {
  await chain.send({ from: owner, to: vaultAddress, data: calls.encodeFunctionData('depositMON', [owner, 0]), value })
}

/** Asks for shares (18 decimals) to be redeemed, in an address's name, without its key. */
export async function requestRedeem(chain: EvmChain, owner: string, shares: bigint): Promise<void> {
  await chain.send({ from: owner, to: vaultAddress, data: calls.encodeFunctionData('requestRedeem', [shares, owner, owner]) })
}

/** The open request of an address. */
export async function requestIdOf(chain: EvmChain, owner: string): Promise<number> {
  return Number(await chain.call({ to: vaultAddress, data: calls.encodeFunctionData('ownerRequestId', [owner]) }))
}
