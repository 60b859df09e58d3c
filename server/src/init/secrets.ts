import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { type ConfigInput, generateResponseKey, generateSigningKey } from '@svc/core'
import { Refusal } from '../cli/refusal.ts'
import { assertAbsent, textOf, writeNew } from './files.ts'

/** Answer for secrets that the service is to have from its environment. */
export const ENVIRONMENT = 'environment'
/** File with the secrets for the environment, in a form that a shell reads. */
const ENVIRONMENT_FILE = 'svc.env'

/** Places of the secrets. */
interface SecretPlaces {
  /** The config's folder. */
  readonly folder: string
  /** A folder, relative to the config's, or `environment`. */
  readonly secrets: string
  /** Path under which the service will find that folder; it may hold `${NAME}`. @default the folder's own */
  readonly secretsAt?: string | undefined
}

/** Addresses that hold a password, by the name of their setting. */
type Addresses = Readonly<Partial<Record<'database_url' | 'redis_url', string>>>

/** Secrets that were put somewhere. */
export interface PlacedSecrets {
  /** Settings of the config, which name the places. */
  readonly settings: Pick<ConfigInput, 'signing_key' | 'response_keys' | 'peppers' | 'database_url' | 'redis_url'>
  /** Files that were written, and those that were there and are used. */
  readonly written: readonly string[]
  readonly reused: readonly string[]
}

/** Names of the secrets: as files, which examples/deploy has under the same names, and as variables. */
const NAMES = {
  pepper: 'SVC_PEPPER',
  signing_key: 'SVC_SIGNING_KEY',
  response_key: 'SVC_RESPONSE_KEY',
  database_url: 'DATABASE_URL',
  redis_url: 'REDIS_URL',
} as const
type Name = keyof typeof NAMES

/**
 * Makes pepper, RSA key and response key, and stores them, with the addresses that contain a password, in the place that the config will name. Shows none of them. An
 * existing secret is used.
 *
 * @throws Refusal when a file cannot be written, or holds another address than the one given
 */
export async function placeSecrets(places: SecretPlaces, addresses: Addresses): Promise<PlacedSecrets> {
  const made: Readonly<Partial<Record<Name, string>>> = {
    // 256 bits, as the service makes its own.
    pepper: randomBytes(32).toString('base64url'),
    signing_key: (await generateSigningKey()).trim(),
    response_key: (await generateResponseKey()).trim(),
    ...addresses,
  }
  const names = Object.keys(made) as Name[]
  const { written, reused, placeOf } =
    places.secrets === ENVIRONMENT ? await intoEnvironment(places, made, names) : await intoFolder(places, made, names)
  return {
    written,
    reused,
    settings: {
      signing_key: placeOf('signing_key'),
      response_keys: [{ key: placeOf('response_key'), state: 'active' }],
      peppers: [placeOf('pepper')],
      ...(addresses.database_url === undefined ? {} : { database_url: placeOf('database_url') }),
      ...(addresses.redis_url === undefined ? {} : { redis_url: placeOf('redis_url') }),
    },
  }
}

interface Placement {
  readonly written: readonly string[]
  readonly reused: readonly string[]
  placeOf(name: Name): string
}

async function intoFolder(
  { folder, secrets, secretsAt }: SecretPlaces,
  made: Readonly<Partial<Record<Name, string>>>,
  names: readonly Name[],
): Promise<Placement> {
  const at = resolve(folder, secrets)
  const written: string[] = []
  const reused: string[] = []
  for (const name of names) {
    const file = join(at, name)
    const text = made[name] ?? ''
    if (await writeNew(file, `${text}\n`)) written.push(file)
    else {
      const isAddress = name === 'database_url' || name === 'redis_url'
      if (isAddress && (await textOf(file)) !== text)
        throw new Refusal(`${file} is there and holds another address: take it away, or leave the option out and write the file by hand.`)
      reused.push(file)
    }
  }
  return { written, reused, placeOf: (name) => `\${file:${join(secretsAt ?? at, name)}}` }
}

async function intoEnvironment(
  { folder }: SecretPlaces,
  made: Readonly<Partial<Record<Name, string>>>,
  names: readonly Name[],
): Promise<Placement> {
  const file = join(folder, ENVIRONMENT_FILE)
  assertAbsent(file)
  const lines = names.map((name) => `${NAMES[name]}='${(made[name] ?? '').replaceAll("'", "'\\''")}'`)
  await writeNew(file, `${lines.join('\n')}\n`)
  return { written: [file], reused: [], placeOf: (name) => `\${${NAMES[name]}}` }
}
