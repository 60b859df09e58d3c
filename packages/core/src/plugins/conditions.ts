import type { ConditionReading } from './network/condition-keeper.ts'
import type { NetworkSettings } from './services.ts'

/** The state of what networks stake with, as plugins keep it in this replica. */
export interface Conditions {
  /** @param look asks nobody; null before the first reading */
  add(network: NetworkSettings, look: () => ConditionReading | null): void
  /** Undefined for a network whose plugin tells none; null while it was not read yet. */
  of(network: NetworkSettings): ConditionReading | null | undefined
}

/** Makes the registry of the networks' conditions, which is empty until plugins are mounted. */
export function createConditions(): Conditions {
  const readers = new Map<NetworkSettings, () => ConditionReading | null>()
  return { add: (network, look) => void readers.set(network, look), of: (network) => readers.get(network)?.() }
}
