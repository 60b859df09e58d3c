import { join } from 'node:path'
import Database from 'better-sqlite3'

/** A data folder that belongs to this process until it is released, or until the process ends in whatever way. */
export interface DataFolderLock {
  release(): void
}

/** Files that this process holds locked: one that nobody names any more would be closed by the garbage collector, and its lock be free. */
const locks = new Set<Database.Database>()

/**
 * Takes the lock of a data folder that exists. It loads only the SQLite driver, since a process that holds the folder for others needs nothing else.
 *
 * The lock is an open exclusive transaction on a small SQLite file: the operating system frees it when the process is killed, so that nobody ever has to delete a stale
 * file.
 *
 * @returns null: another process has it
 */
export function takeDataFolder(folder: string): DataFolderLock | null {
  const file = new Database(join(folder, 'server.lock'), { timeout: 0 })
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error
    return null
  }
  locks.add(file)
  return {
    release() {
      locks.delete(file)
      file.close()
    },
  }
}
