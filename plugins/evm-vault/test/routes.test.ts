import t from 'tap'
import { lying, send, staked, startObserved, withoutSubgraph } from './support.ts'

const { stage, world } = await startObserved()
t.teardown(() => stage.close())
t.afterEach(() => stage.upstream.interfere(null))
const player = await stage.player()
const { address } = player.wallet
const ZERO = '0x0000000000000000000000000000000000000000'
await staked(player, '10.5')
await player.act('unstake', { amount: 2 })
await player.advance({ epochs: 2 })
await player.act('withdraw')
await player.advance({ epochs: 3 })
const { client } = player

type Row = Readonly<Record<string, unknown>>
const rows = async (path: string) => {
  const answer = await client.get(path)
  t.equal(answer.status, 200, answer.text)
  return answer.json as Row[]
}

t.test('history has every action, newest first', async (t) => {
  const items = await rows(`/historic/${address}`)
  t.same(
    items.map(({ actionType }) => actionType),
    ['ExitedAssetsClaimed', 'ExitQueueEntered', 'Deposited'],
  )
  const [claimed, exited, deposited] = items
  t.match(deposited, { assets: '10.5', shares: /^10\.\d+$/, id: /^0x[0-9a-f]{64}-\d+$/ })
  t.match(claimed, { shares: '0.0', assets: /^2\.\d+$/ })
  t.match(exited, { assets: /^(2\.0|1\.9{15,})/ })
  for (const item of items) {
    t.same(Object.keys(item), ['id', 'assets', 'shares', 'actionType', 'link', 'createdAt'])
    t.equal(item.link, `https://etherscan.io/tx/${String(item.id).split('-')[0]}`)
  }
  t.ok(items.every(({ createdAt }, at) => at === 0 || Number(createdAt) <= Number(items[at - 1]!.createdAt)))
  const { timestamp } = await world.chain.latest()
  t.ok(Number(claimed!.createdAt) > (timestamp - 4 * 43_200) * 1000 && Number(claimed!.createdAt) <= timestamp * 1000, 'in milliseconds')
  t.same(await rows(`/historic/${address.toLowerCase()}`), items, 'whatever the spelling of the address')
  t.same(await rows(`/historic/${ZERO}`), [])
})

t.test('history has all pages', async (t) => {
  const made = (number: number) => ({
    id: `0x${number.toString(16).padStart(64, '0')}-${number}`,
    assets: null,
    shares: `${number}`,
    createdAt: '1760000000',
    actionType: 'BoostDeposited',
  })
  const asked: number[] = []
  stage.upstream.interfere(async ({ body, url }, pass) => {
    if (!url.includes('subgraph') || !body.includes('History')) return pass()
    const { variables } = JSON.parse(body) as { variables: { first: number; skip: number } }
    asked.push(variables.skip)
    const { data } = (await (await pass()).json()) as { data: object }
    const page = Array.from({ length: Math.min(variables.first, 2001 - variables.skip) }, (_, index) => made(variables.skip + index))
    return Response.json({ data: { ...data, allocatorActions: page } })
  })
  const items = await rows(`/historic/${address}`)
  t.equal(items.length, 2001)
  t.equal(new Set(items.map(({ id }) => id)).size, 2001)
  t.match(items[0], { assets: '0.0', shares: '0.0' })
  t.same(asked, [0, 1000, 2000])
})

t.test('stats have a row a day, oldest first, and as many as asked for', async (t) => {
  const days = await rows(`/stats/${address}?days=30`)
  t.ok(days.length >= 2, `${days.length} days have ended`)
  for (const day of days) {
    t.same(Object.keys(day), ['time', 'balance', 'apy', 'rewards'])
    t.equal(Number(day.time) % 86_400_000, 0, 'at midnight UTC, in milliseconds')
    t.ok(Number(day.balance) > 8 && Number(day.balance) < 11)
  }
  t.ok(days.every(({ time }, at) => at === 0 || Number(time) > Number(days[at - 1]!.time)))
  t.ok(Number(days.at(-1)!.rewards) > 0 && Number(days.at(-1)!.rewards) < 0.01, 'what a day earns')
  t.same(await rows(`/stats/${address}`), days.slice(-7), 'a week by default')
  t.same(await rows(`/stats/${address}?days=1`), days.slice(-1))
  t.same(await rows(`/stats/${ZERO}`), [])
  for (const wrong of ['0', '-1', '1001', '1.5', 'week']) t.equal((await client.get(`/stats/${address}?days=${wrong}`)).status, 400, wrong)
  for (const path of ['/stats/0x12', '/historic/0x12'])
    t.match((await client.get(path)).json, { statusCode: 400, code: 'ADDRESS_INVALID' }, path)
})

