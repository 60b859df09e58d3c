import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ConfigInput,
  type CredentialKind,
  createCredential,
  keepExampleWebhook,
  listCredentials,
  loadSecrets,
  lockDataFolder,
  NO_ACCOUNT,
  type Places,
  parseConfig,
  recorded,
  type Service,
  start,
} from '@svc/core'
import type { Sandbox, Stage } from '@svc/sandbox'
import { SANDBOX_CONFIG } from './cli/config.ts'
import { sandboxRoutes } from './sandbox-routes.ts'
import { loadWorlds, type World, type Worlds } from './scenarios.ts'
import { type Trust, trustOf } from './trust.ts'

/** Facts that programs need to find a running sandbox; the content of `sandbox.json` in the data folder. */
interface SandboxFile {
  readonly baseUrl: string
  readonly controlUrl: string
  readonly pricesUrl: string
  readonly apiKey: string
  readonly managementToken: string
  /** Sees all accounts, of which a sandbox has one. */
  readonly operatorToken: string
  readonly publicKeyPem: string
  readonly wallets: Sandbox['wallets']
  readonly chains: Sandbox['chains']
}

interface SandboxOptions {
  readonly host: string
  readonly port: number
  /** @default the port after `port`; any free one when `port` is 0 */
  readonly controlPort?: number
  readonly dataDir: string
  /** Places of the operator's packages, the plugins and the sandbox among them. */
  readonly places: Places
  readonly version: string
  /** Time that an idle connection stays open for a last request while stopping, in milliseconds. @default 0 */
  readonly idleMs?: number
  /** True if the last wallets are brought into the states of the console's examples. @default false: every wallet is as new */
  readonly examples?: boolean
  readonly progress: (line: string) => void
}

/** A service on local chains, for trying out and for tests. */
export interface SandboxService {
  readonly file: SandboxFile
  readonly path: string
  /** Path of the trust document of its account. */
  readonly trustPath: string
  readonly service: Service
  /** Stages that were made for the examples, in the order of the plugins and their networks. */
  readonly stages: readonly StagedNetwork[]
  close(): Promise<void>
}

/** The stage of a plugin's network. */
interface StagedNetwork {
  readonly plugin: string
  /** X-NETWORK. */
  readonly chainId: string
  /** Its name among the chains of `sandbox.json`. */
  readonly chain: string
  readonly stage: Stage
}

/** The one account of a sandbox. */
const ACCOUNT = 'demo'
/** The key that the examples of key management are about; nobody has a value for it. */
const EXAMPLE_KEY = '01JD4Z0V9T6E6N1S2XKQ3B7W8R'

