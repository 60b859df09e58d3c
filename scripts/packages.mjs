// Checks every package as its users will get it: built, packed, its exports and types resolved the way Node and TypeScript do.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folders = globSync(['packages/*', 'plugins/*', 'plugins/*/intent'], { cwd: root }).sort()

run('pnpm', ['run', 'build'], 'the build')
let checked = 0
for (const folder of [...folders, 'server']) {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  if (manifest.private) continue
  run('pnpm', ['exec', 'publint', '--strict', folder], `${manifest.name}: publint`)
  if (!manifest.exports['.']) {
    checked++
    continue
  }
  // Node's own resolution only: these packages are ES modules for Node.
  run(
    'pnpm',
    ['exec', 'attw', '--pack', folder, '--profile', 'esm-only', '--format', 'table-flipped', '--no-emoji', '--no-color'],
    `${manifest.name}: types`,
  )
  checked++
}
if (checked === 0) {
  console.error('no package was checked: is this the project’s root?')
  process.exit(1)
}
console.log(`${checked} packages are publishable`)

function run(command, args, what) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' })
  if (result.status === 0) return
  console.error(`${what} failed:\n${result.stdout}${result.stderr}`)
  process.exit(1)
}
