import { testPlugin } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import { observe } from '@svc/sandbox'
import { nativeDelegation } from '@svc/testing/hub'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const family = cosmosFamily({ prefix: 'osmo', denom: 'uosmo', decimals: 6, algorithm: 'secp256k1', chainId: 'osmosis-1' })
const observed = observe(scenario)

await testPlugin(t, {
  plugin,
  scenario: observed.scenario,
  family,
  budget: { craft: 2, balance: 1, prepare: 1 },
  ...nativeDelegation({
    decimals: 6,
    exact: '1000.000001',
    unbonding: 1209600,
    operate: (operation, body = {}) => observed.chain().operations[operation]!.run(body),
  }),
})