/** Starts the local chains of every installed plugin, and the service on them. */
export async function startWithSandbox(options: SandboxOptions): Promise<SandboxService> {
  const { dataDir, places, progress } = options
  // Taken again by the service; here so that a folder in use is told before anything is started.
  lockDataFolder(dataDir).release()
  progress('loading the protocols')
  const { worlds, leftOut, sandbox: local } = await loadWorlds(places)
  for (const name of leftOut)
    progress(`leaving out ${name}: its package.json names no scenario to try it out on ("svc": { "sandbox": "./sandbox" })`)
  const chains = new Set(worlds.map(({ scenario }) => scenario.chain))
  progress(`starting ${count(chains.size, 'local chain')} for ${count(new Set(worlds.map(({ plugin }) => plugin)).size, 'protocol')}`)
  for (const chain of chains) progress(`  ${chain}`)
  const sandbox = await local.startSandbox({
    scenarios: worlds.map(({ scenario }) => scenario),
    controlPort: options.controlPort ?? (options.port === 0 ? 0 : options.port + 1),
    clock: true,
    stage: options.examples === true,
  })
  try {
    progress('starting the service')
    return await startService(options, { worlds, leftOut, sandbox: local }, sandbox)
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** A local chain that is late is a machine that has much else to do. */
const PATIENT = { timeout_ms: 15_000, deadline_ms: 25_000 }

async function startService(options: SandboxOptions, { worlds, sandbox: local }: Worlds, sandbox: Sandbox): Promise<SandboxService> {
  const { dataDir, places, host, port, version, idleMs = 0 } = options
  const secrets = await loadSecrets({}, dataDir)
  const input: ConfigInput = { ...configOf(worlds, sandbox), listen: { host, port } }
  const level = process.env.SVC_LOG_LEVEL ?? 'warn'
  const config = parseConfig({
    ...input,
    data_dir: dataDir,
    signing_key: [...secrets.signingKeys],
    response_keys: [...secrets.responseKeys],
    peppers: [...secrets.peppers],
    log_level: level,
    upstream: PATIENT,
  })
  const started = Promise.withResolvers<{ file: SandboxFile; trust: Trust }>()
  const routes = sandboxRoutes({ worlds, sandbox, local, started: started.promise })
  const service = await start(
    { config, file: places[0], places },
    { version, idleMs, amongStrangers: true, logger: { level, stream: process.stderr }, extensions: [routes] },
  )
  try {
    if (options.examples) await Promise.all([keepExampleKey(service), keepExampleWebhook(service.store, ACCOUNT, service.secrets.peppers)])
    const path = join(dataDir, 'sandbox.json')
    const file: SandboxFile = {
      baseUrl: service.address,
      controlUrl: sandbox.controlUrl,
      pricesUrl: sandbox.pricesUrl,
      ...(await credentials(service, path)),
      publicKeyPem: service.signer.publicKeyPem,
      wallets: sandbox.wallets,
      chains: sandbox.chains,
    }
    // What a customer has from the operator, as `svc trust` prints it; before the file that says that all is there.
    const trustPath = join(dataDir, 'trust.json')
    const configPath = join(dataDir, SANDBOX_CONFIG)
    const trust = await trustOf(configPath, { config, file: configPath, places }, ACCOUNT, service.address)
    await writeJson(trustPath, trust)
    // For the other commands, which find the secrets in the same folder.
    await writeJson(configPath, { ...input, data_dir: '.' })
    await writeJson(path, file)
    started.resolve({ file, trust })
    const close = async () => {
      await service.close()
      await sandbox.close()
    }
    return { file, path, trustPath, service, stages: stagesOf(worlds, sandbox), close }
  } catch (error) {
    await service.close()
    throw error
  }
}

function stagesOf(worlds: readonly World[], { stages }: Sandbox): readonly StagedNetwork[] {
  return worlds.flatMap(({ plugin, scenario: { chain } }, index) => {
    const stage = stages[index]
    return stage ? [{ plugin, chain, chainId: chain.slice(chain.indexOf(':') + 1), stage }] : []
  })
}

/** Readable by its owner alone: it may hold keys. */
async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** The networks that the scenarios describe, enabled for one account. */
function configOf(worlds: readonly World[], sandbox: Sandbox): ConfigInput {
  const plugins: Record<string, { networks: Record<string, { name: string; endpoints: Record<string, string[]> }> }> = {}
  worlds.forEach(({ plugin, scenario }, index) => {
    const chain = sandbox.chains[scenario.chain]
    if (chain === undefined) throw new Error(`expected a chain ${scenario.chain}`)
    const chainId = scenario.chain.slice(scenario.chain.indexOf(':') + 1)
    plugins[plugin] ??= { networks: {} }
    plugins[plugin].networks[chainId] = {
      name: `sandbox ${scenario.chain}`,
      endpoints: { rpc: [chain.rpcUrl], ...furtherOf(sandbox, index) },
      ...sandbox.settings[index],
    }
  })
  return {
    plugins,
    prices: { endpoints: [sandbox.pricesUrl] },
    accounts: { [ACCOUNT]: { name: 'Demo account of the sandbox' } },
    // Receivers on this machine can be tried.
    webhooks: { allow_private: true },
  }
}

/** Endpoint groups besides the chain's own, which a scenario started with it. */
function furtherOf({ endpoints }: Sandbox, index: number): Record<string, string[]> {
  return Object.fromEntries(Object.entries(endpoints[index] ?? {}).map(([group, urls]) => [group, [...urls]]))
}

/** Without a hash, so that no value opens it. It is there again after a start, whatever was done to it. */
async function keepExampleKey({ store }: Service): Promise<void> {
  const createdAt = new Date()
  const record = {
    name: 'backend',
    description: 'Of the examples in the console.',
    hash: '',
    pepper: null,
    prefix: `svc_${EXAMPLE_KEY.slice(0, 8)}`,
  }
  await store.deleteCredential({ ulid: EXAMPLE_KEY, account: ACCOUNT, kind: 'key' })
  await store.insertCredential({
    ...record,
    ulid: EXAMPLE_KEY,
    kind: 'key',
    account: ACCOUNT,
    active: false,
    expirationDate: null,
    createdAt,
    lastUsedAt: null,
  })
}

/** The key and tokens of the start before, where they are still known, so that a restart breaks no open shell. */
async function credentials(
  { store, secrets }: Service,
  path: string,
): Promise<Pick<SandboxFile, 'apiKey' | 'managementToken' | 'operatorToken'>> {
  const before = await readFile(path, 'utf8')
    .then((text) => JSON.parse(text) as Partial<SandboxFile>)
    .catch(() => ({}) as Partial<SandboxFile>)
  const keep = async (kind: CredentialKind, value: string | undefined, name: string): Promise<string> => {
    const account = kind === 'operator' ? NO_ACCOUNT : ACCOUNT
    const credential = (await listCredentials(store, account, kind)).find(({ ulid, active, expirationDate }) => {
      return active && expirationDate === null && value?.includes(ulid)
    })
    if (credential && value) return value
    const by = { account, user: 'sandbox', command: 'svc start', warn: (sentence: string) => console.error(sentence) }
    const creation = await recorded(store, by, (before) =>
      createCredential(store, secrets.peppers, new Date(), { kind, account, name }, { before }),
    )
    return creation.value
  }
  return {
    apiKey: await keep('key', before.apiKey, 'sandbox'),
    managementToken: await keep('token', before.managementToken, 'sandbox'),
    operatorToken: await keep('operator', before.operatorToken, 'sandbox'),
  }
}
