import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import type { Places } from '@svc/core'

/** Returns the places in which the operator's packages are searched: next to the config, if there is one, and then the working folder. */
export function placesOf(config?: string): Places {
  const here = join(process.cwd(), 'package.json')
  return config === undefined ? [here] : [config, here]
}

/** Returns the version of this package. */
export function version(): string {
  const manifest = findPackageJSON(import.meta.url)
  return manifest ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version : 'unknown'
}
