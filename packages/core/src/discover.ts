import { readFile } from 'node:fs/promises'
import { createRequire, findPackageJSON } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CONTRACT, type ProtocolPlugin, SettingsError } from '@svc/contract'
import type { Config } from './config/schema.ts'

/** A plugin and where it came from. */
export interface LoadedPlugin {
  readonly name: string
  readonly version: string
  readonly plugin: ProtocolPlugin
}

/** What a plugin's package.json says about it. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly svc?: {
    /** The contract it was made for. */
    readonly contract?: number
    /** Its export that holds a sandbox scenario. */
    readonly sandbox?: string
  }
}

/** A file that package names are resolved from; or several, of which the first that has the package counts. */
export type From = string | readonly string[]

/**
 * Loads the plugins that a config names, one after the other (two chain libraries loaded at once can trip over each other's modules).
 *
 * @param from the config's file, and what else there is
 * @throws SettingsError when a package is missing, is no plugin, or speaks another contract
 */
export async function discover(config: Pick<Config, 'plugins'>, from: From): Promise<readonly LoadedPlugin[]> {
  const loaded: LoadedPlugin[] = []
  for (const [name, { module }] of Object.entries(config.plugins)) {
    if (module !== undefined) loaded.push({ name, version: 'given by the config', plugin: asPlugin(name, module) })
    else loaded.push(await loadPlugin(name, from))
  }
  refuseTwins(loaded)
  return loaded
}

/** Loads one plugin by package name. Its manifest is read before any of its code is run. */
export async function loadPlugin(name: string, from: From): Promise<LoadedPlugin & { readonly manifest: Manifest }> {
  const places = [from].flat()
  for (const place of places) {
    const manifest = await readManifest(name, place)
    if (!manifest) continue
    refuseContract(name, manifest.svc?.contract, 'Its manifest says')
    const entry = createRequire(pathToFileURL(place)).resolve(name)
    const module = (await import(pathToFileURL(entry).href)) as { default?: unknown }
    return { name, version: manifest.version, manifest, plugin: asPlugin(name, module.default) }
  }
  throw new SettingsError(`plugins.${name}: the package is not installed beside ${places[0]}; install it there.`)
}

/** The direct dependencies of a package whose manifest says that they are plugins. Runs none of their code. */
export async function installedPlugins(from: string): Promise<readonly string[]> {
  const home = findPackageJSON(pathToFileURL(from))
  // Without a package around it, Node names the file itself.
  if (!home || basename(home) !== 'package.json') return []
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(home, 'utf8')) as Manifest
  const names: string[] = []
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    if ((await readManifest(name, from))?.svc?.contract !== undefined) names.push(name)
  return names
}

async function readManifest(name: string, from: string): Promise<Manifest | null> {
  try {
    const path = findPackageJSON(name, pathToFileURL(from))
    return path ? (JSON.parse(await readFile(path, 'utf8')) as Manifest) : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

function asPlugin(name: string, exported: unknown): ProtocolPlugin {
  const plugin = exported as Partial<ProtocolPlugin> | undefined
  if (typeof exported !== 'function' || !plugin?.protocol)
    throw new SettingsError(`plugins.${name}: the package's default export is not a plugin; it must be what \`definePlugin\` returns.`)
  refuseContract(name, plugin.contract, 'The plugin speaks')
  return exported as ProtocolPlugin
}

function refuseContract(name: string, found: number | undefined, who: string): void {
  if (found === CONTRACT) return
  const what =
    found === undefined
      ? 'no contract; it is not a plugin of this service'
      : `contract ${found}; install a version made for contract ${CONTRACT}`
  throw new SettingsError(`plugins.${name}: this server speaks contract ${CONTRACT}. ${who} ${what}.`)
}

function refuseTwins(loaded: readonly LoadedPlugin[]): void {
  const owners = new Map<string, string>()
  for (const { name, plugin } of loaded) {
    const { prefix } = plugin.protocol
    const other = owners.get(prefix)
    if (other) throw new SettingsError(`plugins.${name} and plugins.${other} both serve ${prefix}; keep one of them.`)
    owners.set(prefix, name)
  }
}
