import { realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Deadline, membersOf, SettingsError, setDeadline } from '@svc/contract'
import { blame, placesOfError } from '../watchdog/blame.ts'
import { boundLoading } from '../watchdog/watchdog.ts'
import { importFrom } from './import-from.ts'

/**
 * Time that a package may take to load, in milliseconds. The slowest package of this project takes under 3 s on two cores; the limit is forty times that,
 * for a machine with much other work (2026-11-25).
 */
export const LOAD_MS = 120_000

/** Parts of a plugin's package that are loaded. */
export interface Loading {
  /** The plugin's package. */
  readonly name: string
  /** The package, or an export of it, such as `@x/plugin/sandbox`. */
  readonly specifier: string
  /** The file that it is resolved from. */
  readonly place: string
  /** @default LOAD_MS */
  readonly ms?: number
}

/**
 * Imports a plugin's package, or an export of it, within a time limit. For code that never ends, which no timer can interrupt, the watchdog's thread reports it on stderr
 * and ends the process.
 *
 * @throws SettingsError that names the plugin, when its code throws or waits beyond that time; what is not installed, ERR_MODULE_NOT_FOUND, is its cause
 */
export async function loadModule({ name, specifier, place, ms = LOAD_MS }: Loading): Promise<Readonly<Record<string, unknown>>> {
  const folder = folderOf(name, place)
  const loaded = boundLoading(name, folder ?? '', ms)
  // Not unref'ed: a wait that nothing will ever end would let the process end without a word.
  let limit: Deadline | undefined
  const late = new Promise<never>((_resolve, reject) => {
    limit = setDeadline(ms, () => {
      const why = `its code still waits for something after ${ms / 1000} s; a module may await only what comes soon, and nothing from outside`
      reject(new SettingsError(`plugins.${name}: ${specifier} could not be loaded: ${why}.`))
    })
  })
  try {
    return membersOf(await Promise.race([importFrom(specifier, place), late]))
  } catch (error) {
    if (error instanceof SettingsError && error.message.startsWith(`plugins.${name}:`)) throw error
    throw new SettingsError(`plugins.${name}: ${specifier} could not be loaded: ${reasonOf(error, name, folder)}`, { cause: error })
  } finally {
    limit?.clear()
    loaded()
  }
}

/** Returns the folder of a plugin's package, by its real path, as stack traces name it; undefined when there is none. */
export function folderOf(name: string, place: string): string | undefined {
  const path = findPackageJSON(name, pathToFileURL(place))
  return path === undefined ? undefined : realpathSync(dirname(path))
}

/** Writes one line on what was thrown, and where in the plugin. */
function reasonOf(error: unknown, name: string, folder: string | undefined): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}, which is no Error`
  const where = blame(placesOfError(error), folder === undefined ? {} : { [name]: folder })
  const line = text.replace(/\s+/g, ' ').slice(0, 500)
  return where ? `${line.replace(/\.$/, '')} (${where.at}).` : line
}
