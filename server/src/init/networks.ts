import { membersOf } from '@svc/contract'
import type { AnyProtocol } from '@svc/contract/host'
import { assertGroups, type ConfigInput, type InstalledPlugin, loadPlugin, type Places } from '@svc/core'
import { type NetworkSettings, resolveNetwork, settingsSchema } from '@svc/core/plugins'
import { Refusal } from '../cli/refusal.ts'
import { urlOf, urlsOf } from './addresses.ts'
import { valuesOf } from './assignments.ts'
import type { Questions } from './prompt.ts'

type PluginInput = ConfigInput['plugins'][string]
type NetworkInput = PluginInput['networks'][string]

/** A plugin that is to be served, and the options that are about it, without its name in front. */
interface PluginAnswers {
  readonly installed: InstalledPlugin
  /** Name by which options call it. */
  readonly alias: string
  readonly networks: readonly string[]
  readonly endpoints: readonly string[]
  readonly settings: readonly string[]
}

/**
 * Asks for the networks of one plugin, and for each network's endpoints and settings without a default.
 *
 * @returns the plugin's part of the config; networks without what is missing, where nothing is asked
 * @throws Refusal, SettingsError for an option that does not fit
 */
export async function askNetworks(answers: PluginAnswers, places: Places, questions: Questions): Promise<PluginInput> {
  const { installed, alias } = answers
  const {
    plugin: { protocol },
  } = await loadPlugin(installed.name, places)
  questions.tell(`\n${alias}: ${protocol.summary}`)
  const offers = offersOf(installed)
  const chains = await questions.ask(
    {
      text: `Networks${offers.size > 0 ? ` (${[...offers].map(([chain, name]) => `${chain}: ${name}`).join(', ')})` : ', by chain id'}`,
      option: `--network ${alias}/<chain>`,
      ...(offers.size > 0 ? { fallback: [...offers.keys()][0] ?? '' } : {}),
      read: readChains,
    },
    answers.networks.length > 0 ? answers.networks.map((each) => each.replace(/=.*$/s, '')).join(' ') : undefined,
  )
  const names = new Map([...offers, ...answers.networks.flatMap(readName)])
  strangers(answers, chains ?? [])
  const networks: Record<string, NetworkInput> = {}
  for (const chain of chains ?? []) {
    const place: NetworkPlace = { installed, alias, protocol, chain, name: names.get(chain) ?? chain }
    networks[chain] = await askNetwork(place, answers, questions)
  }
  return { networks }
}

interface NetworkPlace {
  readonly installed: InstalledPlugin
  readonly alias: string
  readonly protocol: AnyProtocol
  readonly chain: string
  readonly name: string
}

async function askNetwork(place: NetworkPlace, answers: PluginAnswers, questions: Questions): Promise<NetworkInput> {
  const { alias, chain, protocol } = place
  const endpoints = await askEndpoints(place, answers, questions)
  const settings = valuesOf(answers.settings, chain, settingsSchema(protocol))
  const { required = [], properties } = settingsSchema(protocol) as { required?: readonly string[]; properties: Record<string, unknown> }
  for (const name of required) {
    const { default: standard, description = name, type } = membersOf(properties[name])
    if (standard !== undefined || name in settings) continue
    const value = await questions.ask({
      text: `${name} of ${alias} on ${chain}: ${String(description).replace(/\.$/, '')}`,
      option: `--set ${alias}/${chain}/${name}=<${String(type)}>`,
      read: (text) => valuesOf([`${chain}/${name}=${text}`], chain, settingsSchema(protocol))[name],
    })
    if (value !== null) settings[name] = value
  }
  const isWhole =
    Object.keys(endpoints).includes(protocol.kit.endpoints) &&
    required.every((name) => membersOf(properties[name]).default !== undefined || name in settings)
  const input = { name: place.name, endpoints, ...settings }
  if (!isWhole) return input
  // An option that names a group of endpoints that the protocol does not know, which no further setting could mend.
  assertGroups(
    { plugins: { [place.installed.name]: { networks: { [chain]: input } } } },
    place.installed.name,
    protocol,
    declaredBy(place, input),
  )
  return await fit(place, input, questions)
}

