// Bundles `svc-verify` with the intents of this project into one file, for callers in any language: node scripts/sidecar.mjs [OUT]. Whoever builds it from the same sources gets the same bytes; their
// SHA-256 is printed, to be compared with that of a release.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const outfile = resolve(process.argv[2] ?? join(root, 'dist/svc-verify.mjs'))
const { version } = JSON.parse(readFileSync(join(root, 'packages/client/package.json'), 'utf8'))
const plugins = readdirSync(join(root, 'plugins')).sort()
const intents = [
  'packages/intent-hub',
  ...plugins.map((name) => `plugins/${name}/intent`).filter((folder) => existsSync(join(root, folder))),
]

const entry = [
  ...intents.map((folder, at) => `import * as intent${at} from ${JSON.stringify(`./${folder}/src/index.ts`)}`),
  `import { main } from './packages/client/src/cli/program.ts'`,
  `const intents = ${JSON.stringify(intents.map(nameOf))}.flatMap((name, at) => Object.values([${intents.map((_, at) => `intent${at}`).join(', ')}][at]).map((intent) => ({ name, intent })))`,
  `await main({ version: ${JSON.stringify(version)}, intents: intents.filter(({ intent }) => intent?.family && intent.path && intent.actions) })`,
].join('\n')

/** Name of the package in a folder. */
function nameOf(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name
}

mkdirSync(dirname(outfile), { recursive: true })
await build({
  stdin: { contents: entry, resolveDir: root, sourcefile: 'svc-verify.js' },
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  conditions: ['@svc/source'],
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'none',
  logLevel: 'warning',
  outfile,
})
const bytes = readFileSync(outfile)
console.log(
  `${relative(process.cwd(), outfile)}: ${(bytes.length / 1000).toFixed(1)} kB, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`,
)
