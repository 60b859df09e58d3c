// Checks every package as its users will get it: built, packed, its exports and types resolved the way Node and TypeScript do.
import { readFile } from 'node:fs/promises'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { buildPackages, inFolder, pack, published, root, run } from './registry.mjs'

/** Node's own resolution only: these packages are ES modules for Node. */
const FOREIGN = ['node10', 'node16-cjs']
/** What a page loads as a script and nobody imports has no types. */
const SCRIPTS = ['./page']

const packages = published()
await inFolder('packages', async (folder) => {
  buildPackages([])
  const files = await pack([...packages.keys()], folder)
  const wrong = []
  for (const [name, file] of files) {
    const tarball = await readFile(file)
    const types = packages.get(name).manifest.exports['.'] ? await typesOf(tarball) : []
    for (const sentence of [...(await faultsOf(tarball)), ...types, ...strangersOf(file)]) wrong.push(`${name}: ${sentence}`)
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  if (files.size === 0) throw new Error('no package was checked: is this the project’s root?')
  console.log(`${files.size} packages are publishable`)
})

/** What is wrong with a manifest and the files that it names. */
async function faultsOf(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball: exact(tarball).buffer }, strict: true })
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? JSON.stringify(message))
}

/** What is wrong with types, by entry and way of resolution. */
async function typesOf(tarball) {
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(exact(tarball)), { excludeEntrypoints: SCRIPTS })
  if (!types) return ['it has no types']
  return problems
    .filter(({ resolutionKind }) => !FOREIGN.includes(resolutionKind))
    .map((problem) => `its types: ${JSON.stringify(problem)}`)
}

/** Packages of ours that a packed manifest names, and that no registry has: `.pnpmfile.cjs` is to leave them out. And a changelog that would not be packed. */
function strangersOf(file) {
  const { files, ...manifest } = JSON.parse(run(root, 'tar', '-xzOf', file, 'package/package.json'))
  const named = Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
    ...manifest.devDependencies,
  })
  return [
    ...named
      .filter((name) => name.startsWith('@svc/') && !packages.has(name))
      .map((name) => `its manifest names ${name}, which is not published`),
    ...(files.includes('CHANGELOG.md') ? [] : ['"files" of its manifest lack CHANGELOG.md, which a release writes']),
  ]
}

/** A copy with memory of its own: that of a small file is shared with others. */
function exact(bytes) {
  return new Uint8Array(bytes)
}
