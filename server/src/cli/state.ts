import { dirname, resolve } from 'node:path'
import type { Peppers, Store } from '@svc/core'
import { configPath, type GlobalOptions, load } from './config.ts'

/** The database that the config names, open beside a service that may be running. */
export interface OpenState {
  readonly store: Store
  /** Ids, in the config's order. */
  readonly accounts: readonly string[]
  /** What values are made with. */
  peppers(): Promise<Peppers>
}

/** Opens the state, works on it, and closes it. */
export async function withState<T>(options: GlobalOptions, work: (state: OpenState) => Promise<T>): Promise<T> {
  const { loadSecrets, openStore } = await import('@svc/core')
  const { config, file } = await load(configPath(options))
  const dataDir = resolve(dirname(file), config.data_dir)
  const store = await openStore({ databaseUrl: config.database_url, dataDir, log: silent })
  try {
    const peppers = async () => (await loadSecrets(config, dataDir)).peppers
    return await work({ store, accounts: Object.keys(config.accounts), peppers })
  } finally {
    await store.close()
  }
}

const nothing = () => {}
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }
