import { readFileSync } from 'node:fs'
import t from 'tap'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const guide = read('docs/writing-a-family.md')

t.test('every block of code in the guide is quoted, letter by letter, from the file that it links to', async (t) => {
  const quotes = [...guide.matchAll(/From \[`([^`]+)`\]\(\.\.\/examples\/family-near\/([^)]+)\):\n\n```ts\n(.*?)```/gs)]
  t.equal(quotes.length, guide.match(/^```\w+$/gm)?.length, 'each block says where it is from')
  t.ok(quotes.length >= 5)
  for (const [, shown = '', file = '', code = ''] of quotes) {
    t.equal(shown, file)
    t.ok(read(`examples/family-near/${file}`).includes(code), `${file} has: ${code.split('\n')[0]}`)
  }
})

t.test('the guide names every member of a kit, of the life of its transactions, and what a driver is made of', async (t) => {
  const membersOf = (file: string, name: string) => {
    const body = new RegExp(`interface ${name}<[^{]*\\{(.*?)\\n\\}`, 's').exec(read(file))?.[1] ?? ''
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map((match) => match[1] ?? '')
  }
  const kit = membersOf('packages/contract/src/kit.ts', 'Kit')
  const life = membersOf('packages/contract/src/life/state.ts', 'Life')
  t.ok(kit.length > 20 && life.length >= 7, `${kit} ${life}`)
  for (const name of [...kit, ...life]) t.match(guide, `\`${name}\``, name)
  const exported = [...read('packages/conformance/src/families/json-rpc/index.ts').matchAll(/\b(?!type\b)([a-z]\w+)(?=[,\s}])/g)]
  for (const name of ['jsonRpcLiar', 'garbleJsonRpc', 'changed', 'flipped', 'rpc', 'awaitLanding', 'foreignAddresses']) {
    t.match(guide, name)
    t.ok(
      exported.some(([, found]) => found === name),
      `${name} is exported`,
    )
  }
})
