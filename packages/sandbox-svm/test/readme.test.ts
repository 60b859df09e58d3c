import { readFile } from 'node:fs/promises'
import t from 'tap'
import { bench } from './support.ts'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const [section = ''] = readme.split(/^## /m).filter((part) => part.startsWith('The Solana node\n'))
const [, example = ''] = /```js\n(.*?)```/s.exec(section) ?? []

t.test('the example of the Solana node prints what it says', async (t) => {
  const promised = /console\.log\(.*\) \/\/ (\d+)/.exec(example)?.[1]
  t.ok(promised)
  const local = example
    .replace("'@svc/sandbox-svm'", `'${new URL('../src/index.ts', import.meta.url).href}'`)
    .replace("'@solana/web3.js'", `'${import.meta.resolve('@solana/web3.js')}'`)
    .replace(/console\.log\((.*)\) \/\/.*/, 'export const printed = $1')
  const { printed } = (await import(`data:text/javascript,${encodeURIComponent(local)}`)) as { printed: number }
  t.equal(String(printed), promised)
})

t.test('the README has every operation, and every method that the node answers', async (t) => {
  const { chain, rpc } = await bench(t)
  for (const name of Object.keys(chain.operations)) t.ok(readme.includes(`| \`${name}\``), name)
  const methods = [...section.matchAll(/`((?:get|is|send|simulate|request)[A-Z]\w+)`/g)].map(([, name]) => name!)
  t.ok(methods.length > 28)
  for (const method of methods) t.notMatch(await rpc(method), { error: { code: -32601 } }, method)
})
