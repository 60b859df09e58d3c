import { createHash, createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shortName } from '../base/short-name.ts'
import type { Config } from '../config/schema.ts'
import { judgePeppers } from '../credentials/peppers.ts'
import { type Peppers, pepperFingerprint } from '../credentials/value.ts'
import { latenessOf } from '../life/lateness.ts'
import { nameOf } from '../life/networks.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'
import { pingRedis } from '../redis/redis.ts'
import { createResponseKeys } from '../signature/response-keys.ts'
import { readSigningKeys } from '../signature/signer.ts'
import { controlWords } from './control-words.ts'
import { type DatabaseState, postgresState, reasonOf, sqliteState } from './database.ts'
import { givenResponseKeys, RESPONSE_KEY_FILE, type SecretSettings } from './secrets.ts'
import { lostWarning, validatorWords } from './validator-words.ts'

/** State of everything that the service keeps or depends on. */
export interface StateReport {
  readonly part: 'database' | 'redis' | 'signing key' | 'response keys' | 'peppers' | 'following' | 'validators' | 'control'
  readonly text: string
  readonly problem: boolean
  /** Sentence on something that works less well than it could; null: nothing. */
  readonly warning: string | null
}

type Settings = Pick<Config, 'accounts' | 'redis_url' | 'plugins'> & SecretSettings

/**
 * Checks database, Redis and secrets without changing anything: creates no folder, no key, no table.
 *
 * @param dataDir absolute path of the data folder
 * @param plugins those whose settings fit: with what they name it is compared where the wallets are
 */
export async function inspectState(config: Settings, dataDir: string, plugins: readonly LoadedPlugin[]): Promise<readonly StateReport[]> {
  const database = config.database_url ? postgresState(config.database_url) : sqliteState(dataDir)
  return Promise.all([
    report('database', async () => (await database).text),
    report('redis', () => redisState(config.redis_url)),
    report('signing key', () => signingKeyState(config, dataDir)),
    report('response keys', () => responseKeyState(config, dataDir)),
    report('peppers', () => pepperState(config, dataDir, database)),
    followingReport(config, database),
    validatorsReport(config, plugins, database),
    controlReport(config, database),
  ])
}

/** Computes the SHA-256 of a public key's SPKI in base64, for comparing keys by eye. */
export function fingerprint(publicKeyPem: string): string {
  const der = createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' })
  return `SHA256:${createHash('sha256').update(der).digest('base64').replace(/=+$/, '')}`
}

async function report(part: StateReport['part'], look: () => Promise<string>): Promise<StateReport> {
  try {
    return { part, text: await look(), problem: false, warning: null }
  } catch (error) {
    return { part, text: reasonOf(error), problem: true, warning: null }
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
  const configKeys = config.response_keys && (await givenResponseKeys(config.response_keys, dataDir))
  const [keyText, where] = configKeys
    ? [undefined, 'the config']
    : await secret(config, 'response_keys', undefined, join(dataDir, RESPONSE_KEY_FILE))
  if (!configKeys && keyText === undefined) return `none yet; the first start makes ${where}`
  const { keys } = createResponseKeys(configKeys ?? [{ key: keyText ?? '', state: 'active' }])
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

/**
 * Reports how late what is due is followed, of the networks that are configured. A service that is not running follows nothing, and that is no fault of its database.
 */
async function followingReport({ plugins }: Settings, database: Promise<DatabaseState>): Promise<StateReport> {
  const places = new Set(
    Object.entries(plugins).flatMap(([name, { networks }]) =>
      Object.keys(networks).map((network) => nameOf({ protocol: shortName(name), network })),
    ),
  )
  const { due } = await database.catch(() => ({ due: [] as const }))
  const oldest = due.filter((each) => each.ms > 0 && places.has(nameOf(each))).toSorted((one, other) => other.ms - one.ms)[0]
  const part = 'following' as const
  if (!oldest) return { part, text: 'nothing that is followed is due', problem: false, warning: null }
  const text = `the oldest that is due, of ${nameOf(oldest)}, has been waiting for ${Math.floor(oldest.ms / 1000)} s`
  const warning =
    latenessOf(oldest.ms) === 'up'
      ? null
      : `following: ${text}: no instance looks at it. Start one, with life.follow on; where one runs, see svc_followed_due_age_seconds and its log.`
  return { part, text, problem: false, warning }
}

/** Reports with which validators the wallets are that are followed, besides the present ones. */
async function validatorsReport(
  config: Settings,
  plugins: readonly LoadedPlugin[],
  database: Promise<DatabaseState>,
): Promise<StateReport> {
  const part = 'validators' as const
  const { held } = await database.catch(() => ({ held: null }))
  if (held === null) return { part, text: 'the wallets with each could not be counted', problem: false, warning: null }
  const { lost, former } = validatorWords(config, plugins, held)
  return {
    part,
    text: [...lost, ...former].join('; ') || 'no setting names a former one, and no wallet that is followed is with one',
    problem: false,
    warning: lost.length === 0 ? null : lostWarning(lost),
  }
}

/** Reports which changes of powers over what is staked with wait for the operator. */
async function controlReport(config: Settings, database: Promise<DatabaseState>): Promise<StateReport> {
  const part = 'control' as const
  // What keeps the database from being looked at is its own problem.
  const { pending } = await database.catch(() => ({ pending: new Map() }))
  const words = controlWords(config, pending)
  if (words.length === 0)
    return { part, text: 'no change of a power over what is staked with waits to be accepted', problem: false, warning: null }
  const text = `${words.length === 1 ? '1 change of a power waits' : `${words.length} changes of powers wait`} to be accepted, and nothing is staked there`
  return {
    part,
    text,
    problem: false,
    warning: `control: nothing is staked where the holder of a power is not accepted: ${words.join('; ')}.`,
  }
}

/** Finds a secret and where it is from; undefined when the first start would make it. */
async function secret(config: Settings, setting: string, text: string | undefined, file: string): Promise<[string | undefined, string]> {
  if (text !== undefined) return [text, 'the config']
  if (existsSync(file)) return [(await readFile(file, 'utf8')).trim(), file]
  if (config.database_url)
    throw new Refused(`${setting} is missing: with a shared database every replica needs the same one. Set it in the config.`)
  return [undefined, file]
}

class Refused extends Error {}
