import { encodeCall } from '@svc/kit-evm'
import type { Harvest } from './harvest.ts'

/** Parameter of a harvest in promised signatures. */
export const HARVEST_PARAMS = '(bytes32 root, int160 reward, uint160 unlocked, bytes32[] proof) harvest'

/** Its argument. */
export function harvestArgs({ rewardsRoot, reward, unlockedMevReward, proof }: Harvest) {
  return [rewardsRoot, reward, unlockedMevReward, proof] as const
}

/** A promised harvest as an item of a promised `multicall`. */
export function promisedHarvest(harvest: Harvest): string {
  return encodeCall(`updateState(${HARVEST_PARAMS})`, { harvest: harvestArgs(harvest) })
}
