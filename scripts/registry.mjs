// The packages of this workspace as a registry would hand them out: packed into tarballs, and installed by npm into a folder outside of it.
// For `pnpm installed` and for the plugin template's proof. They have to be built: `pnpm packages`, or `pnpm build`.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pnpmCommand } from './pnpm.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Manifest and folder of every package that is published, by name. */
export function published() {
  const found = new Map()
  for (const path of globSync(['packages/*/package.json', 'plugins/*/package.json', 'plugins/*/*/package.json', 'server/package.json'], {
    cwd: root,
  })) {
    const manifest = readManifest(join(root, path, '..'))
    if (!manifest.private) found.set(manifest.name, { manifest, folder: join(root, path, '..') })
  }
  return found
}

/** These packages and all of the workspace's that npm would install with them: dependencies, and peers that are not optional. */
export function withDependencies(names) {
  return closure(names, ({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) => [
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
    ...Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional),
  ])
}

/**
 * Builds packages and what they are built on, in an order in which each finds the types of the others. Packages that need nothing of each other are built together.
 *
 * @param names of published packages; none for all
 * @returns what was built, in this order
 * @throws Error that says what a build wrote, when it failed
 */
export function buildPackages(names) {
  const packages = published()
  const needs = ({ manifest }) => builtOn(manifest).filter((name) => packages.has(name))
  let waiting = closure(names.length > 0 ? names : [...packages.keys()], builtOn)
  const built = []
  while (waiting.length > 0) {
    const ready = waiting.filter((name) => needs(packages.get(name)).every((each) => built.includes(each)))
    if (ready.length === 0) throw new Error(`These packages need each other, so that none can be built first: ${waiting.join(', ')}.`)
    const scripts = ready.filter((name) => packages.get(name).manifest.scripts?.build)
    if (scripts.length > 0) run(root, 'pnpm', '-r', ...scripts.flatMap((name) => ['--filter', name]), 'run', 'build')
    built.push(...ready)
    waiting = waiting.filter((name) => !ready.includes(name))
  }
  return built
}

/** Names that a package's sources import: of what npm installs with it, and of optional peers, whose types the build needs. */
function builtOn({ dependencies, optionalDependencies, peerDependencies }) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
}

/** Published packages, with all that they lead to. @param next names that a manifest leads to */
function closure(names, next) {
  const packages = published()
  const found = new Set(names)
  for (const name of found) for (const each of next(packages.get(name).manifest)) if (packages.has(each)) found.add(each)
  return [...found]
}

/**
 * Works in a folder that goes when it is done, and ends this process: with 1, and the reason, when the work failed.
 *
 * @param keep whether the folder stays for a look
 */
export async function inFolder(name, work, { keep = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), `svc-${name}-`))
  let failed = true
  try {
    await work(folder)
    failed = false
  } catch (error) {
    console.error(error.message)
  } finally {
    if (keep) console.log(`kept: ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
  process.exit(failed ? 1 : 0)
}

/** Packs packages of the workspace. @returns path of the tarball, by name */
export async function pack(names, folder) {
  await mkdir(folder, { recursive: true })
  run(root, 'pnpm', '-r', ...names.flatMap((name) => ['--filter', name]), 'pack', '--pack-destination', folder)
  const packages = published()
  return new Map(names.map((name) => [name, join(folder, tarballOf(packages.get(name).manifest))]))
}

/** How a packed package's file is called. */
export function tarballOf({ name, version }) {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}

/** A new folder with a package of its own, as an operator begins. */
export async function operatorFolder(folder) {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'operator', private: true, type: 'module' }))
  return folder
}

/** As `npm install` there; what npm has in its cache is not asked for again. */
export function install(folder, files, ...options) {
  run(folder, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...options, ...files)
}

export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Meant for the workspace's own runs: options of Node, the servers that its tests share, what else the service and its tests are told. */
const OURS = /^(NODE_OPTIONS|NODE_PATH|DATABASE_URL|REDIS_URL|SVC_\w+)$/

/** The environment of somebody outside: nothing of that reaches him, nor do commands of this workspace, but for its Node. */
export function outsideEnvironment() {
  const path = (folders) =>
    [dirname(process.execPath), ...folders.split(delimiter).filter((each) => !each.startsWith(root))].join(delimiter)
  const kept = Object.entries(process.env).filter(([name]) => !OURS.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, name.toUpperCase() === 'PATH' ? path(value) : value]))
}

/** Runs a command to its end. @returns what it wrote to stdout @throws when it fails, with all that it wrote */
export function run(cwd, command, ...args) {
  const { status, error, stdout, stderr } = attempt(cwd, command, ...args)
  if (error) throw new Error(`${command} could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`${command} ${args.slice(0, 3).join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout
}

/** Runs a command to its end, whatever that is. */
export function attempt(cwd, name, ...rest) {
  const [command, ...args] = [...(name === 'pnpm' ? pnpmCommand() : [name]), ...rest]
  return spawnSync(command, args, { cwd, env: outsideEnvironment(), encoding: 'utf8', shell: process.platform === 'win32' })
}
