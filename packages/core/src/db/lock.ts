import type { ServiceError } from '@svc/contract'
import { unavailable } from '../base/codes.ts'
import { prepareDataFolder } from './data-folder.ts'
import { type DataFolderLock, takeDataFolder } from './lock-file.ts'

export type { DataFolderLock }

/**
 * Locks a data folder for a server: two servers on one folder would each limit and count for themselves. The command line opens the same database alongside a running
 * server, and does not take this lock.
 *
 * @throws 503 `DATA_IN_USE`; `DATA_FOLDER_UNUSABLE`
 */
export function lockDataFolder(folder: string): DataFolderLock {
  prepareDataFolder(folder)
  const lock = takeDataFolder(folder)
  if (lock === null) throw dataInUse(folder)
  return lock
}

/** Makes the 503 for a data folder that another server has locked. */
export function dataInUse(folder: string): ServiceError {
  return unavailable(
    'DATA_IN_USE',
    `The data folder ${folder} is in use by another server; stop that one, or give this one a folder of its own.`,
    5,
  )
}
