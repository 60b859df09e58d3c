import { testPlugin } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import { observe } from '@svc/sandbox'
import { nativeDelegation } from '@svc/testing/hub'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const family = cosmosFamily({ prefix: 'kava', denom: 'ukava', decimals: 6, algorithm: 'secp256k1', chainId: 'kava_2222-10' })
const observed = observe(scenario)

await testPlugin(t, {
  plugin,
  scenario: observed.scenario,
  family,
  budget: { craft: 2, balance: 1, prepare: 1 },
  ...nativeDelegation({
    decimals: 6,
    exact: '1000.000001',
    unbonding: 1814400,
    operate: (operation, body = {}) => observed.chain().operations[operation]!.run(body),
  }),
})
