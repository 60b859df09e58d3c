import { SettingsError } from '@svc/contract'
import { shortName } from '../base/short-name.ts'
import type { Accounts } from '../plugins/accounts.ts'
import type { Looks } from '../plugins/life/follow.ts'
import type { NetworkSettings } from '../plugins/services.ts'
import type { StreamPlace } from './transactions.ts'

/** Looks at networks, as the networks' plugins have offered them at start. */
export interface Networks {
  /** @param plugin npm name @throws SettingsError for an own address of an account that is none of the network */
  add(plugin: string, network: NetworkSettings, looks: Looks): void
  /** Returns the looks at a network as the plugin knows it. @throws Error when it was not offered */
  of(network: NetworkSettings): Looks
  /** Returns the looks at a network with an account's settings; undefined when the account has no such network, or has it no longer. */
  seenBy(account: string, place: StreamPlace): Looks | undefined
  /** Returns an account's settings of a network; undefined when the account does not have it. */
  settingsOf(account: string, place: StreamPlace): NetworkSettings | undefined
  /** Returns the addresses that the config says are an account's own, canonical. */
  ownAddresses(account: string, place: StreamPlace): readonly string[]
  /** Lists every network of every plugin, each once. */
  places(): readonly StreamPlace[]
  /** Lists every distinct set of settings of a network. */
  settingsAt(place: StreamPlace): readonly NetworkSettings[]
}

/** Makes the list of networks, which is empty until plugins are mounted. */
export function createNetworks(accounts: Pick<Accounts, 'enabled' | 'ids' | 'ownAddresses'>): Networks {
  const offered = new Map<NetworkSettings, { readonly looks: Looks; readonly place: StreamPlace }>()
  const plugins = new Map<string, string>()
  const places = new Map<string, StreamPlace>()
  const settingsOf: Networks['settingsOf'] = (account, { protocol, network: chainId }) => {
    const plugin = plugins.get(protocol)
    const match = plugin === undefined ? undefined : accounts.enabled(account, plugin).find(({ network }) => network.chainId === chainId)
    return match?.network
  }
  const seenBy: Networks['seenBy'] = (account, place) => {
    const settings = settingsOf(account, place)
    return settings && offered.get(settings)?.looks
  }
  const canonicalOf = (account: string, plugin: string, looks: Pick<Looks, 'address'>) =>
    accounts.ownAddresses(account, plugin).map((text, index) => {
      try {
        return looks.address(text)
      } catch (error) {
        throw new SettingsError(`accounts.${account}.own_addresses.${plugin}.${index}: ${(error as Error).message}`)
      }
    })
  return {
    add(plugin, network, looks) {
      const place = { protocol: shortName(plugin), network: network.chainId }
      plugins.set(place.protocol, plugin)
      places.set(nameOf(place), places.get(nameOf(place)) ?? place)
      offered.set(network, { looks, place })
      for (const account of accounts.ids) canonicalOf(account, plugin, looks)
    },
    of(network) {
      const offer = offered.get(network)
      if (!offer) throw new Error(`the plugin offered no way to look at ${network.path}`)
      return offer.looks
    },
    seenBy,
    ownAddresses(account, place) {
      const [plugin, looks] = [plugins.get(place.protocol), seenBy(account, place)]
      return plugin === undefined || looks === undefined ? [] : canonicalOf(account, plugin, looks)
    },
    settingsOf,
    places: () => [...places.values()],
    settingsAt: (place) => [...offered].flatMap(([settings, each]) => (nameOf(each.place) === nameOf(place) ? [settings] : [])),
  }
}

/** Names a network of a plugin in one text. @example evm-three 143 */
export function nameOf({ protocol, network }: StreamPlace): string {
  return `${protocol} ${network}`
}
