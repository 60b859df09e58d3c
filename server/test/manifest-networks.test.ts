import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

t.test('the networks that a plugin’s manifest offers are those of the table of protocols, in its order', (t) => {
  const table = readFileSync(join(ROOT, 'docs/protocols.md'), 'utf8')
  const rows = new Map(
    [...table.matchAll(/^\| \[([\w-]+)\]\(\.\.\/plugins\/[^|]*\|[^|]*\|([^|]*)\|/gm)].map(([, name = '', chains = '']) => [
      name,
      [...chains.matchAll(/`([^`]+)`/g)].map(([, chain]) => chain),
    ]),
  )
  const manifests = globSync('plugins/*/package.json', { cwd: ROOT })
  t.equal(manifests.length, rows.size)
  for (const path of manifests) {
    const { svc } = JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
    const name = path.split('/')[1] ?? ''
    // A member that is a whole number comes first in every object, in its order.
    t.same(Object.keys(svc.networks), rows.get(name), name)
  }
  t.end()
})
