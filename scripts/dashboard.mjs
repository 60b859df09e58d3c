// Builds the dashboard, and the intents that its page loads, where they are not built yet or where their sources changed since: 0.3 s and 0.1 s. Plain JavaScript, which
// loads a dependency only when something is to be built, as scripts/run.mjs.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'packages', 'dashboard')
/** What the build reads. */
const SOURCES = ['src', 'public', 'build', 'index.html', 'package.json', 'vite.config.ts', '../client/src', '../verify/src']

/** @param node the Node to build with @returns what was wrong; null when all is well, or when there is no dashboard here */
export function buildDashboard(node = process.execPath) {
  if (!existsSync(folder)) return null
  const wrong = buildIntents()
  if (wrong !== null) return wrong
  const built = join(folder, 'dist', 'index.html')
  if (existsSync(built) && statSync(built).mtimeMs >= Math.max(...SOURCES.map((name) => newest(join(folder, name))))) return null
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js')
  const { status, error, stderr } = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], { cwd: folder, encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr)
}

/** Bundles from sources what `esbuild` in the scripts of an intent bundles from what was built: the same file. @returns what was wrong; null when all is well */
function buildIntents() {
  const shared = newest(join(root, 'packages/verify/src'))
  for (const home of intents()) {
    const { exports = {} } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    if (exports['./page'] === undefined) continue
    const outfile = join(home, exports['./page'])
    if (existsSync(outfile) && statSync(outfile).mtimeMs >= Math.max(shared, newest(join(home, 'src')))) continue
    try {
      const entry = ['page.ts', 'index.ts'].map((name) => join(home, 'src', name)).find((each) => existsSync(each))
      createRequire(import.meta.url)('esbuild').buildSync({ ...BUNDLE, entryPoints: [entry], outfile })
    } catch (error) {
      return error.message
    }
  }
  return null
}

/** Folders of packages of intents, which say by the export `./page` what the page loads. */
function intents() {
  const inside = (name) => readdirSync(join(root, name)).map((each) => join(root, name, each))
  const own = ['plugins', 'examples'].flatMap(inside).map((each) => join(each, 'intent'))
  return [...inside('packages').filter((each) => basename(each).startsWith('intent-')), ...own].filter((each) =>
    existsSync(join(each, 'package.json')),
  )
}

const BUNDLE = {
  bundle: true,
  minify: true,
  format: 'iife',
  globalName: 'svcIntent',
  target: 'es2022',
  conditions: ['@svc/source'],
  logLevel: 'silent',
}

/** When a file, or any below a folder, changed last, in milliseconds since 1970. */
function newest(path) {
  if (!existsSync(path)) return 0
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
