import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import t from 'tap'
import { bench } from './support.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const section = /## The Sui node\n(.*?)\n## /s.exec(readme)?.[1] ?? ''
const example = /```ts\n(.*?)```/s.exec(section)?.[1] ?? ''

t.test('the example of the README runs and prints what it says', async (t) => {
  const promised = [...example.matchAll(/console\.log\(.*\) \/\/ (.*)/g)].map(([, says]) => says)
  t.equal(promised.length, 2)
  const printed: string[] = []
  const source = stripTypeScriptTypes(example)
    .replaceAll(/from '(.*?)'/g, (_, name) => `from '${import.meta.resolve(name)}'`)
    .replaceAll('console.log(', 'globalThis.printed.push(')
  Object.assign(globalThis, { printed })
  await import(`data:text/javascript,${encodeURIComponent(source)}`)
  t.same(printed.map(String), promised)
})

t.test('the README lists every operation with a body that fits', async (t) => {
  const { chain } = await bench(t)
  for (const [name, { members, example }] of Object.entries(chain.operations)) {
    const row = new RegExp(`^\\| \`${name}\` +\\| (?:\`(.*?)\`|nothing)`, 'm').exec(section)
    t.ok(row, name)
    for (const member of Object.keys(JSON.parse(row?.[1] ?? '{}'))) t.ok(members.includes(member), `${name}: ${member}`)
    t.ok(example)
  }
})
