import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { AlsoChanged, BeforeChange, Peppers, Store, WebhookDesk } from '@svc/core'
import { configPath, type GlobalOptions, load } from './config.ts'
import { Refusal } from './refusal.ts'

/** The database that the config names, open alongside a service that may be running. */
export interface OpenState {
  readonly store: Store
  /** Ids, in the config's order. */
  readonly accounts: readonly string[]
  /** Account of an operator's token, and of a change that is about no account. */
  readonly noAccount: string
  /** Returns the peppers with which values are made. */
  peppers(): Promise<Peppers>
  webhooks(): Promise<WebhookDesk>
  /** Tells webhooks of changes of API keys. */
  readonly also: AlsoChanged
  /** Short names of the plugins in the config. */
  readonly protocols: readonly string[]
  /** Name that the config gives a network of a plugin, by short name and chain id; null: the config has no such network. */
  networkName(protocol: string, network: string): string | null
  /** Paths of the settings of a network of a plugin, those of accounts among them, by short name and chain id. */
  settingsPaths(protocol: string, network: string): readonly string[]
  /** Most API keys that an account may have. */
  maxKeys(account: string): number
  /** Makes a change under a record in the audit log. */
  recorded<T>(account: string, command: string, work: (before: BeforeChange) => Promise<T>): Promise<T>
}

/** Opens the state, works on it, and closes it. */
export async function withState<T>(options: GlobalOptions, work: (state: OpenState) => Promise<T>): Promise<T> {
  const { createAccounts, createDeskAlone, judgePeppers, keyEventsAlone, loadSecrets, NO_ACCOUNT, openStore, recorded, shortName } =
    await import('@svc/core/operate')
  const { config, file } = await load(await configPath(options))
  const dataDir = resolve(dirname(file), config.data_dir)
  const store = await openStore({ databaseUrl: config.database_url, dataDir, log: silent })
  try {
    const peppers = async () => {
      const { peppers } = await loadSecrets(config, dataDir)
      const { refusal } = judgePeppers(await store.countPeppers(), peppers)
      if (refusal !== undefined) throw new Refusal(refusal)
      return peppers
    }
    const warn = (sentence: string) => console.error(sentence)
    const { ids, maxKeys, all } = createAccounts(config)
    return await work({
      store,
      accounts: ids,
      noAccount: NO_ACCOUNT,
      peppers,
      also: keyEventsAlone({ store, settings: config.webhooks }),
      protocols: Object.keys(config.plugins).map(shortName),
      webhooks: async () => createDeskAlone({ store, settings: config.webhooks, peppers: await peppers() }),
      networkName(protocol, network) {
        const [, plugin] = Object.entries(config.plugins).find(([name]) => shortName(name) === protocol) ?? []
        return plugin?.networks[network]?.name ?? null
      },
      settingsPaths(protocol, network) {
        const names = Object.keys(config.plugins).filter((name) => shortName(name) === protocol)
        return names.flatMap((name) => all(name).flatMap(({ chainId, path }) => (chainId === network ? [path] : [])))
      },
      maxKeys,
      recorded: (account, command, change) => recorded(store, { account, command, user: userName(), warn }, change),
    })
  } finally {
    await store.close()
  }
}

/** Names who is at the command line; a user that the system has no name for is told by number. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

const nothing = () => {}
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }
