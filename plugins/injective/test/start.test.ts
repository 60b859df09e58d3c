import { startStage } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import { injective } from '@svc/intent-hub'
import { type CosmosChain, hubProtocol } from '@svc/kit-cosmos'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin, { chain } from '../src/index.ts'

const { prefix, denom, decimals } = chain
const keys = { algorithm: 'ethsecp256k1', keyType: '/injective.crypto.v1beta1.ethsecp256k1.PubKey' } as const
const family = cosmosFamily({ prefix, denom, decimals, ...keys, chainId: 'injective-1' })
const stage = await startStage({ plugin, scenario, family })
t.teardown(() => stage.close())

/** The same chain, as somebody describes it. */
const inspectedAs = (data: CosmosChain) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  const { protocol } = hubProtocol({
    name: '@svc/plugin-test',
    prefix: '/injective/native',
    summary: 'Injective as somebody describes it.',
    maxFee: '0.01',
    symbol: 'INJ',
    intent: injective,
    chain: data,
  })
  return protocol.inspect(ctx)
}

t.test('the chain is as its data says', async (t) => {
  await t.resolves(inspectedAs(chain))
})

t.test('with the wrong kind of keys it is not served: its prefix alone would make addresses of nobody', async (t) => {
  const { keyType: _, ...rest } = chain
  const refused = { code: 'SETTINGS_INVALID', message: /keys of the type \/injective\.crypto.* would belong to nobody/ }
  await t.rejects(inspectedAs({ ...rest, algorithm: 'secp256k1' }), refused)
  await t.rejects(inspectedAs({ ...chain, algorithm: 'ethsecp256k1', keyType: '/ethermint.crypto.v1.ethsecp256k1.PubKey' }), refused)
})

t.test('with the wrong form of issuance it is not served', async (t) => {
  const refused = { code: 'SETTINGS_INVALID', message: /has another form/ }
  await t.rejects(inspectedAs({ ...chain, issuance: { form: 'rate-of-bonded', module: 'kava.community.v1beta1' } }), refused)
  const epoch = { form: 'epoch', module: 'osmosis.mint.v1beta1', epochs: 'osmosis.epochs.v1beta1' } as const
  await t.rejects(inspectedAs({ ...chain, issuance: epoch }), refused)
})
