import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import * as bytes from '../src/bytes/index.ts'
import * as cosmos from '../src/cosmos/index.ts'
import * as evm from '../src/evm/index.ts'
import * as entry from '../src/index.ts'
import * as inspect from '../src/inspect/index.ts'
import * as intent from '../src/intent/index.ts'
import * as move from '../src/move/index.ts'
import * as response from '../src/response/index.ts'
import * as svm from '../src/svm/index.ts'

const families = { cosmos, evm, move, svm }

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const example = /```js\n(.*?)```/s.exec(readme)?.[1] ?? ''

/** Runs the example as it is printed, on this package's source. */
function run(source: string): Promise<unknown> {
  const file = new URL('../src/evm/index.ts', import.meta.url).href
  return import(`data:text/javascript,${encodeURIComponent(source.replace("'@svc/verify/evm'", `'${file}'`))}`)
}

t.test('the example of the README runs and finds nothing wrong', async (t) => {
  t.match(example, "from '@svc/verify/evm'")
  await t.resolves(run(example))
})

t.test('the example of the README throws when less was asked for than the bytes do', async (t) => {
  const changed = example.replace('100n * 10n', '99n * 10n')
  t.not(changed, example)
  await t.rejects(run(changed), { message: 'calls[0].value: expected 99000000000000000000, found 100000000000000000000' })
})

t.test('the README lists every export', async (t) => {
  for (const name of [entry, bytes, inspect, intent, response, ...Object.values(families)].flatMap((each) => Object.keys(each)))
    t.match(readme, `\`${name}`, name)
})

t.test('a subpath brings its own family and no other', async (t) => {
  const source = new URL('../src/', import.meta.url).href
  for (const family of ['.', ...Object.keys(families)]) {
    const reached = new Set<string>()
    const follow = (file: URL): void => {
      if (reached.has(file.href)) return
      reached.add(file.href)
      // A type is gone when it runs.
      for (const [, from] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)'/gm))
        follow(new URL(from!, file))
    }
    follow(new URL(`${family}/index.ts`, source))
    const folders = new Set([...reached].map((file) => file.slice(source.length).split('/').slice(0, -1).join('/')))
    const expected = family === '.' ? [''] : ['', 'bytes', 'curve', 'intent', family]
    t.same([...folders].sort(), expected.sort(), family)
  }
})

t.test('nothing in the source is imported from outside of the package', async (t) => {
  const source = new URL('../src/', import.meta.url)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  t.ok(files.length > 10)
  for (const file of files) {
    const text = readFileSync(new URL(file, source), 'utf8')
    for (const [, from] of text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) t.match(from, /^\.\.?\//, `${file} imports ${from}`)
    const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    t.notMatch(code, /\b(?:Buffer|process|require)\b/, `${file} runs in a browser`)
  }
})
