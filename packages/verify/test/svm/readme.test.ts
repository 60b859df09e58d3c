import { readFileSync } from 'node:fs'
import t from 'tap'
import { decodeSvm } from '../../src/index.ts'
import { FORMS, POOL, parameters } from './support/steps.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const examples = Array.from(readme.matchAll(/```js\n(.*?)```/gs), ([, code]) => code ?? '')
const example = examples.find((code) => code.includes('verifySvm')) ?? ''

/** Runs the example as it is printed, on this package's source. */
function run(source: string): Promise<unknown> {
  const file = new URL('../../src/index.ts', import.meta.url).href
  return import(`data:text/javascript,${encodeURIComponent(source.replace("'@svc/verify'", `'${file}'`))}`)
}

t.test('the Solana example of the README runs and finds nothing wrong', async (t) => {
  t.match(example, "from '@svc/verify'")
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

t.test('the README has every instruction that is read, with its arguments', async (t) => {
  for (const name of Object.keys(FORMS)) {
    const method = `${name}(${parameters(name)
      .map(([, given]) => given)
      .join(', ')})`
    const row = readme.split('\n').find((line) => line.includes(`| \`${method}\``)) ?? ''
    const spends = name.startsWith('System.CreateAccount') || name === 'System.Transfer' || name.startsWith('StakePool.DepositSol')
    t.ok(row.includes(spends ? '`lamports`' : '`0n`'), method)
  }
  const unsigned_tx_hex = /unsigned_tx_hex:\s+'([0-9a-f]+)'/.exec(example)?.[1] ?? ''
  t.equal(decodeSvm({ unsigned_tx_hex }).calls.length, 3)
})
