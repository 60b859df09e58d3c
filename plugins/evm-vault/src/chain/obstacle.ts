import type { Obstacle } from '@svc/contract'
import type { VaultState } from './vault-state.ts'

/** Tells why the vault takes no deposits; null where it does. One rule for what is staked and for the state that is shown. */
export function obstacleOf({ beforeHarvest, harvest }: Pick<VaultState<unknown, unknown>, 'beforeHarvest' | 'harvest'>): Obstacle | null {
  if (!beforeHarvest.totals.isHarvestRequired || harvest) return null
  return { state: 'paused', reason: 'is behind the oracles, and takes no stake until somebody harvests it' }
}
