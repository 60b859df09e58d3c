import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { membersOf, SettingsError } from '@svc/contract'
import type { Config } from '../config/schema.ts'
import type { Peppers } from '../credentials/value.ts'
import { generateResponseKey, type ResponseKey } from '../signature/response-keys.ts'
import { generateSigningKey } from '../signature/signer.ts'

/** Name of the file in the data folder that holds the generated response key. */
export const RESPONSE_KEY_FILE = 'response-key.pem'

export type SecretSettings = Pick<Config, 'signing_key' | 'response_keys' | 'peppers' | 'database_url'>

export interface Secrets {
  /** Keys for `x-signature`: first the key that signs, then keys that are published with it. */
  readonly signingKeys: readonly [string, ...string[]]
  /** Keys that bind responses to their requests, with their states. */
  readonly responseKeys: readonly ResponseKey[]
  readonly peppers: Peppers
  /** Files that were made just now, because the config names no such secret. */
  readonly generated: readonly string[]
}

/**
 * Loads the signing key, the response keys and the peppers: those of the config, or those kept in the data folder, generated there at the first start.
 *
 * @throws SettingsError when several replicas may share the database, and would each make their own
 */
export async function loadSecrets(config: SecretSettings, dataDir: string): Promise<Secrets> {
  const generated: string[] = []
  const secretOf = async (name: string, setting: string, make: () => Promise<string>) => {
    const file = join(dataDir, name)
    const text = await readOrNull(file)
    if (text !== null) return text
    if (config.database_url)
      throw new SettingsError(
        `${setting} is missing: with a shared database every replica needs the same one. Set it in the config, or put ${name} into the data folder.`,
      )
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    generated.push(file)
    return writeOnce(file, await make())
  }
  const pems = config.signing_key === undefined ? [] : [config.signing_key].flat()
  const [first = await secretOf('signing-key.pem', 'signing_key', generateSigningKey), ...further] = pems
  const responseKeys = config.response_keys
    ? await givenResponseKeys(config.response_keys, dataDir)
    : [{ key: await secretOf(RESPONSE_KEY_FILE, 'response_keys', generateResponseKey), state: 'active' as const }]
  const [pepper = await secretOf('pepper', 'peppers', async () => randomBytes(32).toString('base64url')), ...older] = config.peppers ?? []
  return { signingKeys: [first, ...further], responseKeys, peppers: [pepper, ...older], generated }
}

/** Reads the response keys of a config, including those kept in files. @throws SettingsError when a file is not there */
export async function givenResponseKeys(settings: NonNullable<Config['response_keys']>, dataDir: string): Promise<readonly ResponseKey[]> {
  return Promise.all(
    settings.map(async ({ key, file = '', state }, index) => {
      const text = key ?? (await readOrNull(resolve(dataDir, file)))
      if (text === null) throw new SettingsError(`response_keys.${index}: there is no file ${resolve(dataDir, file)}.`)
      return { key: text, state }
    }),
  )
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (membersOf(error).code === 'ENOENT') return null
    throw new SettingsError(`${file} could not be read: ${(error as Error).message}.`)
  }
}

/** Writes a secret that is not there yet. Two processes may start at once: the first to write wins, and both use what it wrote. */
async function writeOnce(file: string, text: string): Promise<string> {
  try {
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
    return text.trim()
  } catch (error) {
    if (membersOf(error).code !== 'EEXIST') throw error
    return (await readFile(file, 'utf8')).trim()
  }
}
