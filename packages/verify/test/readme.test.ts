import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import * as entry from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const example = /```js\n(.*?)```/s.exec(readme)?.[1] ?? ''

/** Runs the example as it is printed, on this package's source. */
function run(source: string): Promise<unknown> {
  const file = new URL('../src/index.ts', import.meta.url).href
  return import(`data:text/javascript,${encodeURIComponent(source.replace("'@svc/verify'", `'${file}'`))}`)
}

t.test('the example of the README runs and finds nothing wrong', async (t) => {
  t.match(example, "from '@svc/verify'")
  await t.resolves(run(example))
})

t.test('the example of the README throws when less was asked for than the bytes do', async (t) => {
  const changed = example.replace('100n * 10n', '99n * 10n')
  t.not(changed, example)
  await t.rejects(run(changed), { message: 'calls[0].value: expected 99000000000000000000, found 100000000000000000000' })
})

t.test('the README lists every export', async (t) => {
  for (const name of Object.keys(entry)) t.match(readme, `\`${name}`, name)
})

t.test('nothing in the source is imported from outside of the package', async (t) => {
  const source = new URL('../src/', import.meta.url)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  t.ok(files.length > 10)
  for (const file of files) {
    const text = readFileSync(new URL(file, source), 'utf8')
    for (const [, from] of text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) t.match(from, /^\.\.?\//, `${file} imports ${from}`)
    t.notMatch(text, /\b(?:Buffer|process|require)\b/, `${file} runs in a browser`)
  }
})
