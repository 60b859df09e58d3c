// Builds packages and packs them into tarballs/, as a registry would get them: for installing without one.
//
//   node scripts/run.mjs tarballs [package …]        those and what they need of this workspace; default: all
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackages, pack, published, root, withDependencies } from './registry.mjs'

const known = [...published().keys()]
const named = process.argv.slice(2)
const strange = named.filter((name) => !known.includes(name))
if (strange.length > 0) {
  console.error(`There is no package ${strange.join(', ')} here; there are: ${known.join(', ')}.`)
  process.exit(1)
}
const names = named.length > 0 ? withDependencies(named) : known
const folder = join(root, 'tarballs')

rmSync(folder, { recursive: true, force: true })
try {
  buildPackages(names)
  const files = await pack(names, folder)
  console.log(
    `${files.size} packages are in ${folder}:\n  ${names.join('\n  ')}\nIn the folder of your own: npm install ${join(folder, '*.tgz')}`,
  )
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
