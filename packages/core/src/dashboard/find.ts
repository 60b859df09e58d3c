import { existsSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { membersOf } from '@svc/contract'
import type { Places } from '../base/places.ts'

/** The package that brings the page. */
const DASHBOARD = '@svc/dashboard'

/** Location of the page's files; `built` is false in a clone of the sources that nobody has built. */
export interface FoundDashboard {
  readonly folder: string
  readonly built: boolean
}

/** Finds the dashboard package, next to the operator's plugins first, then next to this server. @returns null when it is not installed */
export function findDashboard(places: Places): FoundDashboard | null {
  for (const place of [...places, fileURLToPath(import.meta.url)]) {
    const manifest = manifestFrom(place)
    if (manifest === undefined) continue
    const folder = join(dirname(manifest), 'dist')
    return { folder, built: existsSync(join(folder, 'index.html')) }
  }
  return null
}

function manifestFrom(place: string): string | undefined {
  try {
    return findPackageJSON(DASHBOARD, pathToFileURL(place))
  } catch (error) {
    if (membersOf(error).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}
