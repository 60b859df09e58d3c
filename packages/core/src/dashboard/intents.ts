import { hash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { pathToFileURL } from 'node:url'
import { membersOf } from '@svc/contract'
import type { Places } from '../base/places.ts'
import { shortName } from '../base/short-name.ts'
import { installedPlugins } from '../plugins/discover.ts'

/** A script that the page loads: one or more intents, and what the Inspector knows of their family. */
export interface IntentScript {
  /** Package that programs import it from: `@svc/intent-hub`. */
  readonly package: string
  /** Short names of the plugins whose manifests name it. */
  readonly plugins: readonly string[]
  readonly text: string
  /** SHA-256 of its bytes in base64url, by which it is named. */
  readonly digest: string
}

/** Scripts of the installed plugins, and the plugins without one. */
export interface PageIntents {
  readonly scripts: readonly IntentScript[]
  /** A sentence for each plugin whose manifest names an intent that cannot be served. */
  readonly faults: readonly string[]
}

/** No plugin's: of a service without a page. */
export const NO_INTENTS: PageIntents = { scripts: [], faults: [] }

/** Largest script that is served, in bytes: a choice of this project, whose own have 50 kB at most. A chain's library has no place in an intent. */
export const MOST_BYTES = 512 * 1024

/** Export of an intent's package that is its script. */
const PAGE = 'page'

/** A package's name, or an export of it: `@acme/intent-own`, `@acme/plugin-own/intent`. */
const NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(\/[a-z0-9~-][a-z0-9._~-]*)*$/

/**
 * Reads the scripts of intents that the manifests of the installed plugins name by `svc.intent`. They were bundled when published, so that a start needs no bundler. None
 * of them is run here, and a faulty script does not prevent a start.
 */
export async function findIntents(places: Places): Promise<PageIntents> {
  const scripts = new Map<string, IntentScript>()
  const faults: string[] = []
  for (const { name, manifest, place } of await installedPlugins(places)) {
    const intent = manifest.svc?.intent
    if (intent === undefined) continue
    try {
      const script = scriptOf(name, intent, place)
      const plugins = [...(scripts.get(script.digest)?.plugins ?? []), shortName(name)]
      scripts.set(script.digest, { ...script, plugins })
    } catch (error) {
      faults.push(`${name}: ${String(membersOf(error).message)}. The dashboard's page cannot check what it crafts.`)
    }
  }
  return { scripts: [...scripts.values()], faults }
}

/** Reads the script of an intent from its package. @throws Error whose message is a sentence without its point */
function scriptOf(plugin: string, intent: unknown, place: string): Omit<IntentScript, 'plugins'> {
  if (typeof intent !== 'string' || !NAME.test(intent))
    throw new Error(
      `svc.intent of its manifest is ${String(JSON.stringify(intent)).slice(0, 80)}; it must be the name of a package, or of an export of one, such as "@acme/intent-own"`,
    )
  const bytes = readFileSync(fileOf(plugin, intent, place))
  if (bytes.length > MOST_BYTES) throw new Error(`${intent}/${PAGE} has ${bytes.length} bytes; an intent has ${MOST_BYTES} at most`)
  return { package: intent, text: bytes.toString(), digest: hash('sha256', bytes, 'base64url') }
}

function fileOf(plugin: string, intent: string, place: string): string {
  const manifest = findPackageJSON(plugin, pathToFileURL(place))
  try {
    // By its real path: what a plugin depends on lies beside it, and not beside its link.
    return createRequire(realpathSync(manifest ?? place)).resolve(`${intent}/${PAGE}`)
  } catch (error) {
    const { code } = membersOf(error)
    const why =
      code === 'ERR_PACKAGE_PATH_NOT_EXPORTED' ? `${intent} has no export ./${PAGE}` : 'it is not installed with the plugin, or not built'
    throw new Error(`its manifest names the intent ${intent}, and ${intent}/${PAGE} cannot be read: ${why}`, { cause: error })
  }
}
