// Makes dist/package, which is what is published: this package with its libraries inside, at the versions of the workspace's lockfile. Overrides
// of a workspace reach nobody who installs its packages; what is bundled does, under npm and pnpm alike.
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('..', import.meta.url))
const target = join(home, 'dist/package')
const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
const libraries = Object.keys(manifest.dependencies)

await rm(target, { recursive: true, force: true })
await mkdir(join(target, 'dist'), { recursive: true })
for (const name of await readdir(join(home, 'dist'))) if (name !== 'package') await cp(join(home, 'dist', name), join(target, 'dist', name))
await cp(join(home, 'src'), join(target, 'src'), { recursive: true })
await cp(join(home, 'README.md'), join(target, 'README.md'))
// Written by the release; before the first one there is none.
if (existsSync(join(home, 'CHANGELOG.md'))) await cp(join(home, 'CHANGELOG.md'), join(target, 'CHANGELOG.md'))

/** Folder in the bundle → what was put there. The first of a name is at the top, another version of it below whoever needs it. */
const placed = new Map()
const queue = []
const versions = {}
for (const name of libraries) {
  const from = await realpath(join(home, 'node_modules', name))
  place(name, from, '')
  versions[name] = (await manifestOf(from)).version
}
for (const { name, from, at } of queue) {
  const { name: real, dependencies = {}, optionalDependencies = {} } = await manifestOf(from)
  // The folder in which the package manager has put it, and what it depends on. Its own name may be another one than that by which it is asked for.
  const beside = from.slice(0, -real.length)
  for (const dependency of Object.keys(dependencies)) {
    const found = await realpath(join(beside, dependency)).catch(() => undefined)
    if (found) place(dependency, found, at)
    else if (!(dependency in optionalDependencies)) throw new Error(`${name} depends on ${dependency}, which is not installed`)
  }
}
for (const [at, { from }] of placed) {
  const own = (path) => !path.slice(from.length).includes('/node_modules')
  await cp(from, join(target, at), {
    recursive: true,
    filter: (path) => own(path) && !/\.map$|\/(test|tests|__tests__|docs|examples)$/.test(path),
  })
  await writeFile(join(target, at, 'package.json'), `${JSON.stringify(await bundledManifest(at, from), null, 2)}\n`)
}

const { scripts: _, publishConfig, files, ...rest } = manifest
const published = {
  ...rest,
  // The published folder has no other content, so that nothing is left out.
  files: ['dist', 'src', 'CHANGELOG.md'],
  publishConfig: { access: publishConfig.access },
  dependencies: versions,
  bundleDependencies: libraries,
}
await writeFile(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
// pnpm packs bundled dependencies only where its packages lie flat, as they do here.
await writeFile(join(target, 'pnpm-workspace.yaml'), 'nodeLinker: hoisted\n')
console.log(`${placed.size} packages are bundled in ${manifest.name}`)

function place(name, from, below) {
  const top = join('node_modules', name)
  // What stands nearest above the one that asks is what it will find.
  for (let folder = below; folder !== '' && folder !== '.'; folder = dirname(folder)) {
    const near = placed.get(join(folder, 'node_modules', name))
    if (near) return near.from === from ? undefined : put(join(below, 'node_modules', name))
  }
  const there = placed.get(top)
  if (there?.from === from) return
  put(there ? join(below, 'node_modules', name) : top)

  function put(at) {
    placed.set(at, { from })
    queue.push({ name, from, at })
  }
}

/**
 * The manifest of a bundled package: it asks for the very versions that are bundled, and for nothing else. With its own, `npm ci` refuses every lock file that
 * `npm install` has written of it: a mended version is not within the range of who asked for another one, and an optional part is missing.
 */
async function bundledManifest(at, from) {
  const {
    devDependencies: _,
    peerDependencies: _peers,
    peerDependenciesMeta: _meta,
    optionalDependencies: _optional,
    ...own
  } = await manifestOf(from)
  const dependencies = {}
  for (const name of Object.keys(own.dependencies ?? {})) {
    const found = nearest(name, at)
    if (found) dependencies[name] = (await manifestOf(found.from)).version
  }
  return { ...own, dependencies }
}

/** What a package in that folder finds by a name. */
function nearest(name, at) {
  for (let folder = at; folder !== '.' && folder !== ''; folder = dirname(folder)) {
    const near = placed.get(join(folder, 'node_modules', name))
    if (near) return near
  }
  return placed.get(join('node_modules', name))
}

async function manifestOf(folder) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}
