import { readFileSync } from 'node:fs'
import t from 'tap'
import { isKind } from '../../src/svm/kinds.ts'
import { POOL } from './support/steps.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const examples = Array.from(readme.matchAll(/```js\n(.*?)```/gs), ([, code]) => code ?? '')
const example = examples.find((code) => code.includes('verifySvm')) ?? ''

/** Runs the example as it is printed, on this package's source. */
function run(source: string): Promise<unknown> {
  const file = new URL('../../src/svm/index.ts', import.meta.url).href
  return import(`data:text/javascript,${encodeURIComponent(source.replace("'@svc/verify/svm'", `'${file}'`))}`)
}

t.test('the Solana example of the README runs and finds nothing wrong', async (t) => {
  t.match(example, "from '@svc/verify/svm'")
  await t.resolves(run(example))
})

t.test('the Solana example throws when something else was asked for than the bytes do', async (t) => {
  const thief = POOL
  const cases: readonly (readonly [string, string, string])[] = [
    ['1_500_000_000n', '1_400_000_000n', 'calls[0].args.lamports: expected 1402282880, found 1502282880'],
    ['withdrawer: wallet', `withdrawer: '${thief}'`, `calls[1].args.withdrawer: expected ${thief}, found AKnL4NNf`],
    ['maxFee: 50_000n', 'maxFee: 10_059n', 'maxFee: expected at most 10059, found 10060'],
  ]
  for (const [printed, other, message] of cases) {
    const changed = example.replace(printed, other)
    t.not(changed, example)
    await t.rejects(run(changed), { message: new RegExp(message.replace(/[[\].]/g, '\\$&')) })
  }
})

t.test('the README has every kind of field, and no other', async (t) => {
  const table = readme.slice(readme.indexOf('| In `data`'))
  const named = Array.from(
    table.slice(0, table.indexOf('\n\n')).matchAll(/^ {2}\| ((?:`[^`]+`(?:, )?)+)/gm),
    ([, cell]) => cell ?? '',
  ).flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, kind]) => kind!.replace('…', 'u64')))
  t.ok(named.length > 15)
  for (const kind of named) t.equal(isKind(kind), true, kind)
})
