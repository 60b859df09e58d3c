// Proves that strangers can write plugins: packs the packages that the examples need, copies the examples out of the repository, installs them from
// the tarballs with nothing of the workspace in reach, builds them, and runs their conformance tests on what was built: of the template for an EVM
// chain, of a plugin with a message of its own for Cosmos, of one with a program of its own for Solana, and of a chain family that is nobody else's. And that an integrator can stake with the
// packed client, with this Node and with the one that SVC_NODE_20 names. With that family, an operator's walk by commands, an agent's tools and the pages of the dashboard.
//
//   pnpm outside [--built] [--keep] [example…]        --built: `pnpm packages` has just built the packages; --keep leaves the folder for a look;
//                                                     an example by its folder runs that one alone, without operator and integrator; family-near with its walk

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryOut } from './operator.mjs'
import { pageWalk, WITH_PAGE } from './page-walk.mjs'
import { buildPackages, outsideEnvironment, pack, published, readManifest, root, run, tarballOf, withDependencies } from './registry.mjs'
import { INTEGRATOR, walk } from './walk.mjs'

/** Folders of the examples: each is a plugin, with its intent as a package of its own. */
const ALL = ['plugin-template', 'plugin-cosmos', 'plugin-svm', 'family-near']
const named = process.argv.slice(2).filter((each) => !each.startsWith('--'))
const stranger = named.find((each) => !ALL.includes(each))
if (stranger !== undefined) {
  console.error(`there is no example ${stranger}: there are ${ALL.join(', ')}`)
  process.exit(1)
}
const isWhole = named.length === 0
const EXAMPLES = isWhole ? ALL : named

const examples = EXAMPLES.map((name) => {
  const home = join(root, 'examples', name)
  const manifest = readManifest(home)
  // As the template's README says: another name, in the manifest and in the declaration.
  return { home, name, manifest, newName: manifest.name.replace('@example/', '@stranger/'), intent: readManifest(join(home, 'intent')) }
})
const [template] = examples
/** The example whose family is its own: commands, an agent's tools and the pages of the dashboard are to know it as they know ours. */
const family = examples.find(({ name }) => name === 'family-near')
/** What they say of it, and how it is asked for. */
const SAYS = {
  symbol: 'NEAR',
  family: 'NEAR',
  export: 'nearPool',
  intent: '@example/intent-near-pool',
  title: 'Staking with a NEAR pool',
  path: 'near-example/pool',
  network: 'mainnet',
  wallets: 'near',
  action: 'stake',
  signer: 'account_id',
  decimals: 24,
  bytes: 'unsigned_tx_hex',
  sentence: /^Stake 100 NEAR with the pool pool-one\.poolv1\.near/,
}

const began = Date.now()
const folder = await mkdtemp(join(tmpdir(), 'svc-outside-'))
const tarballs = join(folder, 'tarballs')
const outside = join(folder, 'outside')
let failed = true

