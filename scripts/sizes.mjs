// What a caller's bundle weighs, minified and compressed: the client alone, and with one protocol of each family and its signers. Fails beyond the
// limits that packages/client promises.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { buildDashboard } from './dashboard.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const KB = 1000
const CLIENT = "export * from '@svc/client'"

const bundles = [
  ['the client', 10, [CLIENT]],
  ...[
    ['EVM', 'evmThree', 'plugins/evm-three/intent', 'rawSigner, ethersSigner, viemSigner'],
    ['Cosmos', 'hubOne', 'packages/intent-hub', 'rawSigner, cosmjsSigner'],
    ['Solana', 'svmNative', 'plugins/svm-native/intent', 'rawSigner, solanaKeypair, walletStandard'],
    ['Sui', 'moveNative', 'plugins/move-native/intent', 'rawSigner, suiKeypair'],
  ].map(([family, intent, folder, signers]) => [
    `with ${family}`,
    28,
    [
      CLIENT,
      `export { ${signers} } from '@svc/client/signers'`,
      `export { ${intent} } from ${JSON.stringify(join(root, folder, 'src/index.ts'))}`,
    ],
  ]),
]

/** The most that the dashboard's first load may weigh, in kB compressed: its design's own bound. */
const FIRST_LOAD = 120

let beyond = false
for (const [name, most, exports] of bundles) {
  const size = gzipSync(await bundled(exports), { level: 9 }).length / KB
  beyond ||= size > most
  console.log(`${name.padEnd(12)} ${size.toFixed(1).padStart(5)} kB of ${most}${size > most ? ': too much' : ''}`)
}
const first = firstLoad()
beyond ||= first > FIRST_LOAD
console.log(
  `${'dashboard'.padEnd(12)} ${first.toFixed(1).padStart(5)} kB of ${FIRST_LOAD}, its first load${first > FIRST_LOAD ? ': too much' : ''}`,
)
const [page, file] = inspector()
console.log(`${'inspector'.padEnd(12)} ${page.toFixed(1).padStart(5)} kB as a page of it, ${file.toFixed(1)} kB as one file`)
process.exitCode = beyond ? 1 : 0

/** Page, style and script that it names, as they are built. */
function firstLoad() {
  const wrong = buildDashboard()
  if (wrong !== null) throw new Error(wrong)
  const folder = join(root, 'packages/dashboard/dist')
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(
    ([, name]) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length,
  )
  return [gzipSync(page).length, ...named].reduce((sum, bytes) => sum + bytes, 0) / KB
}

/** The part that is loaded when it is gone to, and the file for offline machines, compressed. */
function inspector() {
  const folder = join(root, 'packages/dashboard/dist')
  return [...globSync(join(folder, 'assets/inspector-page-*.js')), join(folder, 'inspector.html')].map(
    (path) => gzipSync(readFileSync(path), { level: 9 }).length / KB,
  )
}

async function bundled(exports) {
  const {
    outputFiles: [{ contents }],
  } = await build({
    stdin: { contents: exports.join('\n'), resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@svc/source'],
    logLevel: 'error',
  })
  return contents
}
