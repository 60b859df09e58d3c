import { CONTRACT } from '@svc/contract/host'
import { resolveNetwork } from '@svc/core/plugins'
import type { CosmosNetwork } from '@svc/kit-cosmos'
import t from 'tap'
import plugin from '../src/index.ts'

const { protocol } = plugin
const validator = 'cosmosvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zt5x3kt'
const settle = (settings: Record<string, unknown>) =>
  resolveNetwork<CosmosNetwork>(protocol, { chainId: 'cosmoshub-4', name: 'mainnet', path: 'networks.cosmoshub-4', settings })

t.test('it is the protocol of the specification', async (t) => {
  t.equal(plugin.contract, CONTRACT)
  t.match(protocol, { name: '@svc/plugin-hub-one', prefix: '/hub-one/native', kit: { family: 'cosmos', type: 'COSMOS', decimals: 6 } })
  t.equal(protocol.networkTitle, undefined)
  t.same(Object.keys(protocol.actions), ['stake', 'unstake', 'claim-rewards'])
  t.same(Object.keys(protocol.actions.stake!.body), ['pubkey', 'amount'])
  t.same(Object.keys(protocol.actions.unstake!.body), ['pubkey', 'amount', 'validator'])
  t.same(Object.keys(protocol.actions['claim-rewards']!.body), ['pubkey', 'validator', 'withdraw_address'])
})

t.test("the operator's validator is all that a network needs", async (t) => {
  const network = settle({ validator })
  t.match(network, {
    validator,
    gas_limit_percent: 120,
    gas_price_percent: 120,
    gas_price_minimum: '0.005',
    gas_price_fallback: '0.025',
    batch_max: 10,
    memo: '',
    max_block_age: 900,
    maxFee: 100_000n,
  })
  t.throws(() => settle({}), { code: 'SETTINGS_INVALID', message: /validator is missing/ })
  t.throws(() => settle({ validator: 'celestiavaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3z64pdkn' }), { code: 'SETTINGS_INVALID' })
})

t.test('addresses are those of the chain', async (t) => {
  t.equal(protocol.kit.address('COSMOS1MNYN7X24XJ6VRAXEEQ56DFKXA009TVHGKNHM04'), 'cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04')
  t.throws(() => protocol.kit.address('celestia1mnyn7x24xj6vraxeeq56dfkxa009tvhg8ext4c'), { code: 'ADDRESS_INVALID' })
})
