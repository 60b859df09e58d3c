import { readFileSync } from 'node:fs'
import t from 'tap'
import { vectorOf } from './support/vectors.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const examples = Array.from(readme.matchAll(/```js\n(.*?)```/gs), ([, code]) => code ?? '')
const example = examples.find((code) => code.includes('verifyMove')) ?? ''

/** Runs the example as it is printed, on this package's source. */
function run(source: string): Promise<unknown> {
  const file = new URL('../../src/move/index.ts', import.meta.url).href
  return import(`data:text/javascript,${encodeURIComponent(source.replace("'@svc/verify/move'", `'${file}'`))}`)
}

t.test('the Move example of the README runs and finds nothing wrong', async (t) => {
  t.match(example, "from '@svc/verify/move'")
  await t.resolves(run(example))
})

t.test('the Move example throws when something else was asked for than the bytes do', async (t) => {
  const ab = `0x${'ab'.repeat(32)}`
  const ac = `0x${'ac'.repeat(32)}`
  const cases: readonly (readonly [string, string, string])[] = [
    ['1_500_000_000n', '1_400_000_000n', 'calls[0].args.amounts[0]: expected 1400000000, found 1500000000'],
    [ab, ac, `calls[1].args.validator: expected ${ac}, found ${ab}`],
    [`'3'.padStart`, `'4'.padStart`, 'calls[1].target: expected 0x0000'],
    ['maxFee: 50_000_000n', 'maxFee: 19_999_999n', 'maxFee: expected at most 19999999, found 20000000'],
  ]
  for (const [printed, other, message] of cases) {
    const changed = example.replace(printed, other)
    t.not(changed, example)
    await t.rejects(run(changed), { message: new RegExp(message.replace(/[[\].]/g, '\\$&')) })
  }
})

t.test('the README has the calls of every vector, with their arguments', async (t) => {
  for (const name of ['stake from', 'unstake', 'redeem']) {
    for (const { method } of vectorOf(name).calls) t.ok(readme.includes(method.replace(/<0x0{63}2::/, '<0x…02::')), method)
  }
})
