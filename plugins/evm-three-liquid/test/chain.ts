import { observe } from '@svc/sandbox'
import type { EvmChain, EvmScenario } from '@svc/sandbox-evm'
import { Interface } from 'ethers'
import { type ControlCall, drive, vaultAbi, vaultAddress } from '../sandbox/index.ts'

const vault = new Interface(vaultAbi)

/** The chain behind a stage, to change what a caller cannot. */
export interface Behind {
  readonly evm: EvmChain
  drive(...steps: readonly ControlCall[]): Promise<void>
  /** What the vault itself says that shares are worth, in wei. */
  worth(shares: bigint): Promise<bigint>
  /** Puts the code at an address to another; what it keeps does not go with it. */
  copy(from: string, to: string): Promise<void>
}

/** The same scenario, and the chain that it was put on. */
export function onChain(scenario: EvmScenario): { scenario: EvmScenario; chain(): Behind } {
  const observed = observe(scenario)
  const evm = observed.chain
  return {
    scenario: observed.scenario,
    chain: () => ({
      evm: evm(),
      drive: (...steps) => drive(evm(), ...steps),
      async worth(shares) {
        const answer = await evm().call({ to: vaultAddress, data: vault.encodeFunctionData('convertToAssets', [shares]) })
        return vault.decodeFunctionResult('convertToAssets', answer)[0]
      },
      copy: async (from, to) => evm().setCode(to, (await evm().rpc('eth_getCode', [from, 'latest'])) as string),
    }),
  }
}
