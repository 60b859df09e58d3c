import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CONTRACT, membersOf, type ProtocolPlugin, SettingsError } from '@svc/contract'
import type { Config } from './config/schema.ts'
import { importFrom } from './import-from.ts'

/** A plugin and where it came from. */
export interface LoadedPlugin {
  readonly name: string
  readonly version: string
  readonly plugin: ProtocolPlugin
}

/** What a package.json says, as far as the service reads it. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  /** Only a plugin's has it. */
  readonly svc?: {
    /** The contract it was made for. */
    readonly contract?: number
    /** Its export that holds a sandbox scenario, such as `./sandbox`. */
    readonly sandbox?: string
  }
}

/** A plugin that is installed, of which no code was run yet. */
export interface InstalledPlugin {
  readonly name: string
  readonly manifest: Manifest
  /** The file that it is resolved from. */
  readonly place: string
}

/**
 * Where an operator's packages are looked for: next to the first of these files, and what is not found there, next to the following one. The server names his
 * config, and then a file in his working folder. None of them need exist.
 */
export type Places = readonly [string, ...string[]]

/**
 * Loads the plugins that a config names, one after the other (two chain libraries loaded at once can trip over each other's modules).
 *
 * @throws SettingsError when a package is missing, is no plugin, or speaks another contract
 */
export async function discover(config: Pick<Config, 'plugins'>, places: Places): Promise<readonly LoadedPlugin[]> {
  const loaded: LoadedPlugin[] = []
  for (const [name, { module }] of Object.entries(config.plugins)) {
    if (module !== undefined) loaded.push({ name, version: 'given by the config', plugin: asPlugin(name, module) })
    else loaded.push(await loadPlugin(name, places))
  }
  refuseTwins(loaded)
  return loaded
}

/** Loads one plugin by package name. Its manifest is read before any of its code is run. @throws SettingsError as `discover` does */
export async function loadPlugin(name: string, places: Places): Promise<LoadedPlugin> {
  for (const place of places) {
    const manifest = await readManifest(name, place)
    if (!manifest) continue
    refuseContract(name, manifest.svc?.contract, 'Its manifest says')
    const module = membersOf(await importFrom(name, place))
    return { name, version: manifest.version, plugin: asPlugin(name, module.default) }
  }
  throw new SettingsError(`plugins.${name}: the package is not installed in ${operatorFolder(places)}; run there: npm install ${name}`)
}

/** The direct dependencies of the operator's package whose manifest says that they are plugins, in its order. Runs none of their code. */
export async function installedPlugins(places: Places): Promise<readonly InstalledPlugin[]> {
  const [place, own] = packageAround(places) ?? []
  if (place === undefined || own === undefined) return []
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(own, 'utf8')) as Manifest
  const found: InstalledPlugin[] = []
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const manifest = await readManifest(name, place)
    if (manifest?.svc?.contract !== undefined) found.push({ name, manifest, place })
  }
  return found
}

/** The folder whose package decides which plugins are installed: around the first of the places that has a package, else of the last. */
export function operatorFolder(places: Places): string {
  return dirname(packageAround(places)?.[1] ?? places.at(-1) ?? places[0])
}

/** The manifest of a package as a file in that place would find it; null when there is none. */
export async function readManifest(name: string, place: string): Promise<Manifest | null> {
  try {
    const path = findPackageJSON(name, pathToFileURL(place))
    return path ? (JSON.parse(await readFile(path, 'utf8')) as Manifest) : null
  } catch (error) {
    if (membersOf(error).code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

/** The first of the places with a package around it, and the path of that package's manifest. */
function packageAround(places: Places): readonly [place: string, manifest: string] | undefined {
  for (const place of places) {
    for (let folder = dirname(place); ; folder = dirname(folder)) {
      const manifest = join(folder, 'package.json')
      if (existsSync(manifest)) return [place, manifest]
      if (folder === dirname(folder)) break
    }
  }
  return undefined
}

function asPlugin(name: string, exported: unknown): ProtocolPlugin {
  if (!isPlugin(exported))
    throw new SettingsError(`plugins.${name}: the package's default export is not a plugin; it must be what \`definePlugin\` returns.`)
  refuseContract(name, exported.contract, 'The plugin speaks')
  return exported
}

function isPlugin(exported: unknown): exported is ProtocolPlugin {
  return typeof exported === 'function' && 'protocol' in exported && typeof exported.protocol === 'object' && exported.protocol !== null
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
