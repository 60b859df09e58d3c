import type { SandboxChain } from './chain.ts'
import type { CosmosChain } from './cosmos/cosmos-chain.ts'
import type { EvmChain } from './evm-chain.ts'
import type { MoveChain } from './move/index.ts'
import type { SvmChain } from './svm/index.ts'

/**
 * What a plugin's `sandbox/index.ts` exports as `scenario`: the local world its protocol lives in. Several may share a chain; a Cosmos
 * chain is made by one.
 *
 * @example export const scenario: Scenario = { chain: 'evm:143', … }
 * @example export const scenario: Scenario<CosmosChain> = { chain: 'cosmos:celestia', … }
 */
export interface Scenario<Chain extends SandboxChain = EvmChain> {
  /** The chain it is put on; started once, however many scenarios name it. */
  readonly chain: Chain['id']
  /**
   * Puts its contracts on the chain and registers its advance handler, or gives the chain its genesis. Scenarios of a chain are
   * installed one after the other, in their order, so that a later one finds the contracts of an earlier one.
   *
   * @returns what an operator would write for the plugin's network on that chain
   */
  install(chain: Chain): Promise<Installed>
}

/** What an operator would write for a network: its settings, and endpoint groups beside the chain's own. */
export interface Installed {
  readonly settings: Record<string, unknown>
  /** URLs by group, of servers that the scenario closes with the chain. */
  readonly endpoints?: Readonly<Record<string, readonly string[]>>
}

/** A scenario of whichever family. */
export type AnyScenario = Scenario<EvmChain> | Scenario<CosmosChain> | Scenario<SvmChain> | Scenario<MoveChain>
