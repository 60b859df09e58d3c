import { dirname, resolve } from 'node:path'
import { type AnyProtocol, resolveNetwork, settingsSchema } from '@svc/contract'
import {
  assertGroups,
  type Config,
  configProblems,
  createAccounts,
  discover,
  inspectState,
  type LoadedPlugin,
  loadPlugin,
  parseConfig,
} from '@svc/core'
import { read } from './cli/config.ts'
import { plain, table } from './cli/output.ts'
import { inspectEndpoints } from './endpoints.ts'
import { placesOf } from './home.ts'
import { noProtocol } from './no-protocol.ts'
import { lacksOf, requirementRows } from './requirement-words.ts'

/** What a check found. */
export interface Check {
  readonly text: string
  /** One sentence each; empty when all is well. */
  readonly problems: readonly string[]
  /** One sentence each, on what works less well than it could. */
  readonly warnings: readonly string[]
}

/** Checks a config and everything that it names, as far as the problems found allow. Changes nothing. */
export async function check(file: string): Promise<Check> {
  const input = await read(file)
  const parts = [`Config ${file}`]
  const refused = configProblems(input)
  if (refused.length > 0) return { text: parts.join('\n'), problems: refused, warnings: [] }
  const config = parseConfig(input)

  const nothing = await noProtocol(config, placesOf(file))
  const problems: string[] = nothing === null ? [] : [nothing]
  const plugins = await loadAll(config, file, problems)
  const sound = plugins.filter((plugin) => settingsFit(config, plugin, problems))
  parts.push(`Accounts\n${accountTable(config, sound)}`)

  const [reports, states] = await Promise.all([
    inspectEndpoints(config, sound),
    inspectState(config, resolve(dirname(file), config.data_dir)),
  ])
  // An account's own settings ask the same endpoints again; what they answer alike is shown once.
  const known = new Set<string>()
  const rows = reports.map(({ prefix, chainId, endpoint, state, text, path }) => {
    const question = `${prefix} ${chainId} ${endpoint} ${text}`
    if (state !== 'well' && !known.has(question)) problems.push(`${path}: endpoint ${endpoint}: ${text}`)
    known.add(question)
    return [prefix, chainId, endpoint, state === 'well' ? 'ok' : state === 'wrong' ? 'WRONG' : 'NO ANSWER', text]
  })
  const lines = [...new Map(rows.map((row) => [row.join('\n'), row])).values()]
  if (rows.length > 0) parts.push(`Chains\n${indented(table(['PROTOCOL', 'NETWORK', 'ENDPOINT', 'STATE', ''], lines))}`)
  const nodes = requirementRows(reports)
  if (nodes.length > 0) parts.push(`Nodes\n${indented(table(['PROTOCOL', 'NETWORK', 'ENDPOINT', 'REQUIREMENT', 'STATE', ''], nodes))}`)
  const lacks = lacksOf(reports)
  for (const { isNeeded, sentence } of lacks) if (isNeeded) problems.push(sentence)
  for (const { part, text, problem } of states) if (problem) problems.push(`${part}: ${text}`)
  parts.push(
    `State\n${indented(
      table(
        ['PART', 'STATE', ''],
        states.map(({ part, text, problem }) => [part, problem ? 'WRONG' : 'ok', problem ? 'see below' : plain(text)]),
      ),
    )}`,
  )
  const warnings = lacks.flatMap(({ isNeeded, sentence }) => (isNeeded ? [] : [sentence]))
  return { text: parts.join('\n\n'), problems: [...new Set(problems)], warnings }
}

/** The plugins that can be loaded; what is wrong with the others is a problem each. */
async function loadAll(config: Config, file: string, problems: string[]): Promise<readonly LoadedPlugin[]> {
  const places = placesOf(file)
  const loadable: Config['plugins'] = {}
  for (const [name, plugin] of Object.entries(config.plugins)) {
    try {
      if (plugin.module === undefined) await loadPlugin(name, places)
      loadable[name] = plugin
    } catch (error) {
      problems.push(reasonOf(error))
    }
  }
  try {
    return await discover({ plugins: loadable }, places)
  } catch (error) {
    problems.push(reasonOf(error))
    return []
  }
}

/** Whether a plugin accepts its networks' settings, the operator's and each account's. */
function settingsFit(config: Config, { name, plugin }: LoadedPlugin, problems: string[]): boolean {
  const { protocol } = plugin
  let fit = true
  for (const settings of createAccounts(config).all(name)) {
    try {
      resolveNetwork(protocol, settings)
      assertGroups(config, name, protocol, settings)
    } catch (error) {
      fit = false
      problems.push(reasonOf(error))
    }
  }
  return fit
}

function accountTable(config: Config, plugins: readonly LoadedPlugin[]): string {
  const accounts = createAccounts(config)
  const rows = accounts.ids.flatMap((account) => {
    const enabled = plugins.flatMap(({ name, plugin: { protocol } }) =>
      accounts
        .enabled(account, name)
        .map(({ network, isDefault }) => [
          account,
          protocol.prefix.slice(1),
          network.chainId,
          isDefault ? 'yes' : '-',
          settingsOf(protocol, network.settings, config.accounts[account]?.plugins?.[name]?.networks?.[network.chainId] ?? {}),
        ]),
    )
    return enabled.length > 0 ? enabled : [[account, 'nothing', '-', '-', '-']]
  })
  return indented(table(['ACCOUNT', 'PROTOCOL', 'NETWORK', 'DEFAULT', 'VALIDATOR, OWN SETTINGS'], rows))
}

/** What has to be set, since nothing stands for it, which is what names the validator; and what the account sets for itself. */
function settingsOf(protocol: AnyProtocol, settings: Readonly<Record<string, unknown>>, own: Readonly<Record<string, unknown>>): string {
  const { required = [] } = settingsSchema(protocol) as { required?: readonly string[] }
  const properties = settingsSchema(protocol).properties as Readonly<Record<string, { default?: unknown }>>
  const named = required.filter((name) => properties[name]?.default === undefined)
  const shown = [...new Set([...named, ...Object.keys(own)])].filter((name) => settings[name] !== undefined)
  return shown.map((name) => `${name}=${plain(String(settings[name]))}${name in own ? ' (own)' : ''}`).join(', ') || '-'
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
