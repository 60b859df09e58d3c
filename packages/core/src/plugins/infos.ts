import type { Reading } from './network/terms.ts'
import type { NetworkSettings } from './services.ts'

/** The staking-info that a plugin keeps of one network. */
interface KeptInfo {
  /** npm name. */
  readonly plugin: string
  readonly network: NetworkSettings
  /** Returns the last staking-info without asking the chain; null while it is not complete. */
  look(): Reading | null
}

/** The staking-info that the plugins of this replica keep. */
export interface Infos {
  add(info: KeptInfo): void
  /** Lists the staking-info of all networks, in the order in which the plugins were mounted. */
  all(): readonly KeptInfo[]
}

/** Makes the registry of the networks' staking-info, which is empty until plugins are mounted. */
export function createInfos(): Infos {
  const infos: KeptInfo[] = []
  return { add: (info) => void infos.push(info), all: () => infos }
}
