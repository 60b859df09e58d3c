import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Chosen, SetupError, type TrustDocument } from '@svc/client'
import { type Intent, parseExact } from '@svc/verify/intent'
import type { HttpOptions } from './http.ts'
import type { McpOptions } from './server.ts'

/** Content of the operator's file. */
export interface Config {
  /** Path of the trust document, from the folder of this file. */
  readonly trust: string
  /** Protocols, by names that the operator chooses. */
  readonly protocols: Readonly<Record<string, ConfiguredProtocol>>
  /** Address of the service, if it differs from the one in the trust document. */
  readonly baseUrl?: string
  /** True if signed drafts may be sent. @default false */
  readonly broadcast?: boolean
  /** Options of `svc-mcp --http`. */
  readonly http?: Omit<HttpOptions, 'token'>
}

export interface ConfiguredProtocol {
  /** Package of the intent, imported from the folder of this file: `@svc/intent-evm-three`. */
  readonly intent: string
  /** Name of the intent's export, for a package that has several: `hubOne`. */
  readonly export?: string
  /** Network, in the form of X-NETWORK. @default the account's default */
  readonly network?: string
}

/** Options of a start. */
export interface StartOptions {
  readonly mcp: McpOptions
  readonly http: HttpOptions
}

type Members = Readonly<Record<string, unknown>>

/**
 * Reads the operator's file, the trust document and the intents that it names; the API key is SVC_API_KEY, the token of HTTP SVC_MCP_TOKEN.
 *
 * @throws SetupError with a sentence on what does not fit
 */
export async function readConfig(path: string, environment: Readonly<Record<string, string | undefined>>): Promise<StartOptions> {
  const file = resolve(path)
  const config = await readJson(file)
  checkConfig(config, file)
  const { SVC_API_KEY: apiKey = '', SVC_MCP_TOKEN: token } = environment
  if (apiKey === '') throw new SetupError('SVC_API_KEY is not set; the API key comes from the environment alone.')
  const trustFile = resolve(dirname(file), config.trust)
  const trust = await readJson(trustFile)
  checkTrust(trust, trustFile)
  const protocols: Record<string, Chosen> = {}
  for (const [name, each] of Object.entries(config.protocols)) {
    const intent = await importIntent(each, file)
    protocols[name] = each.network === undefined ? intent : { intent, network: each.network }
  }
  const { baseUrl, broadcast = false, http = {} } = config
  return { mcp: { trust, apiKey, protocols, broadcast, ...(baseUrl ? { baseUrl } : {}) }, http: { ...http, ...(token ? { token } : {}) } }
}

/** @throws SetupError */
async function readJson(file: string): Promise<unknown> {
  try {
    return parseExact(await readFile(file, 'utf8'))
  } catch (error) {
    throw new SetupError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

const TEXT = (value: unknown) => typeof value === 'string' && value !== ''
const TEXTS = (value: unknown) => Array.isArray(value) && value.every(TEXT)
const FLAG = (value: unknown) => typeof value === 'boolean'
const PORT = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535

/** @throws SetupError for a member that is missing, of another kind, or not known: a misspelt `broadcast` is not passed over */
function checkConfig(value: unknown, file: string): asserts value is Config {
  const kinds = { trust: TEXT, protocols: isMembers, baseUrl: TEXT, broadcast: FLAG, http: isMembers }
  const { protocols, http = {} } = members(value, file, kinds, ['trust', 'protocols'])
  for (const [name, each] of Object.entries(Object(protocols)))
    members(each, `${file}: protocols.${name}`, { intent: TEXT, export: TEXT, network: TEXT }, ['intent'])
  members(http, `${file}: http`, { host: TEXT, port: PORT, origins: TEXTS, hosts: TEXTS }, [])
}

/** Only that it is one: what is in it the client reads. @throws SetupError */
function checkTrust(value: unknown, file: string): asserts value is TrustDocument {
  if (isMembers(value) && Array.isArray(value.keys) && Array.isArray(value.protocols)) return
  throw new SetupError(`${file} is no trust document; svc trust prints one.`)
}

function members(
  value: unknown,
  where: string,
  kinds: Readonly<Record<string, (value: unknown) => boolean>>,
  required: readonly string[],
): Members {
  if (!isMembers(value)) throw new SetupError(`${where} must be an object.`)
  const missing = required.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) throw new SetupError(`${where} has no ${missing}.`)
  for (const [name, input] of Object.entries(value)) {
    const fits = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (!fits) throw new SetupError(`${where} has a member ${JSON.stringify(name)}; it may have ${Object.keys(kinds).join(', ')}.`)
    if (!fits(input)) throw new SetupError(`${where} has a ${name} of another kind: ${JSON.stringify(input).slice(0, 100)}.`)
  }
  return value
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws SetupError when the package is not in the operator's folder, or has no such intent */
async function importIntent({ intent: name, export: exportName }: ConfiguredProtocol, file: string): Promise<Intent> {
  let module: unknown
  try {
    module = await import(pathToFileURL(createRequire(file).resolve(name)).href)
  } catch (error) {
    throw new SetupError(`${name} cannot be imported from ${dirname(file)}; install it there.`, { cause: error })
  }
  const intents = Object.entries(Object(module)).filter((entry): entry is [string, Intent] => isIntent(entry[1]))
  const chosen = exportName === undefined ? intents : intents.filter(([each]) => each === exportName)
  const [only] = chosen
  if (only !== undefined && chosen.length === 1) return only[1]
  const has = intents.map(([each]) => each).join(', ') || 'none'
  throw new SetupError(`${name} has the intents ${has}; name one of them as "export".`)
}

function isIntent(value: unknown): value is Intent {
  return (
    isMembers(value) &&
    isMembers(value.family) &&
    typeof value.path === 'string' &&
    isMembers(value.actions) &&
    typeof value.describe === 'function'
  )
}
