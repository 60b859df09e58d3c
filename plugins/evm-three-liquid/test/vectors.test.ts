import { startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { multicallAbi } from '@svc/sandbox-evm'
import { AbiCoder, Interface, id, keccak256, toBeHex } from 'ethers'
import t from 'tap'
import { coreVaultAbi, scenario, vaultAbi, vaultAddress } from '../sandbox/index.ts'
import { assetsOf, sharesOf } from '../src/chain/pool.ts'
import { askRequest } from '../src/chain/request.ts'
import { coreVault, vault } from '../src/chain/vault.ts'
import plugin from '../src/index.ts'
import calldata from './vectors/calldata.json' with { type: 'json' }
import vector from './vectors/undelegate.json' with { type: 'json' }

const multicall = new Interface(multicallAbi)
const MON = 10n ** 18n
/** A pool in which a share is worth one MON exactly. */
const even = { shares: 1000n * MON, assets: 1000n * MON }

for (const { action, input, value, data } of calldata.actions)
  t.test(`${action} has the calldata of the vector`, async (t) => {
    const amount = BigInt(('amount' in input && input.amount) || 0n)
    const facts = { all: false, position: 500n * MON, shares: amount, pool: even, minimum: 0n }
    const network = { vault: vaultAddress, referral_id: 0, former_validators: [] }
    const draft = plugin.protocol.actions[action]!.craft(network as never, { ...input, address: calldata.address, amount }, facts) as {
      data: string
      to: string
      value?: bigint
    }
    t.equal(draft.data, data)
    t.equal(draft.to, vaultAddress)
    t.equal(draft.value ?? 0n, BigInt(value))
  })

t.test('reads have the calldata of the vectors, and everything the selectors of the contracts', async (t) => {
  t.equal(vault.encodeFunctionData('ownerRequestId', [calldata.address]), calldata.reads.ownerRequestId)
  t.equal(askRequest({ vault: vaultAddress } as never, 42n, calldata.address).data, calldata.reads.pendingRedeemRequestData)
  const standIn = new Interface(vaultAbi)
  for (const [name, selector] of Object.entries(calldata.selectors)) {
    t.equal(vault.interface.getFunction(name)?.selector, selector, name)
    t.equal(standIn.getFunction(name)?.selector, selector, `${name} of the stand-in`)
  }
  for (const [name, selector] of Object.entries(calldata.standInSelectors)) t.equal(standIn.getFunction(name)?.selector, selector, name)
  for (const [name, selector] of Object.entries(calldata.coreSelectors)) {
    t.equal(coreVault.interface.getFunction(name)?.selector, selector, name)
    t.equal(new Interface(coreVaultAbi).getFunction(name)?.selector, selector, `${name} of the stand-in`)
  }
  for (const [name, topic] of Object.entries(calldata.topics)) t.equal(standIn.getEvent(name)?.topicHash, topic, name)
})

t.test('errors of the stand-ins have the selectors of the contracts', async (t) => {
  const declared = [vaultAbi, coreVaultAbi].flatMap((abi) => {
    const names: string[] = []
    new Interface(abi).forEachError((error) => void names.push(error.format('sighash')))
    return names
  })
  t.ok(declared.length >= 12)
  for (const name of declared) t.equal(id(name).slice(0, 10), calldata.errors[name as keyof typeof calldata.errors], name)
})

t.test('the place of the redeem delay is the fifth of the ERC-7201 struct of the vault', async (t) => {
  // keccak256(abi.encode(uint256(keccak256(id)) - 1)) & ~0xff, as ERC-7201 says.
  const inner = BigInt(id('storage.Magma')) - 1n
  const base = BigInt(keccak256(AbiCoder.defaultAbiCoder().encode(['uint256'], [inner]))) & ~0xffn
  t.equal(`0x${(base + 4n).toString(16)}`, '0xe12a3c9ed0954edf986cec381af8403b24a0b0b94ceba99e0d4e9dd1e2aec504')
})

t.test('amounts and shares are converted as worked by hand, with the one on either side', async (t) => {
  const pool = { shares: 900n * MON, assets: 990n * MON }
  t.equal(sharesOf(110n * MON, pool), 100n * MON)
  t.equal(assetsOf(100n * MON, pool), 109_999_999_999_999_999_999n)
})

const stage = await startStage({ plugin, scenario, family: evmFamily, settings: { gas_limit_percent: 100 } })
t.teardown(() => stage.close())

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly { data: string; to: string }[]
}

/** What the vault and the one behind it say in the vector's world. */
const VIEWS: Readonly<Record<string, readonly unknown[]>> = {
  paused: [false],
  coreVault: ['0x00000000000000000000000000000000000000C0'],
  minUserWithdrawAmount: [0],
  balanceOf: [500n * MON],
  totalSupply: [even.shares],
  totalAssets: [even.assets],
  ownerRequestId: [0],
  convertToShares: [50n * MON],
}

/** Answers from the record. */
function play(): void {
  const both = [vault.interface, coreVault.interface]
  const view = (data: string) => {
    const abi = both.find((each) => each.getFunction(data.slice(0, 10)))!
    const { name } = abi.getFunction(data.slice(0, 10))!
    return abi.encodeFunctionResult(name, [...VIEWS[name]!])
  }
  const result = ({ method, params: [call] }: Call) => {
    if (method === 'eth_getTransactionCount') return vector.nonce
    if (method === 'eth_gasPrice') return vector.suggestedGasPrice
    if (method === 'eth_getCode') return '0x'
    if (method === 'eth_getBalance') return '0x3635c9adc5dea00000'
    if (method === 'eth_estimateGas') return call?.data === vector.data ? vector.gasLimit : null
    if (method === 'eth_sendRawTransaction') return vector.tx_hash
    if (method === 'eth_chainId') return '0x8f'
    // Multicall3's getCurrentBlockTimestamp().
    if (call?.data === '0x0f28c97d') return toBeHex(Math.floor(Date.now() / 1000), 32)
    const [calls] = multicall.decodeFunctionData('aggregate3', call!.data)
    return multicall.encodeFunctionResult('aggregate3', [calls.map(({ callData }: { callData: string }) => [true, view(callData)])])
  }
  const answer = (call: Call) => ({ jsonrpc: '2.0', id: call.id, result: result(call) })
  stage.upstream.interfere(async ({ body }) => {
    const calls = JSON.parse(body) as Call | Call[]
    return Response.json(Array.isArray(calls) ? calls.map(answer) : answer(calls))
  })
}

t.test('the vector is crafted, prepared and broadcast byte by byte', async (t) => {
  play()
  t.teardown(() => stage.upstream.interfere(null))
  const crafted = await stage.client.post('/action/undelegate', `{"address":"${vector.address}","amount":${vector.amount}}`)
  t.equal(crafted.status, 200, crafted.text)
  const { serialized_tx_hex, unsigned_tx_hash_hex, nonce, gasLimit, gasPrice, data, r, s } = vector
  t.same(crafted.json, {
    serialized_tx_hex,
    unsigned_tx_hash_hex,
    payload: { type: '0x0', nonce, gasLimit, to: vaultAddress, value: '0x0', data, gasPrice, chainId: '0x8f' },
  })
  for (const v of vector.v) {
    const prepared = await stage.client.post('/action/prepare', { serialized_tx_hex, r, s, v })
    const { signed_tx_hex } = prepared.json as { signed_tx_hex: string }
    t.equal(keccak256(signed_tx_hex), vector.tx_hash, `v ${v}`)
    const sent = await stage.client.post('/action/broadcast', { signed_tx_hex })
    t.same(sent.json, { tx_hash: vector.tx_hash })
  }
})
