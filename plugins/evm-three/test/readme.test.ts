// alone: it chooses the groups of a conformance run, which is for the whole process
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

/** The example of the conformance kit's README is a test of this plugin; it runs here as it stands there. */
const manifest = import.meta.resolve('@svc/conformance/package.json')
const readme = await readFile(new URL('README.md', manifest), 'utf8')
const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
t.match(example, /testPlugin\(t, \{/)

const folder = await mkdtemp(join(tmpdir(), 'conformance-readme-'))
const file = join(folder, 'conformance.test.ts')
await writeFile(
  file,
  example.replaceAll(/from '([^']+)'/g, (_, name: string) => `from '${import.meta.resolve(name)}'`),
)
// The groups that what the example says is for. The same plugin passes all of them in the test next to this one.
process.env.SVC_GROUPS = 'declaration,examples,journeys,state'
await import(pathToFileURL(file).href)
await rm(folder, { recursive: true })
