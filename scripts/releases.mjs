// What `changeset version` would release: every published package, and none below 1.0.0, since the peer range ^0.1.0 shuts third parties' plugins
// out at the first minor of the contract, where ^1.0.0 admits every later one. `pnpm releases`
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { published, root, run } from './registry.mjs'

const folder = mkdtempSync(join(tmpdir(), 'svc-releases-'))
const output = join(folder, 'status.json')
run(root, 'pnpm', 'exec', 'changeset', 'status', `--output=${relative(root, output)}`)
const { releases } = JSON.parse(readFileSync(output, 'utf8'))
rmSync(folder, { recursive: true })

const next = new Map([...published()].map(([name, { manifest }]) => [name, manifest.version]))
for (const { name, newVersion } of releases) if (next.has(name)) next.set(name, newVersion)
const early = [...next].filter(([, version]) => version.startsWith('0.'))
for (const [name, version] of early)
  console.error(`${name} would be ${version}; give it a changeset of its own, as .changeset/first-core.md: its first version is 1.0.0`)
if (early.length === 0) console.log(`${next.size} packages, none below 1.0.0`)
process.exit(early.length > 0 ? 1 : 0)
