// Rehearses a release on this machine, and walks through the guide for production with what was released: `pnpm rehearse`, `pnpm production-guide`.
//
//   node scripts/release/main.mjs [rehearse] [guide] [--keep]        --keep leaves the folder for a look
//
// Everything runs in a folder that is gone afterwards, and every process that was started has ended. What a release hands out besides packages is in tarballs/release.
import { join } from 'node:path'
import { inFolder, root } from '../registry.mjs'
import { useFirst } from './first-use.mjs'
import { walkGuide } from './guide.mjs'
import { buildImage } from './image.mjs'
import { tellEveryLie } from './lies.mjs'
import { startRegistry } from './local-registry.mjs'
import { provenanceOf } from './provenance.mjs'
import { releaseInto } from './release.mjs'
import { listParts } from './sbom.mjs'

const PARTS = ['rehearse', 'guide']
const words = process.argv.slice(2).filter((word) => word !== '--keep')
if (words.length === 0 || words.some((word) => !PARTS.includes(word))) {
  console.error(`Name one or both of ${PARTS.join(' and ')}.`)
  process.exit(1)
}
const began = Date.now()
const step = (line) => console.log(`\n── ${line} (${Math.round((Date.now() - began) / 1000)} s)`)

await inFolder(
  'release',
  async (folder) => {
    step('starting a registry on this machine')
    const registry = await startRegistry(join(folder, 'registry'))
    try {
      const releases = await releaseInto(join(folder, 'clone'), registry, step)
      console.log(`published: ${releases.map(({ name, version }) => `${name}@${version}`).join(', ')}`)
      if (words.includes('rehearse')) await rehearse(folder, releases, registry)
      if (words.includes('guide')) await walkGuide(join(folder, 'guide'), registry.env, step)
    } finally {
      await registry.close()
    }
    step('done; nothing is left running')
  },
  { keep: process.argv.includes('--keep') },
)

async function rehearse(folder, releases, registry) {
  const output = join(root, 'tarballs/release')
  step('listing the parts of each package (CycloneDX)')
  const parts = await listParts(releases, registry.env, join(folder, 'parts'), join(output, 'sbom'))
  console.log([...parts].map(([name, count]) => `  ${name.padEnd(32)} ${String(count).padStart(4)} parts`).join('\n'))
  step('installing by name in an empty folder')
  await useFirst(join(folder, 'operator'), registry.env, output, step)
  step('the steps of the Containerfile, without an engine')
  console.log((await buildImage(join(folder, 'image'), registry.env)).join('\n'))
  step('every lie of one of two endpoints, for each plugin')
  tellEveryLie(console.log)
  console.log(`\n${provenanceOf(releases).join('\n')}`)
  console.log(`For the release: ${join(output, 'sbom')}, and ${join(output, 'package-lock.json')} for who wants to install the same again.`)
}