/** A network as its plugin is given it. */
function declaredBy({ installed, chain }: NetworkPlace, { name, endpoints: _, ...settings }: NetworkInput): NetworkSettings {
  return { name, chainId: chain, settings, path: `plugins.${installed.name}.networks.${chain}` }
}

/** Holds a network against its plugin, and asks for what the plugin says is missing. @throws SettingsError where nobody is asked */
async function fit(place: NetworkPlace, input: NetworkInput, questions: Questions): Promise<NetworkInput> {
  const { alias, protocol, chain } = place
  for (let network = input; ; ) {
    try {
      resolveNetwork(protocol, declaredBy(place, network))
      return network
    } catch (error) {
      if (!questions.isOpen) throw error
      questions.tell(`  ${error instanceof Error ? error.message : String(error)}`)
    }
    const more = await questions.ask({
      text: `A setting of ${alias} on ${chain}, as name=value`,
      option: `--set ${alias}/${chain}/<name>=<value>`,
      read: (text) => valuesOf([`${chain}/${text}`], chain, settingsSchema(protocol)),
    })
    network = { ...network, ...more }
  }
}

/** Endpoints of the group that the family needs, and of those that the protocol can do without. */
async function askEndpoints(
  { alias, protocol, chain }: NetworkPlace,
  answers: PluginAnswers,
  questions: Questions,
): Promise<Record<string, string[]>> {
  const { kit, groups = {} } = protocol
  const endpoints: Record<string, string[]> = {}
  for (const each of answers.endpoints) {
    const [, at = '', group = kit.endpoints, url = ''] = /^([^/=]+)(?:\/([^/=]+))?=(.*)$/s.exec(each) ?? []
    if (at === chain) endpoints[group] = [...(endpoints[group] ?? []), urlOf(url, `--endpoint ${alias}/${each}`)]
  }
  for (const group of [kit.endpoints, ...Object.keys(groups)]) {
    if (endpoints[group] !== undefined) continue
    const isNeeded = group === kit.endpoints
    // One that can be left out is asked for only where somebody answers.
    if (!isNeeded && !questions.isOpen) continue
    const urls = await questions.ask({
      text: `Endpoints of ${alias} on ${chain}${isNeeded ? '' : `, group ${group}, or none`}, the best first, with a space between`,
      option: `--endpoint ${alias}/${chain}${isNeeded ? '' : `/${group}`}=<url>`,
      ...(isNeeded ? {} : { fallback: 'none' }),
      read: (text) => (text === 'none' && !isNeeded ? [] : urlsOf(text)),
    })
    if (urls !== null && urls.length > 0) endpoints[group] = urls
  }
  return endpoints
}

/** Networks that a plugin's manifest offers: `"svc": { "networks": { "143": "Monad" } }`. What is no text there is left out: it may be a stranger's. */
function offersOf({ manifest: { svc } }: InstalledPlugin): ReadonlyMap<string, string> {
  const entries = Object.entries(membersOf(svc?.networks)).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return new Map(entries.filter(([chain, name]) => /^[!-.0-~]+$/.test(chain) && name !== ''))
}

function readChains(text: string): readonly string[] {
  const chains = [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))]
  if (chains.length === 0) throw new Refusal('Name at least one network by its chain id, which callers send as X-NETWORK.')
  return chains
}

function readName(each: string): readonly (readonly [string, string])[] {
  const [, chain = '', name = ''] = /^([^=]+)=(.+)$/s.exec(each) ?? []
  return name === '' ? [] : [[chain, name]]
}

/** Refuses options about networks that are not served: a slip in a chain id would else go unseen. @throws Refusal */
function strangers({ alias, endpoints, settings }: PluginAnswers, chains: readonly string[]): void {
  for (const [option, each] of [...endpoints.map((each) => ['--endpoint', each]), ...settings.map((each) => ['--set', each])]) {
    const chain = /^[^/=]*/.exec(each ?? '')?.[0] ?? ''
    if (!chains.includes(chain))
      throw new Refusal(
        `${option} ${alias}/${each}: ${chain === '' ? 'it names no network' : `network ${chain} is not enabled`}; enabled here: ${chains.join(', ') || 'none'}.`,
      )
  }
}
