import { type Client, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { observe } from '@svc/sandbox'
import { parseEther } from 'ethers'
import t, { type Test } from 'tap'
import { act, addValidator, drive, scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const observed = observe(scenario)
const stage = await startStage({ plugin, scenario: observed.scenario, family: evmFamily })
t.teardown(() => stage.close())

/** A position with something in every bucket. */
const player = await stage.player()
await player.act('delegate', { amount: 100 })
await player.advance({ epochs: 2 })
await player.act('undelegate', { amount: 1, withdrawId: 1 })
await player.advance({ epochs: 2 })
await player.act('undelegate', { amount: 2, withdrawId: 200 })
await player.act('delegate', { amount: 5 })
const { address } = player.wallet
const CRAFTS = [
  ['delegate', { address, amount: 1 }],
  ['undelegate', { address, amount: 1, withdrawId: 9 }],
  ['withdraw', { address, withdrawId: 1 }],
  ['claim-rewards', { address }],
  ['compound', { address }],
] as const

/** Everything that asks the chain, as a client of another service answers it. */
async function everything(client: Client): Promise<string[]> {
  const reads = await Promise.all(
    [`/staking-balance/${address}`, '/staking-info', `/withdrawals/${address}`, `/withdrawal/${address}/1`].map((path) => client.get(path)),
  )
  const texts = reads.map(({ text }) => text)
  for (const [action, body] of CRAFTS) texts.push((await client.post(`/action/${action}`, body)).text)
  return texts
}

/** A service whose snapshot is of now, on settings that change nothing. */
const plain = await stage.serve()
t.teardown(() => plain.close())
const expected = await everything(await plain.client())
/** Where there is no contract. */
const NOWHERE = '0x00000000000000000000000000000000deadbeef'

async function serve(t: Test, settings: Readonly<Record<string, unknown>>) {
  const service = await stage.serve({ settings })
  t.teardown(() => service.close())
  t.teardown(() => stage.upstream.interfere(null))
  return { service, client: await service.client() }
}

/** Bodies of the calls that requests have caused since call number `first`: without what a service asks by itself. */
const bodiesSince = (first: number) =>
  stage.upstream.calls
    .slice(first)
    .filter(({ cause }) => cause !== undefined)
    .map(({ body }) => body)

t.test('every answer is a success to compare with', async (t) => {
  for (const text of expected) t.notMatch(text, /statusCode/)
})

t.test('on a chain without the multicall contract everything is read by single calls, with the same answers', async (t) => {
  const { client } = await serve(t, { multicall: NOWHERE })
  t.same(await everything(client), expected)
  const first = stage.upstream.calls.length
  const { usage } = await stage.upstream.measure(() => client.get(`/staking-balance/${address}`))
  t.equal(usage.waves, 1, 'its absence is remembered')
  t.ok(
    bodiesSince(first).every((body) => !body.toLowerCase().includes('deadbeef')),
    'and it is not asked again',
  )
})

t.test('with batches switched off every call travels alone', async (t) => {
  const first = stage.upstream.calls.length
  const { client } = await serve(t, { batch_max: 1 })
  t.same(await everything(client), expected)
  t.same(
    bodiesSince(first).filter((body) => body.startsWith('[')),
    [],
  )
})

t.test('a batch never has more calls than the endpoints take', async (t) => {
  const first = stage.upstream.calls.length
  const { client } = await serve(t, { batch_max: 3, multicall: NOWHERE })
  t.same(await everything(client), expected)
  const sizes = bodiesSince(first).map((body) => [JSON.parse(body)].flat().length)
  t.equal(Math.max(...sizes), 3)
})

t.test('an endpoint that refuses batches is asked call by call from then on', async (t) => {
  for (const refusal of [
    { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batch requests are not allowed' } },
    { error: 'Batch size exceeds plan' },
  ]) {
    let batches = 0
    stage.upstream.interfere(({ body }) => {
      if (!body.startsWith('[')) return null
      batches++
      return Promise.resolve(Response.json(refusal))
    })
    const { service, client } = await serve(t, {})
    t.same(await everything(client), expected, JSON.stringify(refusal))
    t.ok(batches > 0, 'a batch was tried')
    const tried = batches
    t.same(await everything(client), expected)
    t.equal(batches, tried, 'and not again')
    await service.close()
  }
})

t.test("the chain's plain text becomes the sentence", async (t) => {
  // The precompile refuses with bare ASCII; nobody but the simulation notices an unknown validator here.
  const { client } = await serve(t, { validator_id: 999 })
  const answer = await client.post('/action/delegate', { address, amount: 1 })
  t.match(answer.json, { statusCode: 400, code: 'CHAIN_WOULD_REFUSE', error: /unknown validator/ })
  t.notMatch(answer.sentence, /reserve/, 'without a word about what it is not')
})

t.test('an operator hears of a validator that is not there', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  await t.resolves(stage.protocol.inspect(ctx))
  const wrong = { ...ctx, network: { ...ctx.network, validator_id: 999 } }
  await t.rejects(stage.protocol.inspect(wrong), { message: /validator_id 999 is not a registered validator/ })
  t.same(await stage.protocol.inspectFormer?.(ctx), [])
  const former = { ...ctx, network: { ...ctx.network, former_validators: [13, 998] } }
  const told = await stage.protocol.inspectFormer?.(former)
  t.equal(told?.length, 1)
  t.match(told?.[0], /^former_validators names 998, and the chain knows no such validator/)
})

t.test('terms are those of the scenario', async (t) => {
  // 120 validators of 100 million MON each and a commission of a tenth; a little was delegated above.
  const { json } = await stage.client.get('/staking-info')
  const terms = json as Record<string, number | string | null>
  t.match(terms, {
    stake_activation_max_time: 275,
    stake_deactivation_max_time: 500,
    withdrawal_max_time: 0,
    staking_reward_fee: 10,
    withdrawal_fee: 0,
    max_slashing_percentage: 0,
    min_stake_amount: '0.000000001',
    max_stake_amount: null,
    tvl_usd: null,
  })
  t.ok(Math.abs(Number(terms.staking_apr) - 14.1912) < 1e-3, `${terms.staking_apr}`)
  t.ok(Math.abs(Number(terms.staking_apy) - 15.24697) < 1e-3, `${terms.staking_apy}`)
})

t.test('a validator outside the active set, or about to leave it, earns nothing: only its own account stakes with it', async (t) => {
  const [owner, other] = [await stage.player(), await stage.player()]
  const own = parseEther('20000000')
  await drive(observed.chain(), addValidator(121, owner.wallet.address, 0n, own))
  const { client } = await serve(t, { validator_id: 121 })
  const body = { address: other.wallet.address, amount: 1 }
  const delegate = (of = other) => client.post('/action/delegate', { ...body, address: of.wallet.address })
  const rate = async () =>
    ((await (await serve(t, { validator_id: 121 })).client.get('/staking-info')).json as { staking_apr: number }).staking_apr
  const refuses = async (error: RegExp) => {
    t.match((await delegate()).json, { statusCode: 400, code: 'VALIDATOR_INACTIVE', error })
    t.match((await client.post('/action/compound', { address: other.wallet.address })).json, { code: 'VALIDATOR_INACTIVE', error })
    t.equal(await rate(), 0, 'the rate that is shown is the same rule')
    t.equal((await delegate(owner)).status, 200, 'its own account brings it in, or back')
  }
  await refuses(/121 is not in the active set of this epoch, so that stake earns nothing there\.$/)
  await other.advance({ epochs: 1 })
  t.equal((await delegate()).status, 200)
  t.ok((await rate()) > 0)
  await act(observed.chain(), other.wallet.address, 'delegate', [121], parseEther('100'))
  await other.advance({ epochs: 2 })
  await act(observed.chain(), owner.wallet.address, 'undelegate', [121, own - parseEther('200000'), 0])
  await refuses(/121 is about to leave the active set, or out of it/)
  await other.advance({ epochs: 2 })
  await refuses(/out of it/)
  const leaving = { address: other.wallet.address, amount: 100, withdrawId: 1 }
  t.equal((await client.post('/action/undelegate', leaving)).status, 200, 'everything can leave')
  t.equal((await client.post('/action/claim-rewards', { address: other.wallet.address })).status, 200, 'and rewards can be had')
})

t.test('a simulation that dips into the reserve is told what the reserve is', async (t) => {
  const { client } = await serve(t, {})
  stage.upstream.interfere(async ({ body }, pass) => {
    const estimate = [JSON.parse(body)].flat().find(({ method }) => method === 'eth_estimateGas')
    const answers = [await (await pass()).json()].flat() as { id: number }[]
    const error = { code: -32_603, message: 'reserve balance violation' }
    return Response.json(answers.map((each) => (each.id === estimate?.id ? { jsonrpc: '2.0', id: each.id, error } : each)))
  })
  const answer = await client.post('/action/delegate', { address, amount: 1 })
  t.match(answer.json, { statusCode: 400, code: 'CHAIN_WOULD_REFUSE', error: /Monad keeps a reserve of 10 MON/ })
})
