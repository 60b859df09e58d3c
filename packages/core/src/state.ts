import { createHash, createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config/schema.ts'
import { judgePeppers } from './keys/peppers.ts'
import { type Peppers, pepperFingerprint } from './keys/value.ts'
import { pingRedis } from './redis.ts'
import { givenResponseKeys, RESPONSE_KEY_FILE, type SecretSettings } from './secrets.ts'
import { createResponseKeys } from './signature/response-keys.ts'
import { readSigningKeys } from './signature/signer.ts'
import { type DatabaseState, postgresState, reasonOf, sqliteState } from './state-database.ts'

/** What the service keeps or leans on, as it is found. */
export interface StateReport {
  readonly part: 'database' | 'redis' | 'signing key' | 'response keys' | 'peppers'
  readonly text: string
  readonly problem: boolean
}

type Settings = Pick<Config, 'redis_url'> & SecretSettings

/**
 * Looks at database, Redis and secrets without changing anything: makes no folder, no key, no table.
 *
 * @param dataDir absolute path of the data folder
 */
export async function inspectState(config: Settings, dataDir: string): Promise<readonly StateReport[]> {
  const database = config.database_url ? postgresState(config.database_url) : sqliteState(dataDir)
  return Promise.all([
    report('database', async () => (await database).text),
    report('redis', () => redisState(config.redis_url)),
    report('signing key', () => signingKeyState(config, dataDir)),
    report('response keys', () => responseKeyState(config, dataDir)),
    report('peppers', () => pepperState(config, dataDir, database)),
  ])
}

/** SHA-256 of a public key's SPKI in base64, to compare keys by eye. */
export function fingerprint(publicKeyPem: string): string {
  const der = createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' })
  return `SHA256:${createHash('sha256').update(der).digest('base64').replace(/=+$/, '')}`
}

async function report(part: StateReport['part'], look: () => Promise<string>): Promise<StateReport> {
  try {
    return { part, text: await look(), problem: false }
  } catch (error) {
    return { part, text: reasonOf(error), problem: true }
  }
}

async function redisState(url: string | undefined): Promise<string> {
  if (!url) return 'not used; each replica limits on its own'
  await pingRedis(url)
  return `answers at ${new URL(url).host}`
}

async function signingKeyState(config: Settings, dataDir: string): Promise<string> {
  const [pem, where] = await secret(config, 'signing_key', [config.signing_key ?? []].flat()[0], join(dataDir, 'signing-key.pem'))
  if (pem === undefined) return `none yet; the first start makes ${where}`
  const further = [config.signing_key ?? []].flat().slice(1)
  const { publicKeyPem, keyId, keys } = readSigningKeys(pem, further)
  const bits = createPublicKey(publicKeyPem).asymmetricKeyDetails?.modulusLength
  const others = keys.length > 1 ? `, ${keys.length - 1} more published` : ''
  return `RSA ${bits}, ${fingerprint(publicKeyPem)}, key ${keyId.slice(0, 8)}…, from ${where}${others}`
}

async function responseKeyState(config: Settings, dataDir: string): Promise<string> {
  const given = config.response_keys && (await givenResponseKeys(config.response_keys, dataDir))
  const [made, where] = given
    ? [undefined, 'the config']
    : await secret(config, 'response_keys', undefined, join(dataDir, RESPONSE_KEY_FILE))
  if (!given && made === undefined) return `none yet; the first start makes ${where}`
  const { keys } = createResponseKeys(given ?? [{ key: made ?? '', state: 'active' }])
  return `Ed25519 ${keys.map(({ jwk, state }) => `${jwk.kid} ${state}`).join(', ')}, from ${where}`
}

async function pepperState(config: Settings, dataDir: string, database: Promise<DatabaseState>): Promise<string> {
  const [text, where] = await secret(config, 'peppers', config.peppers?.[0], join(dataDir, 'pepper'))
  if (text === undefined) return `none yet; the first start makes ${where}`
  const [first = text, ...older] = config.peppers ?? []
  const peppers: Peppers = [first, ...older]
  // What keeps the database from being looked at is its own problem.
  const { peppers: counts } = await database.catch(() => ({ peppers: [] }))
  const { refusal, warning } = judgePeppers(counts, peppers)
  const problem = refusal ?? warning
  if (problem !== undefined) throw new Refused(problem.replace(/^peppers: /, ''))
  return `${peppers.length} (${peppers.map(pepperFingerprint).join(', ')}), from ${where}`
}

/** A secret and where it is from; undefined when the first start would make it. */
async function secret(config: Settings, setting: string, given: string | undefined, file: string): Promise<[string | undefined, string]> {
  if (given !== undefined) return [given, 'the config']
  if (existsSync(file)) return [(await readFile(file, 'utf8')).trim(), file]
  if (config.database_url)
    throw new Refused(`${setting} is missing: with a shared database every replica needs the same one. Set it in the config.`)
  return [undefined, file]
}

class Refused extends Error {}
