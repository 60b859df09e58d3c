// The README's two commands, and an installation without a registry, as somebody runs them who has just cloned the project: Node and npm on the machine, and no
// browser, database, Go, Rust or pnpm.
// What the machine has of these is hidden, so that what a newcomer meets is met here first. Plain JavaScript without dependencies: nothing is installed yet.
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(fileURLToPath(import.meta.url), '../..')
/** Programs that a newcomer does not have, by how their names begin. */
const HIDDEN =
  /^(chrom|google-chrome|firefox|psql|pg_|postgres|initdb|redis|valkey|go$|gofmt|cargo|rustc|rustup|pnpm|pnpx|pnx?$|docker|podman|nginx|caddy)/
/** Variables that name what a newcomer does not have. */
const UNSET = /^(DATABASE_URL|REDIS_URL|CI|NODE_OPTIONS|SVC_|npm_lifecycle|npm_package|npm_execpath|npm_node_execpath|npm_command)/
/** How long the first start may take on a busy machine, with its installation, in milliseconds. */
const START_MS = 600_000
/** How long it may take to stop, in milliseconds. */
const STOP_MS = 60_000

const bin = mkdtempSync(join(tmpdir(), 'svc-newcomer-'))
process.on('exit', () => rmSync(bin, { recursive: true, force: true }))
const env = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !UNSET.test(name))), PATH: withoutHidden() }

await start()
await sidecar()
await withoutRegistry()
await npm('test')

/** `npm start`: what it prints can be opened, and it stops when it is told to. */
async function start() {
  const began = performance.now()
  const child = spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  let said = ''
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  child.stdout.on('data', (text) => {
    said += text
    process.stdout.write(text)
  })
  try {
    const page = await until(START_MS, () => /https?:\/\/\S+\/dashboard/.exec(said)?.[0], ended)
    const { baseUrl, apiKey } = JSON.parse(readFileSync(join(ROOT, '.svc/sandbox.json'), 'utf8'))
    for (const [url, headers] of [
      [page, {}],
      [`${baseUrl}/docs`, {}],
      [`${baseUrl}/api/v1/evm-three/native/networks`, { 'X-API-KEY': apiKey }],
    ]) {
      const { status } = await fetch(url, { headers })
      if (status !== 200) throw new Error(`${url} answered ${status} instead of 200.`)
    }
    console.log(`npm start: answers after ${seconds(began)}`)
  } finally {
    // A terminal's Ctrl-C reaches the whole group.
    if (child.exitCode === null) process.kill(-child.pid, 'SIGINT')
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), STOP_MS)
    const { signal } = await ended
    clearTimeout(timer)
    if (signal === 'SIGKILL') fail(`npm start did not stop within ${STOP_MS / 1000} s of a Ctrl-C.`)
  }
}

/** The check for other languages, as docs/any-language.md has it built: by the machine's own Node. */
async function sidecar() {
  const began = performance.now()
  await ends(ROOT, 'node', 'scripts/sidecar.mjs', join(bin, 'svc-verify.mjs'))
  await ends(ROOT, 'node', join(bin, 'svc-verify.mjs'), '--help')
  console.log(`svc-verify: built and run after ${seconds(began)}`)
}

/** What docs/operating.md says of an installation without a registry: packed in this clone, installed by npm in a folder of an operator's own, and run there. */
async function withoutRegistry() {
  const began = performance.now()
  const folder = join(bin, 'operator')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'operator', private: true, type: 'module' }))
  await ends(ROOT, process.execPath, 'scripts/run.mjs', 'tarballs', '@svc/server', '@svc/plugin-evm-three')
  const tarballs = join(ROOT, 'tarballs')
  const files = readdirSync(tarballs).map((name) => join(tarballs, name))
  await ends(folder, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...files)
  // By the Node that the project brings: the machine's may be older than the packages ask for.
  await ends(folder, join(ROOT, 'node_modules/node/bin/node'), 'node_modules/@svc/server/dist/main.js', '--version')
  rmSync(tarballs, { recursive: true })
  console.log(`tarballs: packed, installed and run after ${seconds(began)}`)
}

/** Runs a command to its end, and ends this process where it fails. */
async function ends(cwd, ...command) {
  const [program, ...args] = command
  const child = spawn(program, args, { cwd, env, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) fail(`${command.slice(0, 4).join(' ')} ended with ${code} where a newcomer runs it: with Node and npm alone.`)
}

async function npm(...args) {
  const began = performance.now()
  const child = spawn('npm', args, { cwd: ROOT, env, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0)
    fail(`npm ${args.join(' ')} ended with ${code} where a newcomer runs it: without a browser, a database, Go, Rust and pnpm.`)
  console.log(`npm ${args.join(' ')}: green after ${seconds(began)}`)
}

/** Waits for a value, and no longer than the process that is to give it lives. */
async function until(ms, find, ended) {
  let over = false
  ended.then(() => (over = true))
  for (const began = performance.now(); performance.now() - began < ms; ) {
    const value = find()
    if (value !== undefined) return value
    if (over) throw new Error('npm start ended by itself; the lines above say why.')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`npm start told no address of the dashboard within ${ms / 1000} s.`)
}

/** A search path with everything that the machine's own has, but for what is hidden; the first of a name counts, as there. */
function withoutHidden() {
  const links = join(bin, 'bin')
  mkdirSync(links)
  const seen = new Set()
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder.includes('node_modules')) continue
    for (const name of namesIn(folder)) {
      if (seen.has(name) || HIDDEN.test(name) || !isProgram(join(folder, name))) continue
      seen.add(name)
      symlinkSync(join(folder, name), join(links, name))
    }
  }
  return links
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function seconds(began) {
  return `${((performance.now() - began) / 1000).toFixed(0)} s`
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
