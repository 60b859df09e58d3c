import { fileURLToPath } from 'node:url'

/** The folder of each plugin's package, by the plugin's name; real paths, as Node loads its files from them. */
export type Folders = Readonly<Record<string, string>>

/** A file and a line of a stack, and the plugin that the file belongs to. */
export interface Blame {
  readonly plugin: string
  /** File and line, such as `/srv/svc/node_modules/x/index.js:12`. */
  readonly at: string
}

/**
 * Finds the plugin that a stack passes through: the one whose folder contains the innermost of the stack's places.
 *
 * @param places files with a line, innermost first, as URLs (`file:///a/b.js:12`) or paths (`/a/b.js:12`)
 * @returns undefined where none lies in a plugin's folder
 */
export function blame(places: readonly string[], folders: Folders): Blame | undefined {
  for (const place of places) {
    const at = pathOf(place)
    if (at === undefined) continue
    // Of folders within each other, the inner one.
    const [inner] = Object.entries(folders)
      .filter(([, folder]) => at.startsWith(`${folder}/`) || at.startsWith(`${folder}\\`))
      .sort(([, one], [, other]) => other.length - one.length)
    if (inner) return { plugin: inner[0], at }
  }
  return undefined
}

/** Lists the places of an error's stack and of the stacks of its causes, innermost first; none for a thrown value that is no error. */
export function placesOfError(error: unknown): readonly string[] {
  const places: string[] = []
  const visited = new Set<unknown>()
  for (let each = error; each instanceof Error && !visited.has(each); each = each.cause) {
    visited.add(each)
    for (const [, place] of (each.stack ?? '').matchAll(/^\s+at .*?\(?((?:file:\/\/)?(?:\/|[A-Za-z]:\\)[^\s()]*:\d+):\d+\)?$/gm))
      if (place !== undefined) places.push(place)
  }
  return places
}

function pathOf(place: string): string | undefined {
  if (!place.startsWith('file:')) return place.startsWith('node:') ? undefined : place
  const [, url, line] = /^(.*):(\d+)$/.exec(place) ?? []
  try {
    return url === undefined ? undefined : `${fileURLToPath(url.replace(/\?.*$/, ''))}:${line}`
  } catch {
    return undefined
  }
}
