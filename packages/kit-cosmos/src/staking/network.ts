import type { Context } from '@svc/contract'
import type { CosmosClient } from '../client.ts'
import type { CosmosSettings } from '../settings.ts'

/** Settings particular to native delegation, as a plugin sees them. */
export interface StakingSettings {
  /** Operator address of the operator's validator. */
  readonly validator: string
  /** Operator addresses of those that were it before. */
  readonly former_validators: readonly string[]
}

/** Lists the operator's validators: the present one first, then the former ones. */
export function validatorsOf({ validator, former_validators: former }: StakingSettings): readonly string[] {
  return [validator, ...former]
}

export type StakingContext = Context<CosmosClient, CosmosSettings & StakingSettings>
