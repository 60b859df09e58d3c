import type { EvmChain, EvmReceipt } from '@svc/sandbox-evm'
import { Interface, type InterfaceAbi } from 'ethers'
import contracts from './contracts.generated.json' with { type: 'json' }

/** Address of Pharos's staking contract: a proxy of the genesis. Mainnet genesis (read 2026-11-21). */
export const stakingAddress = '0x4100000000000000000000000000000000000000'
/** Address of the staking contract's parameters. Mainnet genesis (read 2026-11-21). */
export const chainConfigAddress = '0x3100000000000000000000000000000000000000'
/** The system sender, which alone ends epochs. It has no key. Public contract sources (read 2026-11-21). */
export const epochAdmin = '0x1111111111111111111111111111111111111111'

/** The contract's own calls, records, events and errors, from the stand-in's interface and not from the plugin. */
export const stakingAbi: InterfaceAbi = contracts.IStaking.abi

/** Supply and yearly rate of the first year, of which 100000 is all. Mainnet genesis (read 2026-11-21). */
export const genesisInflation = { supply: 10n ** 27n, rate: 9125n }

const calls = new Interface(stakingAbi)
const controls = new Interface(contracts.IStakingControl.abi)
const parameters = new Interface(contracts.IChainConfig.abi)
/** Funds from which rewards are paid, where the real chain mints them; and from which the system sender pays its transactions. In wei. */
const purse = 10n ** 28n

/** Puts the stand-ins' code at the real addresses, in epoch 0 and without pools, with the inflation of the genesis. */
export async function putStaking(chain: EvmChain): Promise<void> {
  await chain.setCode(stakingAddress, contracts.Staking.deployedBytecode)
  await chain.setCode(chainConfigAddress, contracts.ChainConfig.deployedBytecode)
  await chain.fund(stakingAddress, purse)
  await chain.fund(epochAdmin, purse)
  await control(chain, 'setInflation', genesisInflation.supply, genesisInflation.rate)
}

/** A call of the contract in an address's name, without its key. @param value wei */
export async function act(chain: EvmChain, from: string, method: string, args: readonly unknown[], value = 0n): Promise<void> {
  await chain.send({ from, to: stakingAddress, data: calls.encodeFunctionData(method, args), value })
}

/** Does what validators, governance and upgrades do, in the words of the stand-in's control interface. */
export async function control(chain: EvmChain, name: string, ...args: readonly unknown[]): Promise<void> {
  await chain.send({ from: epochAdmin, to: stakingAddress, data: controls.encodeFunctionData(name, args) })
}

/** Sets a parameter of the chain; an empty text unsets it. */
export async function configure(chain: EvmChain, key: string, value: string): Promise<void> {
  await chain.send({ from: epochAdmin, to: chainConfigAddress, data: parameters.encodeFunctionData('setConfig', [key, value]) })
}

/** Ends the epoch. @throws SandboxError `RPC_ERROR` when it has not lasted its time */
export function advanceEpoch(chain: EvmChain): Promise<EvmReceipt> {
  // Explicit, because an estimate would run through every pool several times.
  return chain.send({ from: epochAdmin, to: stakingAddress, data: calls.encodeFunctionData('advanceEpoch'), gas: 25_000_000n })
}

/** The epoch it is. */
export async function epochOf(chain: EvmChain): Promise<number> {
  return Number(await chain.call({ to: stakingAddress, data: calls.encodeFunctionData('currentEpoch') }))
}
