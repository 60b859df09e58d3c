import { type Client, numberText, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { exactNumber } from '@svc/contract'
import { multicallAbi } from '@svc/sandbox-evm'
import { Interface } from 'ethers'
import t from 'tap'
import { redeemDelay, scenario, vaultAbi, vaultAddress, withdrawalFee } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'

const SIX_HOURS = 21_600
const calls = new Interface(vaultAbi)
const { scenario: observed, chain } = onChain(scenario)
const stage = await startStage({ plugin, scenario: observed, family: evmFamily })
t.teardown(() => stage.close())
const { client } = stage

interface RedeemRequest {
  readonly request_id: number
  readonly assets: number
  readonly withdrawable_time: number
}

const list = async (address: string, from: Client = client) => (await from.get(`/withdrawal/${address}`)).json as RedeemRequest[]
const now = async () => (await chain().evm.latest()).timestamp

t.test('the list and the balance say the same of a request, and withdraw goes by it to the second', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  t.same(await list(address), [], 'nobody begins with a request')
  await player.act('delegate', { amount: exactNumber('500.000000000000000007') })
  t.same(await list(address), [], 'and a deposit makes none')

  await player.act('undelegate', { amount: exactNumber('123.000000000000000005') })
  const requested = await now()
  const [open, ...others] = await list(address)
  t.same(others, [])
  const withdrawable = requested + redeemDelay + SIX_HOURS
  t.equal(open?.withdrawable_time, withdrawable)
  const { objects, deactivating } = await player.position()
  t.equal(numberText(open, 'assets'), deactivating, 'the amount is exact in both')
  t.match(objects, [
    {
      id: String(open?.request_id),
      status: 'deactivating',
      amount: deactivating,
      withdrawableAt: new Date(withdrawable * 1000).toISOString(),
    },
  ])
  t.same(await list(address.toLowerCase()), [open])

  const request_id = open!.request_id
  const early = await player.craft('withdraw', { request_id })
  t.match(early.json, { statusCode: 400, code: 'WITHDRAWAL_NOT_READY' })
  t.ok(early.sentence.includes(new Date(withdrawable * 1000).toISOString()), early.sentence)

  await chain().evm.rpc('evm_setNextBlockTimestamp', [withdrawable - 1])
  await chain().evm.rpc('evm_mine')
  await player.refused('withdraw', { request_id }, 'WITHDRAWAL_NOT_READY')
  t.match((await player.position()).objects, [{ status: 'deactivating' }])
  const sooner = chain().evm.call({
    from: address,
    to: vaultAddress,
    data: calls.encodeFunctionData('redeemMON', [request_id, address, address]),
  })
  await t.resolves(sooner, 'the vault itself would pay a second earlier, and long before')

  await chain().evm.rpc('evm_setNextBlockTimestamp', [withdrawable])
  await chain().evm.rpc('evm_mine')
  t.match(await player.position(), { deactivating: '0', withdrawing: deactivating, objects: [{ status: 'withdrawable' }] })
  t.same(await list(address), [open], 'the list stays the same until it is paid')
  const before = await chain().evm.balance(address)
  const { hash } = await player.act('withdraw', { request_id })
  const receipt = (await chain().evm.rpc('eth_getTransactionReceipt', [hash])) as { gasUsed: string; effectiveGasPrice: string }
  const paid = (await chain().evm.balance(address)) - before + BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
  const assets = BigInt(deactivating!.replace('.', '').padEnd(21, '0'))
  t.equal(paid, assets - (assets * BigInt(withdrawalFee) + 9_999n) / 10_000n, 'paid in MON, less the fee')
  t.same(await list(address), [])
  await player.act('undelegate', { amount: 10 })
  t.equal((await list(address)).length, 1, 'and another can be made')
  t.same(
    player.check.findings.filter(({ ok }) => !ok),
    [],
  )
})

t.test('no request takes one wave, a new one two, and a known one again one', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await player.act('delegate', { amount: 500 })
  const waves = async (path: string) => (await stage.upstream.measure(() => client.get(path))).usage.waves
  t.equal(await waves(`/staking-balance/${address}`), 1)
  await player.act('undelegate', { amount: 10 })
  t.equal(await waves(`/withdrawal/${address}`), 2, 'its number is not known yet')
  t.equal(await waves(`/withdrawal/${address}`), 1)
  t.equal(await waves(`/staking-balance/${address}`), 1)

  const other = await stage.serve()
  t.teardown(() => other.close())
  const elsewhere = await other.client()
  t.same(await list(address, elsewhere), await list(address), 'another process answers the same')

  await player.advance({ epochs: 3 })
  const first = (await list(address))[0]!.request_id
  await player.act('withdraw', { request_id: first })
  await player.act('undelegate', { amount: 11 })
  t.equal(await waves(`/staking-balance/${address}`), 2, 'the number that was known is not the one')
  const [second] = await list(address)
  t.ok(second!.request_id > first)
  t.same(
    (await player.position()).objects?.map(({ id }) => id),
    [String(second!.request_id)],
  )
})

