import { createHash, createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { Config } from './config/schema.ts'
import { knownMigrations, pendingMigrations } from './db/migrations.ts'
import { pingRedis } from './redis.ts'
import { createSigner } from './signature/signer.ts'

/** What the service keeps or leans on, as it is found. */
export interface StateReport {
  readonly part: 'database' | 'redis' | 'signing key' | 'peppers'
  readonly text: string
  readonly problem: boolean
}

type Settings = Pick<Config, 'database_url' | 'redis_url' | 'signing_key' | 'peppers'>

/**
 * Looks at database, Redis and secrets without changing anything: makes no folder, no key, no table.
 *
 * @param dataDir absolute path of the data folder
 */
export async function inspectState(config: Settings, dataDir: string): Promise<readonly StateReport[]> {
  return Promise.all([
    report('database', () => (config.database_url ? postgresState(config.database_url) : sqliteState(dataDir))),
    report('redis', () => redisState(config.redis_url)),
    report('signing key', () => signingKeyState(config, dataDir)),
    report('peppers', () => pepperState(config, dataDir)),
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

async function sqliteState(dataDir: string): Promise<string> {
  const file = join(dataDir, 'service.sqlite')
  if (!existsSync(file)) return `embedded, none yet; the first start makes ${file}`
  const database = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const started = database.prepare(`select 1 from sqlite_master where name = 'svc_migrations'`).get() !== undefined
    const applied = started ? database.prepare<[], { at: number }>('select at from svc_migrations').all() : []
    return `embedded, ${file}, ${layout('sqlite', applied)}`
  } finally {
    database.close()
  }
}

async function postgresState(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_500 })
  client.on('error', () => {})
  const where = `PostgreSQL at ${client.host}:${client.port}/${client.database ?? ''}`
  try {
    await client.connect()
    const { rows } = await client.query<{ found: boolean }>(`select to_regclass('svc_migrations') is not null as found`)
    const applied = rows[0]?.found ? (await client.query<{ at: string }>('select at from svc_migrations')).rows : []
    return `${where}, ${layout(
      'postgres',
      applied.map(({ at }) => ({ at: Number(at) })),
    )}`
  } catch (error) {
    throw new Refused(`${where} cannot be used: ${reasonOf(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}

function layout(dialect: 'sqlite' | 'postgres', applied: readonly { readonly at: number }[]): string {
  const pending = pendingMigrations(
    knownMigrations(dialect),
    applied.map(({ at }) => at),
  )
  if (pending.length === 0) return 'up to date'
  return applied.length === 0
    ? 'empty; the first start prepares it'
    : `${pending.length} change(s) of its layout pending; the next start makes them`
}

async function redisState(url: string | undefined): Promise<string> {
  if (!url) return 'not used; each replica limits on its own'
  await pingRedis(url)
  return `answers at ${new URL(url).host}`
}

async function signingKeyState(config: Settings, dataDir: string): Promise<string> {
  const [pem, where] = await secret(config, 'signing_key', config.signing_key, join(dataDir, 'signing-key.pem'))
  if (pem === undefined) return `none yet; the first start makes ${where}`
  const { publicKeyPem } = createSigner({ privateKeyPem: pem })
  const bits = createPublicKey(publicKeyPem).asymmetricKeyDetails?.modulusLength
  return `RSA ${bits}, ${fingerprint(publicKeyPem)}, from ${where}`
}

async function pepperState(config: Settings, dataDir: string): Promise<string> {
  const [text, where] = await secret(config, 'peppers', config.peppers?.[0], join(dataDir, 'pepper'))
  if (text === undefined) return `none yet; the first start makes ${where}`
  return `${config.peppers?.length ?? 1}, from ${where}`
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

/** Several addresses of one host fail as one error without a message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
