import { badRequest } from '../base/codes.ts'
import { present } from '../base/present.ts'
import type { Config } from '../config/schema.ts'
import type { NetworkSettings } from './services.ts'

/** A network as one account sees it. */
export interface EnabledNetwork {
  readonly network: NetworkSettings
  readonly isDefault: boolean
}

/** Rights of the accounts of a config. */
export interface Accounts {
  readonly ids: readonly string[]
  has(account: string): boolean
  /** Returns the name that the config gives an account. @throws Error when there is no such account */
  name(account: string): string
  /** Returns the largest number of API keys that the account may have. */
  maxKeys(account: string): number
  /** Returns which transactions the service assembles and sends for the account: `known`: only those that do what the protocol knows; `any`: all. */
  sends(account: string): 'known' | 'any'
  /** Lists the addresses of a plugin that the config says are the account's own, as they are written there. */
  ownAddresses(account: string, plugin: string): readonly string[]
  /** True if the account may use the plugin. To an account that may not, it looks as if it were not installed. */
  allows(account: string, plugin: string): boolean
  /** Lists the networks of a plugin that the account may use, in the config's order. Empty when the plugin is not allowed. */
  enabled(account: string, plugin: string): readonly EnabledNetwork[]
  /** Announces the CAIP-2 name of a network, by which requests may name it too. A name that two networks of an account share leads to neither. */
  announce(network: NetworkSettings, caip2: string): void
  /**
   * Returns the network that a request goes to.
   *
   * @param chain chain id, or CAIP-2 name; undefined: the account's default
   * @throws 400 NETWORK_NOT_ENABLED
   */
  network(account: string, plugin: string, chain: string | undefined): NetworkSettings
  /** Lists every distinct network of a plugin: the operator's, and one more for each account that overrides settings. */
  all(plugin: string): readonly NetworkSettings[]
}

/** Most API keys of an account that sets no number of its own. */
const MAX_KEYS = 1_000

/** Combines each account's settings with the operator's, once, at start. */
export function createAccounts(config: Pick<Config, 'plugins' | 'accounts'>): Accounts {
  const operators = new Map(
    Object.entries(config.plugins).map(([name, plugin]) => [
      name,
      Object.entries(plugin.networks).map(
        ([chainId, { name: label, endpoints: _, agreement: _agreement, hedge: _hedge, ...settings }]): NetworkSettings => {
          return { chainId, name: label, path: `plugins.${name}.networks.${chainId}`, settings }
        },
      ),
    ]),
  )
  const enabled = new Map<string, readonly EnabledNetwork[]>()
  for (const [id, account] of Object.entries(config.accounts)) {
    for (const [name, networks] of operators) {
      const allowed = account.plugins ? account.plugins[name] : {}
      if (!allowed) continue
      const overlays = networks.flatMap((network) => overlay(network, allowed.networks, `accounts.${id}.plugins.${name}`))
      const defaultChain = allowed.default_network ?? config.plugins[name]?.default_network
      const fallback = overlays.find(({ chainId }) => chainId === defaultChain) ?? overlays[0]
      enabled.set(
        `${id} ${name}`,
        overlays.map((network) => ({ network, isDefault: network === fallback })),
      )
    }
  }
  const names = new Map<NetworkSettings, string>()
  const of = (account: string, plugin: string) => enabled.get(`${account} ${plugin}`) ?? []

  return {
    ids: Object.keys(config.accounts),
    maxKeys: (account) => config.accounts[account]?.max_keys ?? MAX_KEYS,
    sends: (account) => config.accounts[account]?.broadcast ?? 'known',
    ownAddresses: (account, plugin) => config.accounts[account]?.own_addresses?.[plugin] ?? [],
    name: (account) => present(config.accounts[account], `an account ${account}`).name,
    has: (account) => Object.hasOwn(config.accounts, account),
    allows: (account, plugin) => of(account, plugin).length > 0,
    enabled: of,
    announce(network, caip2) {
      names.set(network, caip2)
    },
    network(account, plugin, chain) {
      const networks = of(account, plugin)
      const match = networks.find(({ network, isDefault }) => (chain === undefined ? isDefault : network.chainId === chain))
      if (match) return match.network
      const [named, another] = networks.filter(({ network }) => chain !== undefined && names.get(network) === chain)
      if (named && !another) return named.network
      const chains = networks.map(({ network }) => network.chainId).join(', ')
      throw badRequest(
        'NETWORK_NOT_ENABLED',
        `X-NETWORK "${(chain ?? '').slice(0, 80)}" is not enabled for this account; enabled: ${chains}.`,
      )
    },
    all: (plugin) => [
      ...new Set([
        ...(operators.get(plugin) ?? []),
        ...Object.keys(config.accounts).flatMap((id) => of(id, plugin).map(({ network }) => network)),
      ]),
    ],
  }
}

/** Lays an account's settings over the operator's network; the network itself where the account changes nothing, so that both share one snapshot. */
function overlay(network: NetworkSettings, networks: Record<string, Record<string, unknown>> | undefined, path: string): NetworkSettings[] {
  if (!networks) return [network]
  const own = networks[network.chainId]
  if (!own) return []
  if (Object.keys(own).length === 0) return [network]
  return [{ ...network, path: `${path}.networks.${network.chainId}`, settings: { ...network.settings, ...own } }]
}
