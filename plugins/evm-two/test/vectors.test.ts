import { createHash } from 'node:crypto'
import { startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import t from 'tap'
import { poolId, scenario } from '../sandbox/index.ts'
import { askMinimum } from '../src/chain/parameters.ts'
import { staking } from '../src/chain/staking.ts'
import plugin from '../src/index.ts'
import calldata from './vectors/calldata.json' with { type: 'json' }
import vector from './vectors/delegate.json' with { type: 'json' }

const ADDRESS = '0x4100000000000000000000000000000000000000'

t.test('every action has the calldata of the vectors, and only delegate sends value', async (t) => {
  t.same(Object.keys(plugin.protocol.actions), Object.keys(calldata.actions))
  for (const [action, data] of Object.entries(calldata.actions)) {
    const network = { staking: ADDRESS, pool_id: calldata.pool, former_validators: [] }
    const input = { address: vector.address, amount: 10n ** 18n }
    const draft = plugin.protocol.actions[action]!.craft(network as never, input, undefined as never)
    t.match(draft, { from: vector.address, to: ADDRESS, data, value: action === 'delegate' ? 10n ** 18n : 0n }, action)
  }
})

t.test('reads have the selectors of the contract', async (t) => {
  for (const [name, selector] of Object.entries(calldata.selectors)) t.equal(staking.interface.getFunction(name)?.selector, selector, name)
  const functions: string[] = []
  staking.interface.forEachFunction(({ name }) => functions.push(name))
  t.equal(functions.length, Object.keys(calldata.selectors).length + Object.keys(calldata.actions).length, 'and nothing else is called')
  t.equal(askMinimum({ chain_config: ADDRESS } as never).data, calldata.minimumParameter)
  t.equal(staking.interface.getError('EnforcedPause')?.selector, '0xd93c0665')
})

t.test("a pool's identifier is the sha256 of its key, and the sandbox has that pool", async (t) => {
  t.equal(`0x${createHash('sha256').update(Buffer.from(calldata.poolKey, 'hex')).digest('hex')}`, calldata.pool)
  t.equal(poolId, calldata.pool)
})

const stage = await startStage({ plugin, scenario, family: evmFamily })
t.teardown(() => stage.close())

/** What a node answers in the vector's world; reads of the staking contract go to the sandbox. */
const RECORDED: Readonly<Record<string, unknown>> = {
  eth_getTransactionCount: vector.nonce,
  eth_gasPrice: vector.suggestedGasPrice,
  eth_getCode: '0x',
  eth_getBalance: '0x3635c9adc5dea00000',
  eth_estimateGas: vector.estimate,
  eth_sendRawTransaction: vector.tx_hash,
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** Answers from the record where it has an answer, and keeps what was asked. */
function play(): Call[] {
  const asked: Call[] = []
  stage.upstream.interfere(async ({ body }, pass) => {
    const parsed = JSON.parse(body) as Call | Call[]
    const calls = [parsed].flat()
    asked.push(...calls)
    const passed = calls.every(({ method }) => method in RECORDED) ? [] : ([await (await pass()).json()].flat() as { id: number }[])
    const answers = calls.map(({ id, method }) =>
      method in RECORDED ? { jsonrpc: '2.0', id, result: RECORDED[method] } : passed.find((each) => each.id === id),
    )
    return Response.json(Array.isArray(parsed) ? answers : answers[0])
  })
  return asked
}

t.test('the vector is crafted, prepared and broadcast byte by byte', async (t) => {
  const asked = play()
  t.teardown(() => stage.upstream.interfere(null))
  const crafted = await stage.client.post('/action/delegate', `{"address":"${vector.address}","amount":${vector.amount}}`)
  t.equal(crafted.status, 200, crafted.text)
  const { serialized_tx_hex, unsigned_tx_hash_hex } = vector
  t.same(crafted.json, {
    serialized_tx_hex,
    unsigned_tx_hash_hex,
    payload: {
      type: '0x0',
      nonce: vector.nonce,
      gasLimit: vector.gasLimit,
      to: ADDRESS,
      value: '0xde0b6b3a7640000',
      data: calldata.actions.delegate,
      gasPrice: vector.gasPrice,
      chainId: '0x688',
    },
  })
  const estimate = asked.find(({ method }) => method === 'eth_estimateGas')
  t.match(estimate?.params[0], { from: vector.address, to: ADDRESS, value: '0xde0b6b3a7640000' })

  for (const v of vector.v) {
    const { r, s } = vector
    const prepared = await stage.client.post('/action/prepare', { serialized_tx_hex, r, s, v })
    t.same(prepared.json, { signed_tx_hex: vector.signed_tx_hex }, `v ${v}`)
  }
  const sent = await stage.client.post('/action/broadcast', { signed_tx_hex: vector.signed_tx_hex })
  t.equal(sent.text, JSON.stringify({ tx_hash: vector.tx_hash }))
  t.same(asked.at(-1)?.params, [vector.signed_tx_hex])
})

t.test("a signature of another chain's number is refused", async (t) => {
  const { serialized_tx_hex, r, s } = vector
  const answer = await stage.client.post('/action/prepare', { serialized_tx_hex, r, s, v: 321 })
  t.match(answer.json, { statusCode: 400, code: 'SIGNATURE_INVALID', error: /chain 1672.*3379 or 3380/ })
})
