import { readdirSync, readFileSync } from 'node:fs'
import savings from '@example/plugin-savings'
import t from 'tap'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const source = readdirSync(new URL('../src/', import.meta.url))
  .map((name) => readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8'))
  .join('\n')

t.test('the README names every setting, every action and every error code of the plugin, and no others', async (t) => {
  const { network, actions } = savings.protocol
  const rows = (first: string) => [...(new RegExp(`\\| ${first} +\\|.*?\\n\\n`, 's').exec(readme)?.[0] ?? '').matchAll(/^\| `([\w-]+)`/gm)]
  t.same(
    rows('Setting').map((row) => row[1]),
    Object.keys(network.properties),
  )
  t.same(
    rows('Action').map((row) => row[1]),
    Object.keys(actions),
  )
  const raised = new Set([...source.matchAll(/(?:badRequest|badGateway)\(\s*'([A-Z_]+)'/g)].map((match) => match[1]!))
  t.ok(raised.size > 3)
  t.same(new Set([...readme.matchAll(/\d{3} `([A-Z_]+)`/g)].map((match) => match[1]!)), raised)
})
