import { type Client, evmFamily, startStage } from '@svc/conformance'
import t, { type Test } from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const stage = await startStage({ plugin, scenario, family: evmFamily })
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

/** Calls of one method in the HTTP bodies since `first`. */
const bodiesSince = (first: number) => stage.upstream.calls.slice(first).map(({ body }) => body)

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
  t.match(answer.sentence, /reserve of 10 MON/, 'with the hint that the action gives')
})

t.test('an operator hears of a validator that is not there', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  await t.resolves(stage.protocol.inspect(ctx))
  const wrong = { ...ctx, network: { ...ctx.network, validator_id: 999 } }
  await t.rejects(stage.protocol.inspect(wrong), { message: /validator_id 999 is not a registered validator/ })
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
