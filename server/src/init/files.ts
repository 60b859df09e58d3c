import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { membersOf } from '@svc/contract'
import { Refusal } from '../cli/refusal.ts'

/** Refuses to write a file that already exists. @throws Refusal */
export function assertAbsent(file: string): void {
  if (existsSync(file))
    throw new Refusal(
      `${file} is there, and svc init writes over nothing: change it by hand, move it away, or name another file with --config.`,
    )
}

/**
 * Writes a file that only its owner may read, unless it exists; creates its folder where there is none.
 *
 * @returns false when it is there: then it stays as it is
 * @throws Refusal when it cannot be written
 */
export async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, text, { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    const { code } = membersOf(error)
    if (code === 'EEXIST') return false
    throw new Refusal(`${file} could not be written (${String(code)}): name a folder that this user may write to.`, { cause: error })
  }
}

/** Reads a text file, without the blanks at its end. @throws Refusal */
export async function textOf(file: string): Promise<string> {
  return (
    await readFile(file, 'utf8').catch((error: Error) => {
      throw new Refusal(`${file} could not be read: ${error.message}.`)
    })
  ).trimEnd()
}
