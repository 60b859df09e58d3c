import { CONTRACT } from '@svc/contract/host'
import { resolveNetwork } from '@svc/core/plugins'
import type { CosmosNetwork } from '@svc/kit-cosmos'
import t from 'tap'
import plugin from '../src/index.ts'

const { protocol } = plugin
const validator = 'kavavaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zlru35g'
const settle = (settings: Record<string, unknown>) =>
  resolveNetwork<CosmosNetwork>(protocol, { chainId: 'kava_2222-10', name: 'mainnet', path: 'networks.main', settings })

t.test('it is native delegation on its chain', async (t) => {
  t.equal(plugin.contract, CONTRACT)
  t.match(protocol, { name: '@svc/plugin-kava', prefix: '/kava/native', kit: { family: 'cosmos', type: 'COSMOS', decimals: 6 } })
  t.same(Object.keys(protocol.actions), ['stake', 'unstake', 'claim-rewards'])
})

t.test("the operator's validator is all that a network needs", async (t) => {
  t.match(settle({ validator }), { validator, gas_price_minimum: '0.05', gas_price_ceiling: 8, maxFee: 200_000n })
  t.throws(() => settle({ validator: 'cosmosvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zt5x3kt' }), { code: 'SETTINGS_INVALID' })
})

t.test('a key has the address that the chain gives it', async (t) => {
  t.equal(
    protocol.kit.wallet?.('034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff'),
    'kava1mnyn7x24xj6vraxeeq56dfkxa009tvhg2xrxej',
  )
  t.throws(() => protocol.kit.address('cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04'), { code: 'ADDRESS_INVALID' })
})
