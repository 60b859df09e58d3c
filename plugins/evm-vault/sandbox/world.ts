import type { EvmChain, EvmReceipt } from '@svc/sandbox-evm'
import { AbiCoder, concat, type Interface, keccak256 } from 'ethers'
import { type Deployment, deployments } from '../src/addresses.ts'
import { configContract, controllerContract, keeperContract, registryContract, vaultContract } from './contracts.ts'

/** The genesis vaults, by chain id. @see https://github.com/stakewise/v3-core/tree/main/deployments (read 2026-11-21) */
export const vaultAddresses: Readonly<Record<number, string>> = {
  1: '0xAC0F906E433d58FA868F936E8A43230473652885',
  560048: '0xba447498DC4c169f2b4f427B2c4D532320457E89',
}

/** Who does what oracles, validators and admins do. It has no key. */
export const operator = '0x00000000000000000000000000000000000C0DE0'
/** Code behind the vault's proxy, by its name: the stand-in has its code at the vault's own address. */
export const implementation = '0x00000000000000000000000000000000c0de0005'
/** Wei that it has. */
const operatorFunds = 10n ** 27n
/** A loan to value of nine tenths. @see https://github.com/stakewise/v3-core/blob/main/script/Network.sol (read 2026-11-21) */
const ltv = 9n * 10n ** 17n
/** Growth of an osToken in a second, where 1e18 is all: about 3 % a year. */
const osTokenGrowth = 10n ** 9n
/** Seconds from an exit request to its claim in a public vault of version 5. */
export const claimDelay = 54_000

/** Report of the oracles on the vault: the data behind the hash in `RewardsUpdated`. */
export interface Report {
  readonly rewardsRoot: string
  readonly reward: bigint
  readonly unlockedMevReward: bigint
  readonly proof: readonly string[]
}

/** The contracts on a chain, and what their surroundings do. */
export interface World<Chain extends VaultChain = EvmChain> {
  readonly chain: Chain
  readonly vault: string
  readonly shared: Deployment
  /** The latest report of the oracles; null before the first. */
  readonly report: Report | null
  /** A read of the vault; its first value. @param block another than the latest */
  read<T>(method: string, args?: readonly unknown[], block?: number): Promise<T>
  /** A read of a contract that vaults share. */
  readShared<T>(contract: 'keeper' | 'os_token_controller', method: string, args?: readonly unknown[]): Promise<T>
  /** A call of the vault's own, from any account and without its key. */
  act(from: string, method: string, args?: readonly unknown[], value?: bigint): Promise<EvmReceipt>
  /** Calls a control that only the stand-ins have. */
  control(
    contract: 'vault' | 'keeper' | 'os_token_controller' | 'os_token_config' | 'vaults_registry',
    method: string,
    ...args: readonly unknown[]
  ): Promise<void>
  /** An oracle update: rewards since the vault's creation in wei, also negative ones. */
  publish(reward: bigint): Promise<Report>
  /** Brings a report into the vault. @default the latest one */
  harvest(report?: Report): Promise<EvmReceipt>
}

/** A chain on which the stand-ins can be set up: the sandbox's, or a node of which somebody else has the keys. */
export type VaultChain = Pick<EvmChain, 'id' | 'chainId' | 'rpc' | 'send' | 'setCode' | 'fund'>

const worlds = new WeakMap<EvmChain, World>()

/** The world that was put on a chain. */
export function worldOf(chain: EvmChain): World {
  const world = worlds.get(chain)
  if (!world) throw new TypeError(`no vault was put on ${chain.id}`)
  return world
}

/** Puts the stand-ins at the real addresses: an EthVault of version 5 without depositors and validators, with a fee of a tenth. */
export async function putVault(chain: EvmChain, capacity = 2n ** 256n - 1n): Promise<World> {
  const world = await setUpVault(chain, capacity, claimDelay)
  worlds.set(chain, world)
  return world
}

/** Puts another vault on the chain of a world, which deposits can go to: of the same kind, empty and without validators. */
export async function putAnotherVault({ chain, shared, control }: World, at: string): Promise<void> {
  await chain.setCode(at, vaultContract.code)
  await control('vaults_registry', 'setVault', at, true)
  const set = (method: string, args: readonly unknown[]) =>
    chain.send({ from: operator, to: at, data: vaultContract.control.encodeFunctionData(method, args) })
  const { keeper, os_token_controller: controller, os_token_config: config } = shared
  await set('configure', [keeper, controller, config, claimDelay, 2n ** 256n - 1n, 1000])
  await set('setKind', ['EthVault'])
}

