import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

/** A module of this package: what is not installed beside a config is looked for beside it. */
export const home: string = import.meta.filename

/** The version of this package. */
export function version(): string {
  const manifest = findPackageJSON(import.meta.url)
  return manifest ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version : 'unknown'
}
