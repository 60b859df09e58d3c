import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RealNode } from './node.ts'
import type { Programs } from './programs.ts'

/** Folder in which programs are kept between runs: outside of any checkout. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return env.SVC_REAL_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'staking-transaction-service', 'real')
}

/**
 * Looks for a node's programs.
 *
 * @returns their folder, named by a digest of all that decides what is built, and whether they are there
 */
export async function findBuilt(node: RealNode, cache: string): Promise<{ readonly folder: string; readonly there: boolean }> {
  const folder = join(cache, node.name, (await digest(node)).slice(0, 16))
  return { folder, there: await areThere(folder, node.makes) }
}

/**
 * Builds a node's programs.
 *
 * @param folder where they are kept
 * @throws Error when a build fails; nothing of it is kept then
 */
export async function build(node: RealNode, programs: Programs, folder: string, say: (line: string) => void): Promise<void> {
  const parent = dirname(folder)
  await mkdir(parent, { recursive: true })
  const unfinished = await mkdtemp(join(parent, '.building-'))
  const began = Date.now()
  say(`building ${node.makes.join(', ')} (${node.software})`)
  try {
    await node.build(unfinished, programs)
    if (!(await areThere(unfinished, node.makes))) throw new Error(`The build of ${node.name} has not made ${node.makes.join(', ')}.`)
    await rm(folder, { recursive: true, force: true })
    // Whole or not at all: a run that is interrupted leaves nothing that looks finished.
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  say(`built in ${Math.round((Date.now() - began) / 1_000)} s`)
}

/** Over names and contents of all sources, and over what the programs are built for. */
async function digest({ sources }: RealNode): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  for (const source of sources) {
    const files = (await stat(source)).isDirectory()
      ? (await readdir(source, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
      : [source]
    for (const file of files)
      hash
        .update(`${file.slice(source.length)}\0`)
        .update(await readFile(file))
        .update('\0')
  }
  return hash.digest('hex')
}

async function areThere(folder: string, names: readonly string[]): Promise<boolean> {
  const hits = await Promise.all(
    names.map((name) =>
      access(join(folder, name)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return hits.every((there) => there)
}
