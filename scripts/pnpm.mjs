// The project's own pnpm, whatever the machine has. Plain JavaScript without dependencies: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const shell = process.platform === 'win32'
let command

/** Returns the words that begin a command of pnpm: the machine's, where it has the version that package.json pins, else npx with that version. */
export function pnpmCommand() {
  command ??= findPnpm()
  return command
}

function findPnpm() {
  const [, wanted] = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager.split('@')
  const { status, stdout } = spawnSync('pnpm', ['--version'], { cwd: root, shell, encoding: 'utf8' })
  return status === 0 && stdout.trim() === wanted ? ['pnpm'] : ['npx', '--yes', `pnpm@${wanted}`]
}
