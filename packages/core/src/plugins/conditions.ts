import type { ConditionReading } from './network/condition-keeper.ts'
import type { NetworkSettings } from './services.ts'

/** Conditions of the validators, pools or vaults of networks, as the plugins of this replica keep them. */
export interface Conditions {
  /** Adds a network. @param look returns the last reading without asking the chain; null before the first reading */
  add(network: NetworkSettings, look: () => ConditionReading | null): void
  /** Returns the last reading of a network; undefined where the plugin tells no conditions, null before the first reading. */
  of(network: NetworkSettings): ConditionReading | null | undefined
}

/** Makes the registry of the networks' conditions, which is empty until plugins are mounted. */
export function createConditions(): Conditions {
  const readers = new Map<NetworkSettings, () => ConditionReading | null>()
  return { add: (network, look) => void readers.set(network, look), of: (network) => readers.get(network)?.() }
}
