import { join } from 'node:path'
import { membersOf } from '@svc/contract'
import Database from 'better-sqlite3'
import { unavailable } from '../codes.ts'
import { prepareDataFolder } from './data-folder.ts'

/** A data folder that belongs to this process until it is released, or until the process ends in whatever way. */
export interface DataFolderLock {
  release(): void
}

/**
 * Takes a data folder for a server. Two servers on one folder would each limit and count for themselves; the command line
 * opens the same database alongside a running server and does not take this lock.
 *
 * The lock is an open exclusive transaction on a small SQLite file: the operating system frees it when the process is
 * killed, so that nobody ever has to delete a stale file.
 *
 * @throws 503 `DATA_IN_USE`; `DATA_FOLDER_UNUSABLE`
 */
export function lockDataFolder(folder: string): DataFolderLock {
  prepareDataFolder(folder)
  const file = new Database(join(folder, 'server.lock'), { timeout: 0 })
  try {
    file.exec('begin exclusive')
  } catch (err) {
    file.close()
    if (!String(membersOf(err).code).startsWith('SQLITE_BUSY')) throw err
    throw unavailable(
      'DATA_IN_USE',
      `The data folder ${folder} is in use by another server; stop that one, or give this one a folder of its own.`,
      5,
    )
  }
  return { release: () => void file.close() }
}
