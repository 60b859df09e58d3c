import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ConfigInput,
  createCredential,
  installedPlugins,
  listCredentials,
  loadPlugin,
  loadSecrets,
  lockDataFolder,
  parseConfig,
  type Service,
  start,
} from '@svc/core'
import { type Sandbox, type Scenario, startSandbox } from '@svc/sandbox'
import { SANDBOX_CONFIG } from './cli/config.ts'

/** What programs need to find a running sandbox; the content of `sandbox.json` in the data folder. */
export interface SandboxFile {
  readonly baseUrl: string
  readonly controlUrl: string
  readonly apiKey: string
  readonly managementToken: string
  readonly publicKeyPem: string
  readonly wallets: Sandbox['wallets']
  readonly chains: Sandbox['chains']
}

export interface SandboxOptions {
  readonly host: string
  readonly port: number
  /** @default the port after `port`; any free one when `port` is 0 */
  readonly controlPort?: number
  readonly dataDir: string
  /** Package whose direct dependencies are looked through for plugins. */
  readonly from: string
  readonly version: string
  /** How long, while stopping, an idle connection stays open for a last request, in milliseconds. @default 0 */
  readonly idleMs?: number
  readonly progress: (line: string) => void
}

/** A service on local chains, for trying out and for tests. */
export interface SandboxService {
  readonly file: SandboxFile
  readonly path: string
  readonly service: Service
  close(): Promise<void>
}

/** The one account of a sandbox. */
const ACCOUNT = 'demo'

/** Starts the local chains of every installed plugin, and the service on them. */
export async function startWithSandbox(options: SandboxOptions): Promise<SandboxService> {
  const { dataDir, from, progress } = options
  // Taken again by the service; here so that a folder in use is told before anything is started.
  lockDataFolder(dataDir).release()
  progress('loading the protocols')
  const worlds = await loadScenarios(from)
  const chains = new Set(worlds.map(({ scenario }) => scenario.chain))
  progress(`starting ${count(chains.size, 'local chain')} for ${count(new Set(worlds.map(({ plugin }) => plugin)).size, 'protocol')}`)
  for (const chain of chains) progress(`  ${chain}`)
  const sandbox = await startSandbox({
    scenarios: worlds.map(({ scenario }) => scenario),
    controlPort: options.controlPort ?? (options.port === 0 ? 0 : options.port + 1),
    clock: true,
  })
  try {
    progress('starting the service')
    return await startService(options, worlds, sandbox)
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

async function startService(options: SandboxOptions, worlds: readonly World[], sandbox: Sandbox): Promise<SandboxService> {
  const { dataDir, from, host, port, version, idleMs = 0 } = options
  const secrets = await loadSecrets({}, dataDir)
  const input: ConfigInput = { ...configOf(worlds, sandbox), listen: { host, port } }
  const level = process.env.SVC_LOG_LEVEL ?? 'warn'
  const config = parseConfig({
    ...input,
    data_dir: dataDir,
    signing_key: secrets.signingKeyPem,
    peppers: [...secrets.peppers],
    log_level: level,
  })
  const service = await start({ config, file: from }, { version, idleMs, logger: { level, stream: process.stderr } })
  try {
    const path = join(dataDir, 'sandbox.json')
    const file: SandboxFile = {
      baseUrl: service.address,
      controlUrl: sandbox.controlUrl,
      ...(await credentials(service, path)),
      publicKeyPem: service.signer.publicKeyPem,
      wallets: sandbox.wallets,
      chains: sandbox.chains,
    }
    await writeJson(path, file)
    // For the other commands, which find the secrets in the same folder.
    await writeJson(join(dataDir, SANDBOX_CONFIG), { ...input, data_dir: '.' })
    const close = async () => {
      await service.close()
      await sandbox.close()
    }
    return { file, path, service, close }
  } catch (error) {
    await service.close()
    throw error
  }
}

/** Readable by its owner alone: it may hold keys. */
async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

interface World {
  readonly plugin: string
  readonly scenario: Scenario
}

/** The scenarios of the installed plugins that bring one, in the order of the package's dependencies. */
async function loadScenarios(from: string): Promise<readonly World[]> {
  const worlds: World[] = []
  for (const plugin of await installedPlugins(from)) {
    const { manifest } = await loadPlugin(plugin, from)
    if (!manifest.svc?.sandbox) continue
    const made = (await import(`${plugin}/sandbox`)) as { scenario?: Scenario; scenarios?: readonly Scenario[] }
    for (const scenario of made.scenarios ?? (made.scenario ? [made.scenario] : [])) worlds.push({ plugin, scenario })
  }
  return worlds
}

/** The networks that the scenarios describe, enabled for one account. */
function configOf(worlds: readonly World[], sandbox: Sandbox): ConfigInput {
  const plugins: Record<string, { networks: Record<string, { name: string; endpoints: Record<string, string[]> }> }> = {}
  worlds.forEach(({ plugin, scenario }, index) => {
    const chainId = scenario.chain.slice(scenario.chain.indexOf(':') + 1)
    plugins[plugin] ??= { networks: {} }
    plugins[plugin].networks[chainId] = {
      name: `sandbox ${scenario.chain}`,
      endpoints: { rpc: [sandbox.chains[scenario.chain]!.rpcUrl], ...furtherOf(sandbox, index) },
      ...sandbox.settings[index],
    }
  })
  return { plugins, accounts: { [ACCOUNT]: { name: 'Demo account of the sandbox' } } }
}

/** Endpoint groups beside the chain's own, which a scenario started with it. */
function furtherOf({ endpoints }: Sandbox, index: number): Record<string, string[]> {
  return Object.fromEntries(Object.entries(endpoints[index] ?? {}).map(([group, urls]) => [group, [...urls]]))
}

/** The key and token of the start before, where they are still known, so that a restart breaks no open shell. */
async function credentials({ store, secrets }: Service, path: string): Promise<{ apiKey: string; managementToken: string }> {
  const before = await readFile(path, 'utf8')
    .then((text) => JSON.parse(text) as Partial<SandboxFile>)
    .catch(() => ({}) as Partial<SandboxFile>)
  const keep = async (kind: 'key' | 'token', value: string | undefined, name: string): Promise<string> => {
    const known = (await listCredentials(store, ACCOUNT, kind)).find(({ ulid, active, expirationDate }) => {
      return active && expirationDate === null && value?.includes(ulid)
    })
    if (known && value) return value
    const made = await createCredential(store, secrets.peppers, new Date(), { kind, account: ACCOUNT, name })
    return made.value
  }
  return {
    apiKey: await keep('key', before.apiKey, 'sandbox'),
    managementToken: await keep('token', before.managementToken, 'sandbox'),
  }
}
