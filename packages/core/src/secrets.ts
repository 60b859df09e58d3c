import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingsError } from '@svc/contract'
import type { Config } from './config/schema.ts'
import type { Peppers } from './keys/value.ts'
import { generateSigningKey } from './signature/signer.ts'

export interface Secrets {
  readonly signingKeyPem: string
  readonly peppers: Peppers
  /** Files that were made just now, because the config names no such secret. */
  readonly generated: readonly string[]
}

/**
 * The signing key and the peppers: the config's, or those kept in the data folder, made there at the first start.
 *
 * @throws SettingsError when several replicas may share the database, and would each make their own
 */
export async function loadSecrets(config: Pick<Config, 'signing_key' | 'peppers' | 'database_url'>, dataDir: string): Promise<Secrets> {
  const generated: string[] = []
  const kept = async (name: string, setting: string, make: () => Promise<string>) => {
    const file = join(dataDir, name)
    const found = await readOrNull(file)
    if (found !== null) return found
    if (config.database_url)
      throw new SettingsError(
        `${setting} is missing: with a shared database every replica needs the same one. Set it in the config, or put ${name} into the data folder.`,
      )
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    generated.push(file)
    return writeOnce(file, await make())
  }
  const signingKeyPem = config.signing_key ?? (await kept('signing-key.pem', 'signing_key', generateSigningKey))
  const peppers = config.peppers ?? [await kept('pepper', 'peppers', async () => randomBytes(32).toString('base64url'))]
  return { signingKeyPem, peppers: peppers as unknown as Peppers, generated }
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new SettingsError(`${file} could not be read: ${(error as Error).message}.`)
  }
}

/** Two processes may start at once: the first to write wins, and both use what it wrote. */
async function writeOnce(file: string, text: string): Promise<string> {
  try {
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
    return text.trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readFile(file, 'utf8')).trim()
  }
}
