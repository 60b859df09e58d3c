import type { HubIntent } from '@svc/intent-hub'
import type { Settings } from './toml.ts'

/** Differences between two chains of the family. */
export interface CosmosFamily {
  readonly chainId: string
  /** Prefix of addresses. */
  readonly prefix: string
  readonly denom: string
  /** Package of its plugin. */
  readonly plugin: string
  readonly intent: HubIntent
  /** Gas price of transactions that are not the service's, in millionths of the denom. */
  readonly gasPrice: bigint
  /** Approximate time of a block, in seconds. */
  readonly blockSeconds: number
  /** Command line of `start`, besides its home. */
  readonly startArgs: readonly string[]
  /** Settings of config.toml and app.toml, besides addresses and ports. */
  readonly config: Settings
  readonly app: Settings
  /** Fee of the transactions that make the validators, in the denom. */
  readonly genesisFee: bigint
  /** Commission of the validators, as text. */
  readonly commission: string
  /** Changes the state that `init` wrote. */
  genesis(state: GenesisState): void
  /** True if the node answers `tx`, with index and events; false if it answers `tx_status` alone. */
  readonly keepsResults: boolean
  /** Below this a gas limit is not in danger of running out, in percent used. */
  readonly mostUsed: number
}

/** Members of `app_state` and of `consensus` in genesis.json. */
export interface GenesisState {
  // biome-ignore lint/suspicious/noExplicitAny: a document of the node's, of which each chain sets what it has
  readonly app_state: any
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly consensus: any
}