try {
  const own = needed()
  const names = withDependencies([...own, ...(isWhole ? ['@svc/server', ...INTEGRATOR] : []), ...(family ? WITH_PAGE : [])])
  // What its callers are promised is a package of its own, which the stranger has published before.
  const intents = examples.map(({ intent }) => intent)
  step('building the packages, and what the examples promise')
  if (!process.argv.includes('--built')) buildPackages(names)
  run(root, 'pnpm', '-r', ...intents.flatMap(({ name }) => ['--filter', name]), 'run', 'build')

  step('packing')
  const files = await pack(names, tarballs)
  const packed = [...intents, ...examples.map(({ manifest }) => manifest)]
  run(root, 'pnpm', '-r', ...packed.flatMap(({ name }) => ['--filter', name]), 'pack', '--pack-destination', tarballs)
  for (const intent of intents) files.set(intent.name, join(tarballs, tarballOf(intent)))

  step(`copying the examples to ${outside}`)
  for (const example of examples) await copy(example)
  await writeFile(join(outside, 'pnpm-workspace.yaml'), settings(files))

  step('installing from the tarballs')
  run(outside, 'pnpm', 'install', '--no-frozen-lockfile', '--prefer-offline', '--loglevel=warn')
  await refuseWorkspace(own)

  step('building the examples')
  run(outside, 'pnpm', '-r', 'run', 'build')

  step('running their conformance tests on what was built')
  const tests = EXAMPLES.map((name) => `${name}/test/conformance.test.ts`)
  runShown(outside, process.execPath, '--test', '--test-reporter=dot', `--test-concurrency=${tests.length}`, ...tests)

  if (isWhole) {
    step('an operator installs the template next to the server and tries it out')
    run(join(outside, template.name), 'pnpm', 'pack', '--pack-destination', folder)
    await tryOut(join(folder, 'operator'), files, {
      name: template.newName,
      file: join(folder, tarballOf({ ...template.manifest, name: template.newName })),
      more: [files.get(template.intent.name)],
    })
    step('an integrator stakes on four families, from the trust document on')
    await walk(join(folder, 'walk'), files)
  }
  if (family) {
    step('an operator stakes with a family of somebody else, by commands, an agent and the pages of the dashboard')
    run(join(outside, family.name), 'pnpm', 'pack', '--pack-destination', folder)
    const reason = await pageWalk(join(folder, 'pages'), files, {
      file: join(folder, tarballOf({ ...family.manifest, name: family.newName })),
      more: [files.get(family.intent.name)],
      says: SAYS,
    })
    if (reason !== null) console.log(`the pages were not walked: ${reason}`)
  }
  failed = false
  step('the examples work outside of the repository')
} catch (error) {
  console.error(error.message)
} finally {
  if (process.argv.includes('--keep')) console.log(`kept: ${folder}`)
  else await rm(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

/** Every package of the workspace that is published and that an example needs, directly or not. */
function needed() {
  const packages = published()
  const named = examples.flatMap(({ manifest: { dependencies, peerDependencies, devDependencies } }) =>
    Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies }),
  )
  return withDependencies([...new Set(named)].filter((name) => packages.has(name)))
}

/** Packing writes versions where the workspace's manifest has `workspace:` and `catalog:`, as whoever copies an example does by hand. */
async function copy({ home, name, manifest, newName }) {
  const to = join(outside, name)
  await mkdir(to, { recursive: true })
  run(to, 'tar', '-xzf', join(tarballs, tarballOf(manifest)), '--strip-components=1', 'package/package.json')
  for (const part of ['src', 'sandbox', 'tsconfig.json', 'test/conformance.test.ts', 'test/options.ts', 'test/life.ts', 'test/family']) {
    if (existsSync(join(home, part))) await cp(join(home, part), join(to, part), { recursive: true })
  }
  for (const file of ['package.json', 'src/index.ts']) {
    const text = await readFile(join(to, file), 'utf8')
    await writeFile(join(to, file), text.replace(manifest.name, newName))
  }
}

/** Everything of ours from the tarballs; the rest from the registry. */
function settings(files) {
  const overrides = [...files].map(([name, file]) => `  '${name}': 'file:${file}'`)
  // The packages of the two need no build: their programs come as packages of their own for each platform.
  return `packages: ['*']\noverrides:\n${overrides.join('\n')}\nallowBuilds:\n  '@foundry-rs/anvil': false\n  esbuild: false\n`
}

/** The tests would prove nothing if they found the workspace after all. */
async function refuseWorkspace(names) {
  const store = await readdir(join(outside, 'node_modules/.pnpm'))
  for (const name of names) {
    const flat = name.replace('/', '+')
    if (!store.some((entry) => entry.startsWith(`${flat}@file+`))) throw new Error(`${name} was not installed from its tarball`)
  }
}

function step(line) {
  console.log(`\n── ${line} (${Math.round((Date.now() - began) / 1000)}s)`)
}

/** Runs a command to its end, with what it says on this output. @throws when it fails */
function runShown(cwd, command, ...args) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    env: outsideEnvironment(),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error) throw new Error(`${command} could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`${command} ${args.slice(0, 3).join(' ')} ended with ${status}`)
}
