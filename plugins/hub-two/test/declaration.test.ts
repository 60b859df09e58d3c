import { CONTRACT } from '@svc/contract/host'
import { resolveNetwork } from '@svc/core/plugins'
import type { CosmosNetwork } from '@svc/kit-cosmos'
import t from 'tap'
import plugin from '../src/index.ts'

const { protocol } = plugin
const validator = 'celestiavaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3z64pdkn'
const settle = (settings: Record<string, unknown>) =>
  resolveNetwork<CosmosNetwork>(protocol, { chainId: 'celestia', name: 'mainnet', path: 'networks.celestia', settings })

t.test('it is the protocol of the specification', async (t) => {
  t.equal(plugin.contract, CONTRACT)
  t.match(protocol, { name: '@svc/plugin-hub-two', prefix: '/hub-two/native', kit: { family: 'cosmos', type: 'COSMOS', decimals: 6 } })
  t.equal(protocol.networkTitle, 'HubTwoNetwork')
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
    gas_price_percent: 110,
    gas_price_minimum: '0.004',
    gas_price_fallback: '0.02',
    maxFee: 100_000n,
  })
  t.throws(() => settle({ validator: 'cosmosvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zt5x3kt' }), { code: 'SETTINGS_INVALID' })
})

t.test('addresses are those of the chain', async (t) => {
  const address = 'celestia1mnyn7x24xj6vraxeeq56dfkxa009tvhg8ext4c'
  t.equal(protocol.kit.address(address), address)
  t.throws(() => protocol.kit.address('cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04'), { code: 'ADDRESS_INVALID' })
})
