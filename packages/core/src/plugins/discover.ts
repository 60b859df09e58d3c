import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { membersOf, type ProtocolPlugin, SettingsError } from '@svc/contract'
import { CONTRACT } from '@svc/contract/host'
import type { Places } from '../base/places.ts'
import type { Config } from '../config/schema.ts'
import type { Folders } from '../watchdog/blame.ts'
import { folderOf, LOAD_MS, loadModule } from './loading.ts'

/** A plugin and where it came from. */
export interface LoadedPlugin {
  readonly name: string
  readonly version: string
  readonly plugin: ProtocolPlugin
  /** The folder of its package, by its real path; undefined for one that the config gives. */
  readonly folder?: string
}

/** Members of a package.json that the service reads. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  /** Description of a plugin; only the package of a plugin has it. */
  readonly svc?: {
    /** Version of the contract that the plugin was made for. It should be a number, but a package may have anything there. */
    readonly contract?: unknown
    /** Its export that holds a sandbox scenario, such as `./sandbox`. */
    readonly sandbox?: unknown
    /** The package of its intent, or an export of one, whose `./page` is a script for the dashboard. */
    readonly intent?: unknown
    /** The networks that it is made for, by chain id, each with a name that `svc init` offers. */
    readonly networks?: unknown
  }
}

/** An installed plugin, before any of its code has run. */
export interface InstalledPlugin {
  readonly name: string
  readonly manifest: Manifest
  /** The file that it is resolved from. */
  readonly place: string
}

/**
 * Loads the plugins that a config names, one after the other (two chain libraries loaded at once can disturb each other's modules).
 *
 * @param ms how long each of them may take, in milliseconds
 * @throws SettingsError when a package is missing, breaks or does not end while it is loaded, is no plugin, or speaks another contract
 */
export async function discover(config: Pick<Config, 'plugins'>, places: Places, ms = LOAD_MS): Promise<readonly LoadedPlugin[]> {
  const loaded: LoadedPlugin[] = []
  for (const [name, { module }] of Object.entries(config.plugins)) {
    if (module !== undefined) loaded.push({ name, version: 'given by the config', plugin: asPlugin(name, module) })
    else loaded.push(await loadPlugin(name, places, ms))
  }
  refuseTwins(loaded)
  return loaded
}

/** Loads one plugin by package name. Reads its manifest before any of its code is run. @throws SettingsError as `discover` does */
export async function loadPlugin(name: string, places: Places, ms = LOAD_MS): Promise<LoadedPlugin> {
  for (const place of places) {
    const manifest = await readManifest(name, place)
    if (!manifest) continue
    refuseContract(name, manifest.svc?.contract, 'Its manifest says')
    const module = await loadModule({ name, specifier: name, place, ms })
    const folder = folderOf(name, place)
    return { name, version: manifest.version, plugin: asPlugin(name, module.default), ...(folder === undefined ? {} : { folder }) }
  }
  throw new SettingsError(`plugins.${name}: the package is not installed in ${operatorFolder(places)}; run there: npm install ${name}`)
}

/** Returns the folders of plugins' packages, by the plugins' names. */
export function foldersOf(plugins: readonly LoadedPlugin[]): Folders {
  return Object.fromEntries(plugins.flatMap(({ name, folder }) => (folder === undefined ? [] : [[name, folder]])))
}

/** Lists the plugins among the direct dependencies of the operator's package, by their manifests and in its order. Runs none of their code. */
export async function installedPlugins(places: Places): Promise<readonly InstalledPlugin[]> {
  const [place, own] = packageAround(places) ?? []
  if (place === undefined || own === undefined) return []
  const { dependencies, optionalDependencies } = await parseManifest(own, 'the package.json of the operator’s folder')
  const plugins: InstalledPlugin[] = []
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const manifest = await readManifest(name, place)
    if (manifest?.svc !== undefined) plugins.push({ name, manifest, place })
  }
  return plugins
}

/** Returns the folder of the package that decides which plugins are installed: the one around the first of the places that has a package, else the folder of the last place. */
export function operatorFolder(places: Places): string {
  return dirname(packageAround(places)?.[1] ?? places.at(-1) ?? places[0])
}

/** Reads the manifest of a package as a file in that place would find it; null when there is none. @throws SettingsError when it is no JSON */
export async function readManifest(name: string, place: string): Promise<Manifest | null> {
  try {
    const path = findPackageJSON(name, pathToFileURL(place))
    return path ? await parseManifest(path, `${name}: its package.json`) : null
  } catch (error) {
    if (error instanceof SettingsError) throw error
    const { code, message } = membersOf(error)
    if (code === 'ERR_MODULE_NOT_FOUND') return null
    throw new SettingsError(`${name}: its package.json cannot be read: ${String(message)}`, { cause: error })
  }
}

async function parseManifest(path: string, what: string): Promise<Manifest> {
  const text = await readFile(path, 'utf8')
  try {
    const manifest: unknown = JSON.parse(text)
    if (typeof manifest === 'object' && manifest !== null && !Array.isArray(manifest)) return manifest as Manifest
  } catch (error) {
    throw new SettingsError(`${what} (${path}) is not valid JSON: ${String(membersOf(error).message)}.`, { cause: error })
  }
  throw new SettingsError(`${what} (${path}) holds ${text.trim().slice(0, 40)}; it has to be an object.`)
}

/** Finds the first of the places with a package around it, and the path of that package's manifest. */
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
  // What a package exports beside is never run, and may be a function.
  if (exported === null || (typeof exported !== 'object' && typeof exported !== 'function')) return false
  return 'protocol' in exported && typeof exported.protocol === 'object' && exported.protocol !== null
}

function refuseContract(name: string, version: unknown, who: string): void {
  if (version === CONTRACT) return
  throw new SettingsError(`plugins.${name}: this server speaks contract ${CONTRACT}. ${who} ${contractWords(version)}.`)
}

function contractWords(version: unknown): string {
  if (version === undefined) return 'no contract; it is not a plugin of this service'
  const written = JSON.stringify(version)?.slice(0, 40)
  if (typeof version === 'number') return `contract ${written}; install a version made for contract ${CONTRACT}`
  const kind = typeof version === 'string' ? 'a text' : 'not a number'
  return `contract ${written}, which is ${kind}; it has to be written as a number: "svc": { "contract": ${CONTRACT} }`
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
