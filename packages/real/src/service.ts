import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Chosen, type Client, createClient } from '@svc/client'
import { freePorts } from '@svc/testing/free-ports'
import { type EventPage, readEvents, type SeenEvent } from './event-pages.ts'
import { type ProgramEnd, type Programs, type Running, until } from './programs.ts'

/** Settings of the service, as the operator's config says them. */
export interface ServiceSettings {
  /** Networks by package name and chain id, each with its endpoints and the plugin's settings. */
  readonly plugins: Readonly<Record<string, { readonly networks: Readonly<Record<string, Readonly<Record<string, unknown>>>> }>>
  /** Accounts by id, beside `own`, which may use everything as it stands. */
  readonly accounts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Further settings of the config, such as `upstream`. */
  readonly further?: Readonly<Record<string, unknown>>
}

/** The service, as a process of its own that was started by its command line. */
export interface Service {
  /** @example http://127.0.0.1:3000 */
  readonly url: string
  /** Output of `svc check` before the service was started; a code other than 0 does not keep the service from being started. */
  readonly checked: ProgramEnd
  /** A client that checks what it signs. @param account whose key and terms it has */
  client<const P extends Readonly<Record<string, Chosen>>>(protocols: P, account?: string): Client<P>
  /** Asks a route with an account's API key and management token. @returns status and body, as they came */
  ask(method: 'GET' | 'POST', path: string, input?: Given): Promise<Answer>
  /** All events of an account. */
  events(account?: string): Promise<readonly SeenEvent[]>
  /** Ends it and starts it again on the same data. */
  restart(): Promise<void>
  /** Ends it, for what happens while nobody looks. */
  pause(): Promise<void>
  /** Starts it again on the same data. */
  resume(): Promise<void>
  close(): Promise<void>
}

/** Parts of a request besides method and path. */
interface Given {
  readonly body?: unknown
  /** X-NETWORK. */
  readonly network?: string
  /** @default own */
  readonly account?: string
}

/** An answer of the service. */
interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Root of the repository: the operator's package, whose plugins are served. */
const ROOT = join(import.meta.dirname, '../../..')

/** Name of the account that every service has. */
const OWN = 'own'
const SVC = ['--conditions=@svc/source', join(ROOT, 'server/src/main.ts')]
/** Long enough for a machine that is building something else at the same time, in seconds. */
const START_SECONDS = 120

/**
 * Starts the service as an operator does: a config, `svc check`, a key, `svc start`.
 *
 * @param folder for its config and data
 * @throws Error with what it wrote, when it does not start
 */
export async function startService(programs: Programs, folder: string, settings: ServiceSettings): Promise<Service> {
  await mkdir(folder, { recursive: true })
  const [port = 0] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  const accounts = { [OWN]: { name: 'Own' }, ...settings.accounts }
  const config = {
    ...settings.further,
    listen: { host: '127.0.0.1', port },
    plugins: settings.plugins,
    accounts,
    // The lives ask more in a minute than a customer does.
    limits: { key_per_minute: 1_000_000, address_per_minute: 1_000_000 },
    data_dir: 'data',
    log_level: 'info',
  }
  const file = join(folder, 'svc.config.json')
  await writeFile(file, JSON.stringify(config, null, 2))
  // A machine's servers hold what others keep there.
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...rest } = process.env
  const env = { ...rest, SVC_CONFIG: file, DATABASE_URL: '', REDIS_URL: '' } as Record<string, string>
  const call = { cwd: ROOT, env }
  const svc = (...args: readonly string[]) => programs.must(process.execPath, [...SVC, ...args], call)

  const checked = await programs.run(process.execPath, [...SVC, 'check'], call)
  const keysByAccount = new Map<string, Credentials>()
  for (const account of Object.keys(accounts)) {
    const key = (await svc('keys', 'create', '--account', account, '--name', 'real', '--quiet')).trim()
    const token = (await svc('tokens', 'create', '--account', account, '--name', 'real', '--quiet')).trim()
    const trust = JSON.parse(await svc('trust', '--account', account, '--url', url))
    keysByAccount.set(account, { key, token, trust })
  }
  const credentials = (account: string) => {
    const match = keysByAccount.get(account)
    if (!match) throw new Error(`The service has no account ${account}.`)
    return match
  }

  const start = async () => {
    const running = programs.start(process.execPath, [...SVC, 'start'], join(folder, 'service.log'), call)
    await until('the service', START_SECONDS, async () => (await fetch(`${url}/api/v1/health`)).ok, running)
    return running
  }
  let running: Running = await start()

  const ask: Service['ask'] = async (method, path, { body, network, account = OWN } = {}) => {
    const { key, token } = credentials(account)
    const answer = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': key,
        token,
        ...(network ? { 'x-network': network } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
  return {
    url,
    checked,
    client(protocols, account = OWN) {
      const { key, trust } = credentials(account)
      return createClient({ trust, apiKey: key, protocols })
    },
    ask,
    events: (account = OWN) =>
      readEvents(async (query) => {
        const answer = await fetch(`${url}/api/v1/events?${query}`, { headers: { token: credentials(account).token } })
        return (await answer.json()) as EventPage
      }),
    async restart() {
      await running.stop()
      running = await start()
    },
    pause: () => running.stop(),
    async resume() {
      running = await start()
    },
    close: () => running.stop(),
  }
}

interface Credentials {
  readonly key: string
  readonly token: string
  readonly trust: Parameters<typeof createClient>[0]['trust']
}
