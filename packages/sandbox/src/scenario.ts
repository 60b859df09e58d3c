import type { EvmChain } from './evm-chain.ts'

/** What a plugin's `sandbox/index.ts` exports as `scenario`: the local world its protocol lives in. Several may share a chain. */
export interface Scenario {
  /** The chain it is put on; started once, however many scenarios name it. */
  readonly chain: `evm:${number}`
  /**
   * Puts its contracts on the chain and registers its advance handler. Scenarios of a chain are installed one after the
   * other, in their order, so that a later one finds the contracts of an earlier one.
   *
   * @returns the settings of the plugin's network on that chain: what an operator would write besides the endpoints
   */
  install(chain: EvmChain): Promise<{ settings: Record<string, unknown> }>
}
