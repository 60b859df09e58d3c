import type { Obstacle } from '@svc/contract'
import type { VaultState } from './vault-state.ts'

/** Returns the reason why the vault takes no deposits; null where it does. The actions and the shown state use this one rule. */
export function obstacleOf({ beforeHarvest, harvest }: Pick<VaultState<unknown, unknown>, 'beforeHarvest' | 'harvest'>): Obstacle | null {
  if (!beforeHarvest.totals.isHarvestRequired || harvest) return null
  return { state: 'paused', reason: 'is behind the oracles, and takes no stake until somebody harvests it' }
}
