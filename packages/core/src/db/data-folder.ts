import { accessSync, constants, mkdirSync } from 'node:fs'
import { membersOf } from '@svc/contract'
import { unavailable } from '../base/codes.ts'

/** Makes the data folder when it is missing, readable by its owner alone. @throws 503 `DATA_FOLDER_UNUSABLE` when it cannot be made or written to */
export function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK)
  } catch (err) {
    const reason = membersOf(err).code ?? String(err)
    throw unavailable(
      'DATA_FOLDER_UNUSABLE',
      `The data folder ${folder} cannot be used (${reason}); name one that this user may write to.`,
      60,
      err,
    )
  }
}
