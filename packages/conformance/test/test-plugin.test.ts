import { parseJson } from '@svc/contract/host'
import t from 'tap'
import { createCheck, type TestLike } from '../src/index.ts'
import { placeOfCall } from '../src/place.ts'
import { readPosition } from '../src/position.ts'
import { report } from '../src/test-plugin.ts'

/** A test that writes down what it is told. */
function recorder() {
  const told: string[] = []
  const test: TestLike = {
    async test(name, _extra, run) {
      told.push(`test ${name}`)
      await run(test)
    },
    pass: (name) => told.push(`pass ${name}`),
    fail: (name) => told.push(`fail ${name}`),
  }
  return { test, told }
}

t.test('every failure is told, with what was found; of many successes the first ones and how many there were', async (t) => {
  const check = createCheck()
  for (let number = 0; number < 50; number++) check.ok(true, `success ${number}`)
  check.ok(false, 'a condition', 'something')
  check.equal({ a: 1n }, { a: 2n }, 'an equation')
  check.fail('a failure')
  check.tried(7, 'changes')
  check.tried(0, 'forgeries')
  const { test, told } = recorder()
  report(test, check.findings)
  t.equal(told[0], 'pass 7 changes tried')
  t.ok(told.includes('pass success 0') && told.includes('pass and 10 more'))
  t.same(
    told.filter((line) => line.startsWith('fail')),
    ['fail a condition: found something', 'fail an equation: found {"a":"1"}', 'fail a failure', 'fail 0 forgeries tried'],
  )
})

t.test('a result is told under the place from which it was asked for', async (t) => {
  const asked = () => placeOfCall(asked)
  t.match(asked(), { fileName: /test-plugin\.test\.ts$/, lineNumber: Number, columnNumber: Number })
  const later = async () => asked()
  t.match(await later(), { fileName: /test-plugin\.test\.ts$/ })
})

t.test('a group without findings fails: nothing was tested', async (t) => {
  const { test, told } = recorder()
  report(test, [])
  t.same(told, ['fail the group made a finding'])
})

t.test('a position is read from the texts of its numbers', async (t) => {
  const wire = '"stake_activation_amount":null,"stake_deactivation_amount":0,"stake_withdrawing_amount":2.50,"stake_rewards_amount":1e-18'
  const read = (staked: string) => readPosition(parseJson(`{"staked_amount":${staked},${wire},"staking_objects":null}`), 18)
  t.same(read('1000.000000000000000001'), {
    staked: '1000.000000000000000001',
    activating: null,
    deactivating: '0',
    withdrawing: '2.5',
    rewards: '0.000000000000000001',
    objects: null,
  })
  t.throws(() => read('"1"'), { message: /staked_amount is "1"/ })
  t.throws(() => read('0.0000000000000000001'), { message: /more decimals/ })
})
