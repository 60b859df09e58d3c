import { readFileSync } from 'node:fs'
import t from 'tap'
import * as entry from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const example = /```js\n(.*?)```/s.exec(readme)?.[1] ?? ''

/** Runs the example as it is printed, on this package's source. @returns what it prints */
async function run(source: string): Promise<string> {
  const local = source
    .replace("'@svc/kit-svm'", `'${new URL('../src/index.ts', import.meta.url).href}'`)
    .replace(/console\.log\((.*?)\) \/\/.*/, 'export const printed = [$1].join(" ")')
  const { printed } = (await import(`data:text/javascript,${encodeURIComponent(local)}`)) as { printed: string }
  return printed
}

t.test('the example of the README runs and prints what it says', async (t) => {
  const promised = /\/\/ (01\S+ \d+)/.exec(example)?.[1]
  t.ok(promised)
  t.equal(await run(example), promised)
})

t.test('the example of the README is refused with another key', async (t) => {
  const changed = example.replace('Buffer.alloc(32, 1)', 'Buffer.alloc(32, 2)')
  t.not(changed, example)
  await t.rejects(run(changed), { code: 'SIGNATURE_INVALID' })
})

t.test('the README lists every export and every setting', async (t) => {
  for (const name of Object.keys(entry)) t.match(readme, `\`${name}`, name)
  for (const name of Object.keys(entry.svmSettings.properties)) t.match(readme, `\`${name}\``, name)
})
