// Builds the dashboard where it is not built yet, or where its sources changed since: 0.3 s. Plain JavaScript without dependencies, as scripts/run.mjs.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'packages', 'dashboard')
/** What the build reads. */
const SOURCES = [
  'src',
  'public',
  'build',
  'index.html',
  'package.json',
  'vite.config.ts',
  '../client/src',
  '../verify/src',
  '../intent-hub/src',
  '../../plugins/*/intent/src',
]

/** @param node the Node to build with @returns what was wrong; null when all is well, or when there is no dashboard here */
export function buildDashboard(node = process.execPath) {
  if (!existsSync(folder)) return null
  const built = join(folder, 'dist', 'index.html')
  if (existsSync(built) && statSync(built).mtimeMs >= Math.max(...SOURCES.flatMap(matching).map(newest))) return null
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js')
  const { status, error, stderr } = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], { cwd: folder, encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr)
}

/** Paths of a source; one star stands for every folder there. */
function matching(name) {
  const [before, after] = join(folder, name).split('*')
  return after === undefined ? [before] : readdirSync(before).map((each) => before + each + after)
}

/** When a file, or any below a folder, changed last, in milliseconds since 1970. */
function newest(path) {
  if (!existsSync(path)) return 0
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
