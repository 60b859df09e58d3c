import { access, constants, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder } from '../cache.ts'
import { moduleFolder } from '../go.ts'
import type { Programs } from '../programs.ts'

export const PROGRAM = 'solana-test-validator'
/** The version that is tried; `build.sh` names it too. */
export const VERSION = '3.1.10'

/** What is built, and how. */
export const SOURCES = [moduleFolder('solana')]

/**
 * Looks for a test validator that is there already: SVC_SOLANA_TEST_VALIDATOR names it, or it is where `build.sh` puts it in the cache.
 *
 * @returns its path, or null
 */
export async function findValidator(): Promise<string | null> {
  const named = process.env.SVC_SOLANA_TEST_VALIDATOR
  const places = named ? [named] : [join(cacheFolder(process.env), 'solana', 'bin', PROGRAM)]
  for (const place of places) {
    const there = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (there) return place
  }
  return null
}

/** Why the node cannot be had without an hour's work, as a sentence; null where its program is there. */
export async function whyNot(): Promise<string | null> {
  if ((await findValidator()) !== null) return null
  const where = join(cacheFolder(process.env), 'solana')
  return `its program is not there, and is built for 40 minutes: ${join(SOURCES[0] ?? '', 'build.sh')} ${where}; or name one by SVC_SOLANA_TEST_VALIDATOR`
}

/** Takes the program that is there, and builds it where there is none. @throws Error with what Cargo wrote, or for another version */
export async function buildValidator(folder: string, programs: Programs): Promise<void> {
  let found = await findValidator()
  if (found === null) {
    const root = join(cacheFolder(process.env), 'solana')
    await programs.must('sh', [join(SOURCES[0] ?? '', 'build.sh'), root])
    found = join(root, 'bin', PROGRAM)
  }
  const version = await programs.must(found, ['--version'])
  if (!version.includes(` ${VERSION} `)) throw new Error(`${found} is ${version.trim()}, and ${VERSION} is meant.`)
  await copyFile(found, join(folder, PROGRAM))
}
