import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SettingsError } from '@svc/contract'
import { allProblems, firstProblem, parseStrict } from '@svc/contract/host'
import { Value } from 'typebox/value'
import { PROXY_NAMES } from '../base/client-address.ts'
import type { Places } from '../base/places.ts'
import { fillEnvironment, unsetVariables } from './environment.ts'
import type { ConfigInput } from './input.ts'
import { fillPort, type PortFrom, portFrom } from './port.ts'
import { type Config, ConfigSchema } from './schema.ts'

/** A config and where it came from. */
export interface LoadedConfig {
  readonly config: Config
  /** Folders are named relative to it. */
  readonly file: string
  /** Places where plugins are looked for. */
  readonly places: Places
  /** Source of the port on which the service listens; undefined: it was not determined. */
  readonly portFrom?: PortFrom
}

/**
 * Reads a config file: a TypeScript or JavaScript module that exports it by default, or JSON.
 *
 * @throws SettingsError with a sentence when the file is missing, is not one of these, or does not fit
 */
export async function loadConfig(path: string, env: NodeJS.ProcessEnv = process.env): Promise<LoadedConfig> {
  const file = resolve(path)
  const input = await readConfig(file)
  return { file, places: [file], config: parseConfig(input, env), portFrom: portFrom(input, env) }
}

/** Reads the content of a config file as it was written. @throws SettingsError with a sentence when it cannot be read */
export async function readConfig(path: string): Promise<unknown> {
  const file = resolve(path)
  if (!existsSync(file)) throw new SettingsError(`There is no config file at ${file}.`)
  return readInput(file)
}

/** Fills in the environment and the defaults of a config, and checks the whole. @throws SettingsError naming the path and what would be right */
export function parseConfig(input: unknown, env: NodeJS.ProcessEnv = process.env): Config {
  const filled = Value.Default(ConfigSchema, fillPort(fillEnvironment(input, env), env))
  const problem = firstProblem(ConfigSchema, filled, '')
  if (problem) throw new SettingsError(problem)
  const config = withServers(filled as Config, env)
  const [wrong] = crossChecks(config)
  if (wrong !== undefined) throw new SettingsError(wrong)
  return config
}

/** Adds the database and the Redis of the environment, where the config names none. */
function withServers(config: Config, env: NodeJS.ProcessEnv): Config {
  return {
    ...config,
    ...(config.database_url === undefined && env.DATABASE_URL ? { database_url: env.DATABASE_URL } : {}),
    ...(config.redis_url === undefined && env.REDIS_URL ? { redis_url: env.REDIS_URL } : {}),
  }
}

/** Lists every fault for which `parseConfig` would refuse a config, each in one sentence; empty when there is none. */
export function configProblems(input: unknown, env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const unset = unsetVariables(input, env)
  if (unset.length > 0) return unset
  const filled = Value.Default(ConfigSchema, fillEnvironment(input, env))
  const problems = allProblems(ConfigSchema, filled, '')
  return problems.length > 0 ? problems : crossChecks(withServers(filled as Config, env))
}

async function readInput(file: string): Promise<unknown> {
  const kind = extname(file)
  if (kind === '.json') {
    try {
      return parseStrict(await readFile(file, 'utf8'))
    } catch (error) {
      throw new SettingsError(`${file} is not valid JSON: ${(error as Error).message}.`)
    }
  }
  if (!['.ts', '.mts', '.js', '.mjs'].includes(kind))
    throw new SettingsError(`${file}: a config is a .ts, .mts, .js, .mjs or .json file, not ${kind || 'one without an ending'}.`)
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: ConfigInput }
    if (module.default === undefined)
      throw new SettingsError(`${file} has no default export; write \`export default defineConfig({ … })\`.`)
    return module.default
  } catch (error) {
    if (error instanceof SettingsError) throw error
    throw new SettingsError(`${file} could not be loaded: ${(error as Error).message}`)
  }
}

/** Checks what the schema cannot express. */
function crossChecks(config: Config): readonly string[] {
  return [
    ...wrongIds(config),
    ...unknownNames(config),
    ...wrongProxies(config),
    ...wrongResponseKeys(config),
    ...wrongWorkers(config),
    ...wrongSecurityText(config),
  ]
}

