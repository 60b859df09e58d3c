import { membersOf, SettingsError } from '@svc/contract'
import {
  type InstalledPlugin,
  importFrom,
  installedPlugins,
  loadModule,
  loadPlugin,
  operatorFolder,
  type Places,
  readManifest,
} from '@svc/core'
import type { Scenario } from '@svc/sandbox'
import { HOW_TO, noConfig, noPlugin } from './cli/next-step.ts'
import { Refusal } from './cli/refusal.ts'

/** The package that runs local chains. A production has none, so it is the operator's and not the server's. */
const SANDBOX = '@svc/sandbox'

/** A scenario and the plugin that brought it. */
export interface World {
  readonly plugin: string
  readonly scenario: Scenario
}

/** Worlds of the operator's folder for trying its plugins out. */
export interface Worlds {
  /** In the order of the folder's dependencies. */
  readonly worlds: readonly World[]
  /** Installed plugins that are not tried out, since they bring no scenario. */
  readonly leftOut: readonly string[]
  readonly sandbox: typeof import('@svc/sandbox')
}

/** Lists the plugins in the operator's folder that bring a scenario. Runs none of their code. @throws Refusal that says what to install: a plugin, or the sandbox */
export async function pluginsToTry(places: Places): Promise<readonly InstalledPlugin[]> {
  const installed = await installedPlugins(places)
  if (installed.length === 0) throw new Refusal(`${noConfig()}\n${noPlugin(operatorFolder(places))}`)
  const staged = installed.filter(({ manifest }) => manifest.svc?.sandbox !== undefined)
  if (staged.length === 0)
    throw new Refusal(
      `${noConfig()}\nTo run without one, a plugin has to bring a sandbox, as none does of these:\n${installed.map(({ name }) => `  ${name}`).join('\n')}\n${HOW_TO}`,
    )
  const missing = await missingOf(staged)
  if (missing.includes(SANDBOX)) throw notInstalled(missing, places)
  return staged
}

/**
 * Loads the scenarios of the plugins in the operator's folder, and the sandbox to run them on, which is installed there too.
 *
 * @throws Refusal as `pluginsToTry` does, and when a scenario needs what is not installed
 */
export async function loadWorlds(places: Places): Promise<Worlds> {
  const plugins = await pluginsToTry(places)
  const leftOut = (await installedPlugins(places)).flatMap(({ name }) => (plugins.some((each) => each.name === name) ? [] : [name]))
  try {
    const worlds: World[] = []
    for (const plugin of plugins) worlds.push(...(await scenariosOf(plugin)))
    const [first] = plugins
    if (first === undefined) throw new Error('expected a plugin to try')
    return { worlds, leftOut, sandbox: (await importFrom(SANDBOX, first.place)) as Worlds['sandbox'] }
  } catch (error) {
    const codes = [membersOf(error).code, membersOf(membersOf(error).cause).code]
    const missing = codes.includes('ERR_MODULE_NOT_FOUND') ? await missingOf(plugins) : []
    throw missing.length > 0 ? notInstalled(missing, places, error) : error
  }
}

function notInstalled(missing: readonly string[], places: Places, cause?: unknown): Refusal {
  return new Refusal(
    `${noConfig()}\nTo try the installed plugins out without one, on local chains, run in\n${operatorFolder(places)}:\n  npm install --save-dev ${missing.join(' ')}\n${HOW_TO}`,
    { cause },
  )
}

/** One plugin after the other: two chain libraries loaded at once can trip over each other's modules. */
async function scenariosOf({ name, manifest, place }: InstalledPlugin): Promise<readonly World[]> {
  // Before any other code of the package is run: it says whether it is made for this server.
  await loadPlugin(name, [place])
  const path = manifest.svc?.sandbox
  if (typeof path !== 'string' || !/^\.\/./.test(path))
    throw new SettingsError(
      `plugins.${name}: its manifest says svc.sandbox ${JSON.stringify(path)}; it has to be an export of the package, such as "./sandbox".`,
    )
  const scenarioModule = await loadModule({ name, specifier: `${name}${path.slice(1)}`, place })
  const scenarios = (scenarioModule.scenarios ?? (scenarioModule.scenario ? [scenarioModule.scenario] : [])) as readonly Scenario[]
  if (scenarios.length === 0)
    throw new SettingsError(
      `plugins.${name}: its export ${path} has neither \`scenario\` nor \`scenarios\`, so there is nothing to try it out on.`,
    )
  return scenarios.map((scenario) => ({ plugin: name, scenario }))
}

/** The sandbox and the optional peers of plugins, which are what their scenarios run on, as far as they are not installed. */
async function missingOf(plugins: readonly InstalledPlugin[]): Promise<readonly string[]> {
  const packages = plugins.flatMap(({ manifest: { peerDependencies = {}, peerDependenciesMeta = {} }, place }) =>
    [SANDBOX, ...Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional)].map((name) => ({ name, place })),
  )
  const gaps = await Promise.all(packages.map(async ({ name, place }) => ((await readManifest(name, place)) ? [] : [name])))
  return [...new Set(gaps.flat())]
}
