import { readFileSync } from 'node:fs'
import t from 'tap'
import * as entry from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const example = /```js\n(.*?)```/s.exec(readme)?.[1] ?? ''

/** Runs the example as it is printed, on this package's source. @returns what it prints */
async function run(source: string): Promise<string> {
  const at = (name: string) => import.meta.resolve(name)
  const local = source
    .replace("'@svc/kit-cosmos'", `'${new URL('../src/index.ts', import.meta.url).href}'`)
    .replace("'@cosmjs/crypto'", `'${at('@cosmjs/crypto')}'`)
    .replace("'@cosmjs/encoding'", `'${at('@cosmjs/encoding')}'`)
    .replace(/console\.log\((.*?)\) \/\/.*/, 'export const printed = [$1].join(" ")')
  const { printed } = (await import(`data:text/javascript,${encodeURIComponent(local)}`)) as { printed: string }
  return printed
}

t.test('the example of the README runs and prints what it says', async (t) => {
  const promised = /\/\/ (0aa\S+ \d+)/.exec(example)?.[1]
  t.ok(promised)
  t.equal(await run(example), promised)
})

t.test('the example of the README is refused for another account number', async (t) => {
  const chain = 'query: async () => ({ number: 12346n, sequence: 7n })'
  const changed = example.replace('12345n', '12346n').replace('const client = { ', `const client = { ${chain}, `)
  t.not(changed, example)
  await t.rejects(run(changed), { code: 'SIGNATURE_INVALID' })
})

t.test('the README lists every export and every setting', async (t) => {
  for (const name of Object.keys(entry)) t.match(readme, `\`${name}`, name)
  const chain = { gasPrice: { minimum: '1', fallback: '1', percent: 100 }, denom: 'u' } as never
  for (const name of Object.keys(entry.cosmosSettings(chain).properties)) t.match(readme, `\`${name}\``, name)
})
