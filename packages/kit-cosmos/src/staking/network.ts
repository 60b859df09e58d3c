import type { Context, NetworkBase } from '@svc/contract'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import type { CosmosNetwork } from '../settings.ts'

/** Settings particular to native delegation, as a plugin sees them. */
export interface StakingSettings {
  /** Operator address of the operator's validator. */
  readonly validator: string
}

export type StakingNetwork = NetworkBase & CosmosNetwork & StakingSettings
export type StakingContext = Context<CosmosClient, StakingSettings>

/** A protocol of native delegation: its chain, and what it is called. Data, and nothing else. */
export interface Hub {
  /** npm name of the plugin. */
  readonly name: string
  /** Two segments behind `/api/v1`: `/hub-one/native`. */
  readonly prefix: `/${string}/${string}`
  /** One line for OpenAPI. */
  readonly summary: string
  /** Title of the items of `/networks`. @default Network */
  readonly networkTitle?: string
  /** Most that a transaction may cost in fees, in native tokens, unless the operator's `max_fee` says otherwise. */
  readonly maxFee: string
  readonly chain: CosmosChain
}
