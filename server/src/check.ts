import { basename, dirname, resolve } from 'node:path'
import type { AnyProtocol } from '@svc/contract/host'
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
import { resolveNetwork, settingsSchema } from '@svc/core/plugins'
import { read, SANDBOX_CONFIG } from './cli/config.ts'
import { plain, table } from './cli/output.ts'
import { behindWarnings, clockWarning } from './clock.ts'
import { doubtsOf } from './endpoint-report.ts'
import { inspectEndpoints } from './endpoints.ts'
import { placesOf } from './home.ts'
import { noProtocol } from './no-protocol.ts'
import { readingsReport } from './readings-report.ts'
import { lacksOf, requirementRows } from './requirement-words.ts'

/** A table of findings. */
export interface Section {
  readonly name: 'Accounts' | 'Chains' | 'Nodes' | 'Readings' | 'State'
  /** Names of the columns; the last one, of a remark, has none. */
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Findings of a check. */
export interface Check {
  /** The config file. */
  readonly file: string
  readonly sections: readonly Section[]
  /** Sentences on faults; empty when there are none. */
  readonly problems: readonly string[]
  /** Sentences on things that work less well than they could. */
  readonly warnings: readonly string[]
}

/**
 * Checks a config and everything that it names, as far as the problems found allow. Changes nothing.
 *
 * @param now the clock that is compared with those of the chains. @default the machine's
 * @param isTurned true if the chains' clocks are set by hand, as in the sandbox: then they are not compared with the machine's
 */
export async function check(
  file: string,
  now: () => Date = () => new Date(),
  isTurned = basename(file) === SANDBOX_CONFIG,
): Promise<Check> {
  const input = await read(file)
  const sections: Section[] = []
  const faults = configProblems(input)
  if (faults.length > 0) return { file, sections, problems: faults, warnings: [] }
  const config = parseConfig(input)

  const nothing = await noProtocol(config, placesOf(file))
  const problems: string[] = nothing === null ? [] : [nothing]
  const plugins = await loadAll(config, file, problems)
  const sound = plugins.filter((plugin) => settingsFit(config, plugin, problems))
  sections.push(accountTable(config, sound))

  const [reports, readings, states] = await Promise.all([
    inspectEndpoints(config, sound, now),
    readingsReport(config, sound),
    inspectState(config, resolve(dirname(file), config.data_dir), sound),
  ])
  // An account's own settings ask the same endpoints again; what they answer alike is shown once.
  const questions = new Set<string>()
  const rows = reports.map(({ prefix, chainId, endpoint, state, text, path }) => {
    const question = `${prefix} ${chainId} ${endpoint} ${text}`
    if (state !== 'well' && !questions.has(question)) problems.push(`${path}: endpoint ${endpoint}: ${text}`)
    questions.add(question)
    return [prefix, chainId, endpoint, state === 'well' ? 'ok' : state === 'wrong' ? 'WRONG' : 'NO ANSWER', text]
  })
  const lines = [...new Map(rows.map((row) => [row.join('\n'), row])).values()]
  if (rows.length > 0) sections.push({ name: 'Chains', head: ['PROTOCOL', 'NETWORK', 'ENDPOINT', 'STATE', ''], rows: lines })
  const nodes = requirementRows(reports)
  if (nodes.length > 0) sections.push({ name: 'Nodes', head: ['PROTOCOL', 'NETWORK', 'ENDPOINT', 'REQUIREMENT', 'STATE', ''], rows: nodes })
  if (readings.rows.length > 0)
    sections.push({ name: 'Readings', head: ['PROTOCOL', 'NETWORK', 'AGREEMENT', 'HEDGES', ''], rows: readings.rows })
  const lacks = lacksOf(reports)
  for (const { isNeeded, sentence } of lacks) if (isNeeded) problems.push(sentence)
  for (const { part, text, problem } of states) if (problem) problems.push(`${part}: ${text}`)
  sections.push({
    name: 'State',
    head: ['PART', 'STATE', ''],
    rows: states.map(({ part, text, problem, warning }) => [
      part,
      problem ? 'WRONG' : warning === null ? 'ok' : part === 'following' ? 'LATE' : 'WARNING',
      problem ? 'see below' : plain(text),
    ]),
  })
  const clock = isTurned ? null : clockWarning(reports.flatMap(({ sighting }) => sighting ?? []))
  const warnings = [
    ...(clock === null ? [] : [clock]),
    ...behindWarnings(reports),
    ...doubtsOf(reports),
    ...readings.warnings,
    ...lacks.flatMap(({ isNeeded, sentence }) => (isNeeded ? [] : [sentence])),
    ...states.flatMap(({ warning }) => (warning === null ? [] : [warning])),
  ]
  return { file, sections, problems: [...new Set(problems)], warnings }
}

/** Writes the result of a check for a person. */
export function checkText({ file, sections }: Pick<Check, 'file' | 'sections'>): string {
  return [`Config ${file}`, ...sections.map(({ name, head, rows }) => `${name}\n${indented(table(head, rows))}`)].join('\n\n')
}

/** Writes the result of a check as JSON, for a program: each row by the names of its columns in small letters, a remark as `text`. */
export function checkJson({ file, sections, problems, warnings }: Check): string {
  const named = ({ head, rows }: Section) =>
    rows.map((row) => Object.fromEntries(row.map((cell, column) => [nameOf(head[column] ?? ''), cell])))
  const tables = Object.fromEntries(sections.map((section) => [section.name.toLowerCase(), named(section)]))
  return JSON.stringify({ well: problems.length === 0, config: file, problems, warnings, ...tables }, null, 2)
}

function nameOf(column: string): string {
  return column === '' ? 'text' : column.toLowerCase().replace(/, own settings$/, '')
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

/** Tells whether a plugin accepts its networks' settings, the operator's and each account's. */
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

function accountTable(config: Config, plugins: readonly LoadedPlugin[]): Section {
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
  return { name: 'Accounts', head: ['ACCOUNT', 'PROTOCOL', 'NETWORK', 'DEFAULT', 'VALIDATOR, OWN SETTINGS'], rows }
}

/** Lists the settings that have to be set, since they have no default, which are those that name the validator; and those that the account sets for itself. */
function settingsOf(protocol: AnyProtocol, settings: Readonly<Record<string, unknown>>, own: Readonly<Record<string, unknown>>): string {
  const { required = [] } = settingsSchema(protocol) as { required?: readonly string[] }
  const properties = settingsSchema(protocol).properties as Readonly<Record<string, { default?: unknown }>>
  const names = required.filter((name) => properties[name]?.default === undefined)
  const members = [...new Set([...names, ...Object.keys(own)])].filter((name) => settings[name] !== undefined)
  return members.map((name) => `${name}=${plain(String(settings[name]))}${name in own ? ' (own)' : ''}`).join(', ') || '-'
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