/**
 * Lists what is wrong with the settings of `security_txt`: a file that has run out is believed by nobody (RFC 9116, section 2.5.5), and a day that does not exist is no
 * date.
 */
function wrongSecurityText({ security_txt: settings }: Config): readonly string[] {
  if (!settings || Date.parse(settings.expires) > Date.now()) return []
  return [`security_txt.expires: ${settings.expires} is past, or no date; write one ahead, such as ${nextYear()}.`]
}

function nextYear(): string {
  return new Date(Date.now() + 364 * 86_400_000).toISOString().slice(0, 10)
}

/** Processes that serve side by side share a database that takes the writes of all, and their limits. */
function wrongWorkers({ workers, database_url, redis_url }: Config): readonly string[] {
  if (workers === 1) return []
  const lacking = [
    ...(database_url
      ? []
      : ['PostgreSQL (database_url or DATABASE_URL), since the embedded database has one writer, who would hold up all']),
    ...(redis_url ? [] : ['Redis (redis_url or REDIS_URL), or each process would count its own limits']),
  ]
  return lacking.map((what) => `workers: ${workers} processes need ${what}; or leave it at 1.`)
}

/** Lists what is wrong with ids of accounts, which stand in the database, in logs and on the command line. */
function wrongIds(config: Config): readonly string[] {
  return Object.keys(config.accounts)
    .filter((id) => !/^[a-z0-9][a-z0-9-]{0,62}$/.test(id))
    .map((id) => `accounts.${id}: an account's id is 1 to 63 small letters, digits and hyphens, and begins with a letter or digit.`)
}

/** Names in one part of the config that another part does not know, each in a sentence. */
function unknownNames(config: Config): readonly string[] {
  const problems: string[] = []
  const refuse = (path: string, value: string | undefined, names: readonly string[]) => {
    if (value === undefined || names.includes(value)) return
    problems.push(`${path}: "${value}" is not configured; known here: ${names.join(', ') || 'none'}.`)
  }
  for (const [name, plugin] of Object.entries(config.plugins)) {
    const chains = Object.keys(plugin.networks)
    if (chains.length === 0) problems.push(`plugins.${name}.networks is empty; name at least one network, or leave the plugin out.`)
    else refuse(`plugins.${name}.default_network`, plugin.default_network, chains)
  }
  for (const [id, account] of Object.entries(config.accounts)) {
    for (const name of Object.keys(account.own_addresses ?? {})) refuse(`accounts.${id}.own_addresses`, name, Object.keys(config.plugins))
    for (const [name, allowed] of Object.entries(account.plugins ?? {})) {
      const path = `accounts.${id}.plugins.${name}`
      refuse(path, name, Object.keys(config.plugins))
      const chains = Object.keys(config.plugins[name]?.networks ?? {})
      if (chains.length === 0) continue
      for (const chain of Object.keys(allowed.networks ?? {})) refuse(`${path}.networks.${chain}`, chain, chains)
      refuse(`${path}.default_network`, allowed.default_network, allowed.networks ? Object.keys(allowed.networks) : chains)
    }
  }
  return problems
}

/** Proxies that are not addresses: a mistyped one would be believed by nobody, or keep the server from starting without a word. */
function wrongProxies(config: Config): readonly string[] {
  return config.trusted_proxies.flatMap((proxy, index) => {
    const [address = '', bits, ...more] = proxy.split('/')
    const most = isIP(address) === 4 ? 32 : 128
    const fits = isIP(address) !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
    if (fits || PROXY_NAMES.includes(proxy)) return []
    return [
      `trusted_proxies.${index}: "${proxy}" is not an address such as 10.0.0.5, not a network such as 10.0.0.0/8, and none of ${PROXY_NAMES.join(', ')}.`,
    ]
  })
}

function wrongResponseKeys({ response_keys: keys }: Config): readonly string[] {
  if (!keys) return []
  const active = keys.filter(({ state }) => state === 'active').length
  return [
    ...keys.flatMap(({ key, file }, index) =>
      (key === undefined) === (file === undefined) ? [`response_keys.${index} has to have either key or file.`] : [],
    ),
    ...(active === 1 ? [] : [`response_keys: exactly one key has to be active, not ${active}.`]),
  ]
}
