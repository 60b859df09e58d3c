import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Transaction } from 'ethers'
import t from 'tap'

const script = (name: string) => new URL(`../../scripts/generators/${name}`, import.meta.url)
const { judge } = await import(script('answers.mjs').href)

const wei = (value: bigint) => Transaction.from({ type: 0, to: `0x${'10'.repeat(20)}`, value, chainId: 143 }).unsignedSerialized
const refusal = { status: 400, code: 'AMOUNT_INVALID', error: 'amount 0.1 has more decimals than the token, which has 0.' }
const right = { bytes: wei(12345678901n * 10n ** 12n), balance: '3.734567890123456789', created: '1796097658000', refusal }
const judged = (change: object): readonly string[] => judge(JSON.stringify({ ...right, ...change }), right)

t.test('what a generated client has read is right to the digit, or named', async (t) => {
  t.same(judged({}), [])
  // A double of the amount, and a float of 32 bits.
  for (const value of [12345678900999999586304n, 12345678710937500000000n])
    t.match(judged({ bytes: wei(value) }), [RegExp(`carries ${value} wei, not 12345678901000000000000`)])
  t.match(judged({ balance: 3.734567890123457 }), [/the balance is 3.734567890123457, not 3.734567890123456789/])
  t.match(judged({ created: '783505664' }), [/the time of the history is 783505664/])
  t.match(judged({ created: '1796097658001' }), [/is 1796097658001, not 1796097658000/])
  t.match(judged({ refusal: { ...refusal, code: 'OTHER' } }), [/code of the refusal is OTHER/])
  t.equal(judged({ refusal: undefined }).length, 3)
  t.match(judged({ bytes: undefined }), [/the craft of 12345.678901 carries/])
  t.throws(() => judge('Traceback', right), /printed no JSON/)
})

t.test('a generator that is not there is named, before anything is started', async (t) => {
  const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(script('main.mjs')), 'kiota'], { encoding: 'utf8' })
  t.equal(status, 2)
  t.match(stderr, /no generator kiota; there are java, go, python, oapi-codegen, openapi-python-client, typescript, rust/)
})
