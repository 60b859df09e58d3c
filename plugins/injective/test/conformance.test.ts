import { testPlugin } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import { observe } from '@svc/sandbox'
import { nativeDelegation } from '@svc/testing/hub'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const family = cosmosFamily({
  prefix: 'inj',
  denom: 'inj',
  decimals: 18,
  algorithm: 'ethsecp256k1',
  keyType: '/injective.crypto.v1beta1.ethsecp256k1.PubKey',
  chainId: 'injective-1',
})
const observed = observe(scenario)

await testPlugin(t, {
  plugin,
  scenario: observed.scenario,
  family,
  budget: { craft: 2, balance: 1, prepare: 1 },
  ...nativeDelegation({
    decimals: 18,
    exact: '1000.000000000000000001',
    unbonding: 1814400,
    operate: (operation, body = {}) => observed.chain().operations[operation]!.run(body),
  }),
})
