import { unavailable } from '../base/codes.ts'
import type { Log, Store } from './store.ts'

/** Location and options of the stored state. */
interface StoreOptions {
  /** `postgres://…`; wins over `dataDir`. */
  readonly databaseUrl?: string | undefined
  /** Folder of the embedded database, made when missing; `:memory:` keeps nothing. */
  readonly dataDir?: string | undefined
  readonly log: Log
  /** True for a process that answers requests: an embedded database is searched for damage first, and a write waits 2 s for another process's, instead of 60 s. @default false */
  readonly serves?: boolean
}

/**
 * Opens the database, and brings its layout up to date. Loads only the driver that is needed.
 *
 * @throws 503 `DATABASE_UNREACHABLE`, `DATABASE_NEWER`, `DATABASE_UNPREPARED`, `DATABASE_DAMAGED`, `DATA_FOLDER_UNUSABLE`, `DATABASE_UNSET`
 */
export async function openStore({ databaseUrl, dataDir, log, serves = false }: StoreOptions): Promise<Store> {
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres({ databaseUrl, log })
  }
  if (!dataDir) {
    throw unavailable('DATABASE_UNSET', 'There is no place to keep the state in; set DATABASE_URL, or name a data folder.', 60)
  }
  const { openSqlite } = await import('./sqlite.ts')
  return openSqlite({ dataDir, log, serves })
}