t.test('a request that somebody else controls is unknown, and not withdrawn by its owner', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await player.act('delegate', { amount: 500 })
  const controller = '0x00000000000000000000000000000000000000c1'
  const data = calls.encodeFunctionData('requestRedeem', [10n ** 18n, controller, address])
  await chain().evm.send({ from: address, to: vaultAddress, data })
  t.match(await player.position(), {
    deactivating: '0',
    withdrawing: '0',
    objects: [{ type: 'withdrawal_request', status: 'unknown', amount: null, withdrawableAt: null }],
  })
  t.same(await list(address), [])
  const id = Number((await player.position()).objects?.[0]?.id)
  const answer = await player.craft('withdraw', { request_id: id })
  t.match(answer.json, {
    statusCode: 400,
    code: 'REQUEST_UNKNOWN',
    error: /names another address as its controller.*the vault takes a claim of it directly/,
  })
  const foreign = await (await stage.player()).craft('withdraw', { request_id: id })
  t.match(foreign.json, { code: 'REQUEST_UNKNOWN', error: /it has none/ })
})

t.test('a request that cannot be read is an unknown object, and the list says that it could not be read', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await player.act('delegate', { amount: 500 })
  await player.act('undelegate', { amount: 10 })
  const { staked } = await player.position()
  const multicall = new Interface(multicallAbi)
  stage.upstream.interfere(async ({ body }, pass) => {
    const real = [await (await pass()).json()].flat() as { id: number; result: string }[]
    const asked = [JSON.parse(body)].flat() as { id: number; method: string; params: { data: string }[] }[]
    const answers = real.map((answer) => {
      const { method, params } = asked.find(({ id }) => id === answer.id)!
      // The time of the head is a word.
      if (method !== 'eth_call' || answer.result.length <= 66) return answer
      const questions = multicall.decodeFunctionData('aggregate3', params[0]!.data)[0] as { callData: string }[]
      const results = multicall.decodeFunctionResult('aggregate3', answer.result)[0] as [boolean, string][]
      const selector = calls.getFunction('pendingRedeemRequestData')!.selector
      const changed = results.map(([ok, data], index) => (questions[index]!.callData.startsWith(selector) ? [false, '0x'] : [ok, data]))
      return { ...answer, result: multicall.encodeFunctionResult('aggregate3', [changed]) }
    })
    return Response.json(answers.length === 1 ? answers[0] : answers)
  })
  t.teardown(() => stage.upstream.interfere(null))
  t.match(await player.position(), {
    staked,
    deactivating: null,
    withdrawing: null,
    objects: [{ status: 'unknown', amount: null, withdrawableAt: null }],
  })
  const answer = await client.get(`/withdrawal/${address}`)
  t.match(answer.json, { statusCode: 502, code: 'VAULT_UNREADABLE' })
})

t.test('the stake behind a request may be released later than the vault says, and the caller is told', async (t) => {
  const player = await stage.player()
  await player.act('delegate', { amount: 500 })
  await player.act('undelegate', { amount: 10 })
  await player.advance({ epochs: 3 })
  const request_id = Number((await player.position()).objects?.[0]?.id)
  // Epochs that stand still: the staking contract answers the same one for ever.
  const code = (await chain().evm.rpc('eth_getCode', ['0x0000000000000000000000000000000000001000', 'latest'])) as string
  await chain().evm.setCode('0x0000000000000000000000000000000000001000', '0x6001600052600060205260406000f3')
  const answer = await player.craft('withdraw', { request_id })
  await chain().evm.setCode('0x0000000000000000000000000000000000001000', code)
  t.match(answer.json, { statusCode: 400, code: 'CHAIN_WOULD_REFUSE', error: /has not released the stake yet \(withdrawal not ready\)/ })
  t.equal((await player.craft('withdraw', { request_id })).status, 200)
})

t.test('an address that is none is refused', async (t) => {
  for (const address of ['0x1234', 'staker.eth', '0x19e7E376E7C213B7E7e7e46cc70A5dD086DAff2A'])
    t.equal((await client.get(`/withdrawal/${address}`)).status, 400, address)
})
