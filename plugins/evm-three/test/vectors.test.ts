import { type Answer, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { monadValidatorsAbi } from '@svc/kit-evm/monad'
import { multicallAbi } from '@svc/sandbox-evm'
import { Interface, toBeHex } from 'ethers'
import t from 'tap'
import { scenario, stakingAbi } from '../sandbox/index.ts'
import { askSlot } from '../src/chain/slots.ts'
import { askDelegator, staking } from '../src/chain/staking.ts'
import plugin from '../src/index.ts'
import calldata from './vectors/calldata.json' with { type: 'json' }
import vector from './vectors/delegate.json' with { type: 'json' }

for (const { action, input, data } of calldata.actions)
  t.test(`${action} has the calldata of the vector`, async (t) => {
    const network = { staking: '0x0000000000000000000000000000000000001000', validator_id: calldata.validator, former_validators: [] }
    const amount = 1_500_000_000_000_000_000n
    const draft = plugin.protocol.actions[action]!.craft(network as never, { address: calldata.delegator, amount, ...input }, {
      amount,
    } as never) as { data: string; to: string; value?: bigint }
    t.equal(draft.data, data)
    t.equal(draft.to, network.staking)
    t.equal(draft.value ?? 0n, action === 'delegate' ? amount : 0n)
  })

t.test('reads have the calldata of the vectors', async (t) => {
  const [delegator, slot] = calldata.reads
  const network = { staking: '0x0000000000000000000000000000000000001000', validator_id: calldata.validator } as never
  t.equal(askDelegator(network, calldata.validator, calldata.delegator).data, delegator!.data)
  t.equal(askSlot(network, calldata.validator, calldata.delegator, 7).data, slot!.data)
  // Every function that is called has the selector of the precompile.
  const selectors = {
    getEpoch: '0x757991a8',
    getValidator: '0x2b6d639a',
    getConsensusValidatorSet: '0xfb29b729',
    getSnapshotValidatorSet: '0xde66a368',
    getDelegators: '0xa0843a26',
  }
  const called = [staking, monadValidatorsAbi].map((abi) => abi.interface)
  for (const [name, selector] of Object.entries(selectors))
    t.equal(called.map((abi) => abi.getFunction(name)?.selector).find(Boolean), selector, name)
})

const stage = await startStage({ plugin, scenario, family: evmFamily })
t.teardown(() => stage.close())

/** What a node answers in the vector's world. */
const RECORDED: Readonly<Record<string, unknown>> = {
  eth_getTransactionCount: vector.nonce,
  eth_gasPrice: vector.suggestedGasPrice,
  eth_getCode: '0x',
  eth_getBalance: '0x3635c9adc5dea00000',
  eth_estimateGas: vector.gasLimit,
  eth_sendRawTransaction: vector.tx_hash,
  // Which chain it is, and the time of its head: asked along with everything.
  eth_chainId: '0x8f',
  eth_call: toBeHex(Math.floor(Date.now() / 1000), 32),
}

const multicall = new Interface(multicallAbi)
const AGGREGATE3 = multicall.getFunction('aggregate3')!.selector
const precompile = new Interface(stakingAbi)
/** Outside the delay period, a validator of the active set. */
const VIEWS: Readonly<Record<string, readonly unknown[]>> = {
  getEpoch: [7, false],
  getValidator: [`0x${'a1'.repeat(20)}`, 0, 1, 0, 0, 0, 1, 0, 1, 0, '0x', '0x'],
}

/** What the precompile answers to calls that are asked together. */
function aggregated(data: string): string {
  const [calls] = multicall.decodeFunctionData('aggregate3', data) as unknown as [readonly { readonly callData: string }[]]
  const results = calls.map(({ callData }) => {
    const { name } = precompile.getFunction(callData.slice(0, 10))!
    return [true, precompile.encodeFunctionResult(name, [...VIEWS[name]!])]
  })
  return multicall.encodeFunctionResult('aggregate3', [results])
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** Answers from the record, and keeps what was asked. */
function play(): Call[] {
  const asked: Call[] = []
  const answer = (call: Call) => {
    asked.push(call)
    const [{ data = '' } = {}] = call.params as [{ data?: string }?]
    return { jsonrpc: '2.0', id: call.id, result: data.startsWith(AGGREGATE3) ? aggregated(data) : RECORDED[call.method] }
  }
  stage.upstream.interfere(async ({ body }) => {
    const calls = JSON.parse(body) as Call | Call[]
    return Response.json(Array.isArray(calls) ? calls.map(answer) : answer(calls))
  })
  return asked
}

const prepare = (body: object): Promise<Answer> => stage.client.post('/action/prepare', body)

t.test('the vector is crafted, prepared and broadcast byte by byte', async (t) => {
  const asked = play()
  try {
    const crafted = await stage.client.post('/action/delegate', `{"address":"${vector.address}","amount":${vector.amount}}`)
    t.equal(crafted.status, 200, crafted.text)
    const { serialized_tx_hex, unsigned_tx_hash_hex } = vector
    t.same(crafted.json, {
      serialized_tx_hex,
      unsigned_tx_hash_hex,
      payload: {
        type: '0x0',
        nonce: '0x0',
        gasLimit: '0x44dc6',
        to: '0x0000000000000000000000000000000000001000',
        value: '0x56bc75e2d63100000',
        data: calldata.actions[0]!.data,
        gasPrice: '0x1a1fa42200',
        chainId: '0x8f',
      },
    })
    const estimate = asked.find(({ method }) => method === 'eth_estimateGas')
    t.match(estimate?.params[0], { from: vector.address, value: '0x56bc75e2d63100000' })

    const { signed_tx_hex } = vector
    const sent = await stage.client.post('/action/broadcast', { signed_tx_hex })
    t.equal(sent.text, JSON.stringify({ tx_hash: vector.tx_hash }))
    t.same(asked.at(-1)?.params, [signed_tx_hex])
  } finally {
    stage.upstream.interfere(null)
  }
})

t.test('prepare takes r, s and v in every usual spelling', async (t) => {
  const { serialized_tx_hex, signed_tx_hex, r, s } = vector
  // Without chain id and the two empty fields the list is four bytes shorter.
  const sixFields = serialized_tx_hex.replace(/^0xf853/, '0xf84f').replace(/818f8080$/, '')
  for (const v of vector.v) {
    const answer = await prepare({ serialized_tx_hex, r, s, v })
    t.same(answer.json, { signed_tx_hex }, `v ${v}`)
  }
  for (const [name, body] of Object.entries({
    'without 0x': { serialized_tx_hex, r: r.slice(2), s: s.slice(2), v: 28 },
    'in upper case': { serialized_tx_hex, r: r.toUpperCase().replace('0X', '0x'), s: s.toUpperCase().replace('0X', '0x'), v: 28 },
    'with more zeros': { serialized_tx_hex, r: `0x00${r.slice(2)}`, s: `0000${s.slice(2)}`, v: 28 },
    'with an odd number of digits': { serialized_tx_hex, r, s: `0x0${s.slice(2)}`, v: 28 },
    'on the six fields': { serialized_tx_hex: sixFields, r, s, v: 28 },
    'on bytes without 0x': { serialized_tx_hex: serialized_tx_hex.slice(2), r, s, v: 28 },
  })) {
    const answer = await prepare(body)
    t.same(answer.json, { signed_tx_hex }, `${name}: ${answer.text}`)
  }
})

t.test('a high s is turned into the low one, and v with it', async (t) => {
  const { serialized_tx_hex, signed_tx_hex, r, s } = vector
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const high = `0x${(order - BigInt(s)).toString(16)}`
  t.same((await prepare({ serialized_tx_hex, r, s: high, v: 27 })).json, { signed_tx_hex })
})

t.test('what was signed for another chain is refused before it is sent', async (t) => {
  const asked = play()
  try {
    const { serialized_tx_hex, r, s } = vector
    const other = serialized_tx_hex.replace('818f8080', '818e8080')
    t.match((await prepare({ serialized_tx_hex: other, r, s, v: 28 })).json, { statusCode: 400, code: 'CHAIN_ID_MISMATCH' })
    t.match((await prepare({ serialized_tx_hex, r, s, v: 37 })).json, { statusCode: 400, code: 'SIGNATURE_INVALID' })
    const foreign = vector.signed_tx_hex.replace('820142a0', '820140a0')
    const answer = await stage.client.post('/action/broadcast', { signed_tx_hex: foreign })
    t.match(answer.json, { statusCode: 400, code: 'CHAIN_ID_MISMATCH' })
    const unsigned = await stage.client.post('/action/broadcast', { signed_tx_hex: serialized_tx_hex })
    t.match(unsigned.json, { statusCode: 400, code: 'TRANSACTION_INVALID' })
    t.same(asked, [])
  } finally {
    stage.upstream.interfere(null)
  }
})
