import type { EvmChain, Scenario } from '@svc/sandbox'
import { type ControlCall, drive } from '../sandbox/index.ts'

/** The chain behind a stage, to change what a caller cannot. */
export interface Behind {
  readonly evm: EvmChain
  drive(...steps: readonly ControlCall[]): Promise<void>
  /** Puts the code at an address to another; what it keeps does not go with it. */
  copy(from: string, to: string): Promise<void>
}

/** The same scenario, and the chain that it was put on. */
export function onChain(scenario: Scenario): { scenario: Scenario; chain(): Behind } {
  let evm: EvmChain | undefined
  return {
    scenario: {
      chain: scenario.chain,
      install: (chain) => {
        evm = chain
        return scenario.install(chain)
      },
    },
    chain: () => ({
      evm: evm!,
      drive: (...steps) => drive(evm!, ...steps),
      copy: async (from, to) => evm!.setCode(to, (await evm!.rpc('eth_getCode', [from, 'latest'])) as string),
    }),
  }
}