t.test('the vault has its address and what it earns, and staking-info the same', async (t) => {
  const { json } = await client.get('/vault')
  t.same(Object.keys(json as object), ['vaultAddress', 'apy'])
  const { vaultAddress, apy } = json as { vaultAddress: string; apy: number }
  t.equal(vaultAddress, world.vault)
  t.ok(apy > 2.6 && apy < 2.8, `${apy}: 3 % less a fee of a tenth`)
  const service = await stage.serve()
  t.teardown(() => service.close())
  const info = (await (await service.client()).get('/staking-info')).json as Row
  t.match(info, {
    stake_activation_max_time: 0,
    stake_deactivation_max_time: 15_120,
    withdrawal_max_time: 0,
    staking_reward_fee: 10,
    withdrawal_fee: 0,
    staking_apr: Number(apy.toPrecision(12)),
    max_slashing_percentage: 100,
    min_stake_amount: '0.000000000000000001',
    users: null,
    tvl_usd: null,
    tvl_token: null,
  })
  t.ok(Math.abs(Number(info.staking_apy) - ((1 + apy / 36_500) ** 365 - 1) * 100) < 1e-9)
  t.match(info.max_stake_amount, /^199799\d\d\.\d+$/)
})

t.test('without a subgraph its fields are null and its lists empty, and everything else works', async (t) => {
  const service = await stage.serve({ further: { subgraph: null } })
  t.teardown(() => service.close())
  const bare = await service.client()
  t.same((await bare.get('/vault')).json, { vaultAddress: world.vault, apy: null })
  t.same((await bare.get(`/historic/${address}`)).json, [])
  t.same((await bare.get(`/stats/${address}`)).json, [])
  t.match((await bare.get('/staking-info')).json, { staking_apr: null, staking_apy: null, staking_reward_fee: 10 })
  t.equal((await bare.get(`/staking-balance/${address}`)).text, (await client.get(`/staking-balance/${address}`)).text)
  for (const action of ['stake', 'unstake']) {
    const crafted = await bare.post(`/action/${action}`, player.body({ amount: 1 }))
    t.equal((await send(bare, crafted.json, player)).status, 200, action)
  }
})

t.test('a subgraph that is down makes its lists a 502, and the rate null', async (t) => {
  withoutSubgraph(stage)
  for (const path of [`/historic/${address}`, `/stats/${address}`]) t.match((await client.get(path)).json, { statusCode: 502 }, path)
  t.match((await client.get('/vault')).json, { vaultAddress: world.vault, apy: null })
  t.equal((await client.get(`/staking-balance/${address}`)).status, 200)
})

t.test('a subgraph too far behind the chain is not passed on, a little behind it is', async (t) => {
  const { timestamp } = await world.chain.latest()
  const behind = (seconds: number) => (data: object) => ({
    ...data,
    _meta: { block: { timestamp: timestamp - seconds }, hasIndexingErrors: false },
  })
  lying(stage, 'History', behind(100))
  t.equal((await client.get(`/historic/${address}`)).status, 200)
  for (const [name, path] of [
    ['History', `/historic/${address}`],
    ['Stats', `/stats/${address}`],
  ] as const) {
    lying(stage, name, behind(3600))
    const answer = await client.get(path)
    t.match(answer.json, { statusCode: 503, code: 'SUBGRAPH_BEHIND', error: /36\d\d seconds behind/ })
    t.equal(answer.headers.get('retry-after'), '60')
  }
  lying(stage, 'Rate', behind(3600))
  t.match((await client.get('/vault')).json, { apy: null })
  lying(stage, 'History', (data: object) => ({ ...data, _meta: { block: { timestamp }, hasIndexingErrors: true } }))
  t.match((await client.get(`/historic/${address}`)).json, { statusCode: 502, code: 'SUBGRAPH_UNREADABLE', error: /indexing errors/ })
})

t.test('what the subgraph answers in another form is a 502 that shows no more of it', async (t) => {
  for (const wrong of [
    { errors: [{ message: 'store error: database unavailable' }] },
    { data: null },
    { data: [] },
    {},
    [],
    null,
    { data: { _meta: null, allocatorActions: [] } },
    { data: { _meta: { block: { timestamp: 9_999_999_999 }, hasIndexingErrors: false }, allocatorActions: null } },
    { data: { _meta: { block: { timestamp: 9_999_999_999 }, hasIndexingErrors: false }, allocatorActions: [{ id: 7 }] } },
    {
      data: {
        _meta: { block: { timestamp: 9_999_999_999 }, hasIndexingErrors: false },
        allocatorActions: [{ id: '0x', actionType: 'A', createdAt: '1', assets: 1.5 }],
      },
    },
  ]) {
    stage.upstream.interfere(async ({ url }, pass) => (url.includes('subgraph') ? Response.json(wrong) : pass()))
    t.match((await client.get(`/historic/${address}`)).json, { statusCode: 502, code: 'SUBGRAPH_UNREADABLE' }, JSON.stringify(wrong))
  }
})
