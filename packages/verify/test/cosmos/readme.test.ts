import { readFileSync } from 'node:fs'
import t from 'tap'
import { KINDS } from '../../src/cosmos/layout.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const examples = Array.from(readme.matchAll(/```js\n(.*?)```/gs), ([, code]) => code ?? '')
const example = examples.find((code) => code.includes('verifyCosmos')) ?? ''

/** Runs the example as it is printed, on this package's source. */
function run(source: string): Promise<unknown> {
  const file = new URL('../../src/cosmos/index.ts', import.meta.url).href
  return import(`data:text/javascript,${encodeURIComponent(source.replace("'@svc/verify/cosmos'", `'${file}'`))}`)
}

t.test('the Cosmos example of the README runs and finds nothing wrong', async (t) => {
  t.match(example, "from '@svc/verify/cosmos'")
  await t.resolves(run(example))
})

t.test('the Cosmos example throws when something else was asked for than the bytes do', async (t) => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['amount: 1_500_000n }', 'amount: 1_400_000n }', 'calls[0].args.amount: expected 1400000, found 1500000'],
    ['maxFee: 20_000n', 'maxFee: 1_000n', 'maxFee: expected at most 1000, found 1500'],
  ]
  for (const [printed, other, message] of cases) {
    const changed = example.replace(printed, other)
    t.not(changed, example)
    await t.rejects(run(changed), { message })
  }
})

t.test('the README has every kind of field', async (t) => {
  for (const kind of KINDS) t.match(readme, new RegExp(`\\n  \\|[^|\\n]*\`${kind}\``), kind)
})
