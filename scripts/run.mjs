// Starts or tests a fresh clone with nothing but Node 20 or newer and npm on the machine: brings pnpm, installs, brings
// the pinned Node, runs the script named. Plain JavaScript without dependencies, because nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDashboard } from './dashboard.mjs'
import { pnpmCommand } from './pnpm.mjs'

const [script, ...rest] = process.argv.slice(2)
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const shell = process.platform === 'win32'
const parent = process.ppid
const [hostMajor] = process.versions.node.split('.').map(Number)

if (hostMajor < 20) fail(`Node ${process.versions.node} is too old to start this project: install Node 20 or newer.`)
if (!script) fail('Usage: node scripts/run.mjs <script of package.json> [arguments]')

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const pnpm = pnpmCommand()

const install = run([...pnpm, 'install', '--frozen-lockfile', '--loglevel=warn'])
if (install !== 0) fail('The dependencies could not be installed; the lines above say why. Is the npm registry reachable?', install)

const found = output([...pnpm, 'exec', 'node', '-p', 'process.version+process.execPath']).trim()
const [, version = '', node = ''] = /^v([\d.]+)(.*)$/.exec(found) ?? []
const [major = 0, minor = 0] = version.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18))
  fail(`This project runs on Node 22.18 or newer. npm has no Node for ${process.platform}-${process.arch}, and the one here is ${version}.`)

// What is served at /dashboard: built again where its sources changed.
if (script === 'serve') {
  const wrong = buildDashboard(node)
  if (wrong !== null) console.error(`The dashboard could not be built, so /dashboard is not there:\n${wrong}`)
}

const text = manifest.scripts[script] ?? fail(`package.json has no script ${script}.`)
// A script that is one plain call of Node is called without pnpm and its shell between, which pass no signal on.
if (/^node [^"'&|;<>$]+$/.test(text)) end(await accompany([node, ...text.split(' ').slice(1), ...rest]))
else process.exit(run([...pnpm, 'run', '--silent', script, ...rest]))

function output([command, ...args]) {
  const result = spawnSync(command, args, { cwd: root, shell, encoding: 'utf8' })
  return result.status === 0 ? result.stdout : ''
}

/** Runs to the end with the terminal's own streams. A signal reaches the child as well, so wait for it to end its own way. */
function run([command, ...args]) {
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  const result = spawnSync(command, args, { cwd: root, shell, stdio: 'inherit' })
  if (result.error) fail(`${command} could not be started: ${result.error.message}`)
  return result.status ?? 1
}

/**
 * Runs to the end with the terminal's own streams, and passes on what would end this process: signals, and the end of npm, which does not
 * tell those that it started.
 */
async function accompany([command, ...args]) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const watch = setInterval(() => {
    if (!process.env.npm_lifecycle_event || process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 250)
  return new Promise((resolve) => {
    child.once('error', (error) => fail(`${command} could not be started: ${error.message}`))
    child.once('exit', (code, signal) => {
      clearInterval(watch)
      resolve({ code, signal })
    })
  })
}

/** Ends as the child ended. */
function end({ code, signal }) {
  if (signal === null) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

function fail(sentence, code = 1) {
  console.error(sentence)
  process.exit(code)
}