/** The code of the stand-ins, by address. @throws TypeError where no vault is known on the chain */
export function vaultCodes(chainId: number): readonly (readonly [address: string, code: string])[] {
  const { vault, shared } = addressesOn(chainId)
  return [
    [vault, vaultContract.code],
    [shared.keeper, keeperContract.code],
    [shared.vaults_registry, registryContract.code],
    [shared.os_token_controller, controllerContract.code],
    [shared.os_token_config, configContract.code],
    [shared.os_token_config_v1, configContract.code],
  ]
}

function addressesOn(chainId: number): { readonly vault: string; readonly shared: Deployment } {
  const [vault, shared] = [vaultAddresses[chainId], deployments[chainId]]
  if (!vault || !shared) throw new TypeError(`no vault is known on chain ${chainId}`)
  return { vault, shared }
}

/**
 * Does what `putVault` does on any chain.
 *
 * @param delay seconds from an exit request to its claim
 */
export async function setUpVault<Chain extends VaultChain>(chain: Chain, capacity: bigint, delay: number): Promise<World<Chain>> {
  const { vault, shared } = addressesOn(chain.chainId)
  for (const [address, code] of vaultCodes(chain.chainId)) await chain.setCode(address, code)
  await chain.fund(operator, operatorFunds)
  const world = worldOn(chain, vault, shared)
  await world.control('vaults_registry', 'setVault', vault, true)
  await world.control('keeper', 'configure', shared.vaults_registry)
  await world.control('os_token_config', 'setLtv', ltv)
  await chain.send({ from: operator, to: shared.os_token_config_v1, data: configContract.control.encodeFunctionData('setLtvV1', [9000]) })
  await world.control('os_token_controller', 'set', 10n ** 24n, 96n * 10n ** 22n, osTokenGrowth)
  await world.control('vault', 'configure', shared.keeper, shared.os_token_controller, shared.os_token_config, delay, capacity, 1000)
  await world.control('vault', 'setKind', 'EthVault')
  await world.control('vault', 'setPowers', implementation, operator, operator)
  return world
}

function worldOn<Chain extends VaultChain>(chain: Chain, vault: string, shared: Deployment): World<Chain> {
  const contracts = {
    vault: { at: vault, ...vaultContract },
    keeper: { at: shared.keeper, ...keeperContract },
    os_token_controller: { at: shared.os_token_controller, ...controllerContract },
    os_token_config: { at: shared.os_token_config, ...configContract },
    vaults_registry: { at: shared.vaults_registry, ...registryContract },
  }
  const reports: Report[] = []
  const read = async <T>(to: string, abi: Interface, method: string, args: readonly unknown[], block?: number): Promise<T> => {
    const call = { to, data: abi.encodeFunctionData(method, args) }
    const answer = await chain.rpc('eth_call', [call, block === undefined ? 'latest' : `0x${block.toString(16)}`])
    const result = abi.decodeFunctionResult(method, String(answer))
    // The caller says what it is.
    const [value] = result.length === 1 ? [...result] : [result]
    return value
  }
  const world: World<Chain> = {
    chain,
    vault,
    shared,
    get report() {
      return reports.at(-1) ?? null
    },
    read: (method, args = [], block) => read(vault, vaultContract.abi, method, args, block),
    readShared: (contract, method, args = []) => read(contracts[contract].at, contracts[contract].abi, method, args),
    act: (from, method, args = [], value = 0n) =>
      chain.send({ from, to: vault, data: vaultContract.abi.encodeFunctionData(method, args), value }),
    async control(contract, method, ...args) {
      const { at: to, control } = contracts[contract]
      await chain.send({ from: operator, to, data: control.encodeFunctionData(method, args) })
    },
    async publish(reward) {
      const report = reportOf(vault, reward, BigInt(reports.length))
      await world.control('keeper', 'publish', report.rewardsRoot, osTokenGrowth, `sandbox-${reports.length + 1}`)
      reports.push(report)
      return report
    },
    async harvest(report = reports.at(-1)) {
      if (!report) throw new TypeError('the oracles have not reported yet')
      return world.act(operator, 'updateState', [report])
    },
  }
  return world
}

/** A report of two vaults: this one, and one that does not exist. @param number of the report, so that no two roots are alike */
export function reportOf(vault: string, reward: bigint, number: bigint): Report {
  const other = leafOf(operator, number, 0n)
  const own = leafOf(vault, reward, 0n)
  const rewardsRoot = keccak256(concat(BigInt(own) < BigInt(other) ? [own, other] : [other, own]))
  return { rewardsRoot, reward, unlockedMevReward: 0n, proof: [other] }
}

/** A leaf of the oracles' tree. */
export function leafOf(vault: string, reward: bigint, unlockedMevReward: bigint): string {
  const values = AbiCoder.defaultAbiCoder().encode(['address', 'int160', 'uint160'], [vault, reward, unlockedMevReward])
  return keccak256(keccak256(values))
}
