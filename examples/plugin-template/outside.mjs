// Proves that the template works for a stranger: packs the packages it needs, copies it out of the repository, installs it from the
// tarballs with nothing of the workspace in reach, builds it, and runs its conformance test on what was built.
//
//   node examples/plugin-template/outside.mjs [--keep]        on Node 22.18 or newer; --keep leaves the folder for a look

import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const template = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'svc-outside-'))
const tarballs = join(folder, 'tarballs')
const outside = join(folder, 'plugin-savings')
let failed = true

try {
  const packages = await needed()
  step(`building ${[...packages.keys()].join(', ')}`)
  run(root, 'pnpm', '-r', ...[...packages.keys()].flatMap((name) => ['--filter', name]), 'run', 'build')

  step('packing')
  await mkdir(tarballs)
  const files = new Map()
  for (const [name, home] of packages) files.set(name, await pack(home))

  step(`copying the template to ${outside}`)
  await copyTemplate()
  await writeFile(join(outside, 'pnpm-workspace.yaml'), settings(files))

  step('installing from the tarballs')
  run(outside, 'pnpm', 'install', '--no-frozen-lockfile', '--loglevel=warn')
  await refuseWorkspace([...packages.keys()])

  step('building the template')
  run(outside, 'pnpm', 'run', 'build')

  step('running its conformance test on what was built')
  run(outside, process.execPath, '--test', 'test/conformance.test.ts')
  failed = false
  step('the template works outside of the repository')
} catch (error) {
  console.error(error.message)
} finally {
  if (process.argv.includes('--keep')) console.log(`kept: ${folder}`)
  else await rm(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

/** Name → folder of every package of the workspace that the template needs, directly or not. */
async function needed() {
  const homes = new Map()
  for (const name of await readdir(join(root, 'packages'))) {
    const home = join(root, 'packages', name)
    const manifest = await readManifest(home).catch(() => undefined)
    if (manifest) homes.set(manifest.name, home)
  }
  const found = new Map()
  const own = await readManifest(template)
  const queue = Object.keys({ ...own.dependencies, ...own.peerDependencies, ...own.devDependencies })
  for (const name of queue) {
    const home = homes.get(name)
    if (!home || found.has(name)) continue
    found.set(name, home)
    const { dependencies, peerDependencies, optionalDependencies } = await readManifest(home)
    queue.push(...Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies }))
  }
  return found
}

/** Makes a tarball as a registry would get it. @returns its path */
async function pack(home) {
  const before = new Set(await readdir(tarballs))
  run(home, 'pnpm', 'pack', '--silent', '--pack-destination', tarballs)
  const made = (await readdir(tarballs)).find((name) => !before.has(name))
  return join(tarballs, made)
}

/** Packing writes versions where the workspace's manifest has `workspace:` and `catalog:`, as whoever copies the template does by hand. */
async function copyTemplate() {
  const tarball = await pack(template)
  run(folder, 'tar', '-xzf', tarball)
  await mkdir(outside)
  await cp(join(folder, 'package/package.json'), join(outside, 'package.json'))
  for (const name of ['src', 'sandbox', 'tsconfig.json', 'test/conformance.test.ts']) {
    await cp(join(template, name), join(outside, name), { recursive: true })
  }
}

/** Everything of ours from the tarballs; the rest from the registry. */
function settings(files) {
  const overrides = [...files].map(([name, file]) => `  '${name}': 'file:${file}'`)
  // The packages of the two need no build: their programs come as packages of their own for each platform.
  return `packages: ['.']\noverrides:\n${overrides.join('\n')}\nallowBuilds:\n  '@foundry-rs/anvil': false\n  esbuild: false\n`
}

/** The test would prove nothing if it found the workspace after all. */
async function refuseWorkspace(names) {
  const store = await readdir(join(outside, 'node_modules/.pnpm'))
  for (const name of names) {
    const flat = name.replace('/', '+')
    if (!store.some((entry) => entry.startsWith(`${flat}@file+`))) throw new Error(`${name} was not installed from its tarball`)
  }
}

async function readManifest(home) {
  return JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
}

function step(line) {
  console.log(`\n── ${line}`)
}

function run(cwd, command, ...args) {
  // Conditions meant for the workspace's own runs must not reach the outside.
  const { NODE_OPTIONS: _, ...env } = process.env
  const { status, error } = spawnSync(command, args, { cwd, env, stdio: 'inherit', shell: process.platform === 'win32' })
  if (error) throw new Error(`${command} could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}
