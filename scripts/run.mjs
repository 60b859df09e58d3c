// Starts or tests a fresh clone with nothing but Node 20 or newer and npm on the machine: brings pnpm, installs, brings
// the pinned Node, runs the script named. Plain JavaScript without dependencies, because nothing is installed yet.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [script, ...rest] = process.argv.slice(2)
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const shell = process.platform === 'win32'
const [hostMajor] = process.versions.node.split('.').map(Number)

if (hostMajor < 20) fail(`Node ${process.versions.node} is too old to start this project: install Node 20 or newer.`)
if (!script) fail('Usage: node scripts/run.mjs <script of package.json> [arguments]')

const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager.split('@')[1]
const pnpm = pnpmCommand()

const install = run([...pnpm, 'install', '--frozen-lockfile', '--loglevel=warn'])
if (install !== 0) fail('The dependencies could not be installed; the lines above say why. Is the npm registry reachable?', install)

const version = output([...pnpm, 'exec', 'node', '--version']).replace(/^v/, '')
const [major = 0, minor = 0] = version.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18))
  fail(`This project runs on Node 22.18 or newer. npm has no Node for ${process.platform}-${process.arch}, and the one here is ${version}.`)

process.exit(run([...pnpm, 'run', '--silent', script, ...rest]))

function pnpmCommand() {
  if (output(['pnpm', '--version']).trim() === wanted) return ['pnpm']
  return ['npx', '--yes', `pnpm@${wanted}`]
}

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

function fail(sentence, code = 1) {
  console.error(sentence)
  process.exit(code)
}
