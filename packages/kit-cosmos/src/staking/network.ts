import type { Context } from '@svc/contract'
import type { CosmosClient } from '../client.ts'
import type { CosmosSettings } from '../settings.ts'

/** Settings particular to native delegation, as a plugin sees them. */
export interface StakingSettings {
  /** Operator address of the operator's validator. */
  readonly validator: string
}

export type StakingContext = Context<CosmosClient, CosmosSettings & StakingSettings>
