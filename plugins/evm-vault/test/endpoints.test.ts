import type { Client } from '@svc/conformance'
import t, { type Test } from 'tap'
import { answering, callsOf, reportMore, staked, startObserved } from './support.ts'

const { stage, world } = await startObserved()
t.teardown(() => stage.close())

/** One with a stake, one with exits that can be withdrawn. */
const [stays, leaves] = [await stage.player(), await stage.player()]
await leaves.act('stake', { amount: 10 })
await staked(stays, '100.000000000000000001')
await leaves.act('unstake', { amount: 1 })
await leaves.act('unstake', { amount: 2 })
await leaves.advance({ epochs: 2 })
// Beyond what may still be replaced, so that the index of events has a part that is kept.
await world.chain.mine(200)
await reportMore(world)
const { address } = leaves.wallet
const NOWHERE = '0x00000000000000000000000000000000deadbeef'
const CRAFTS = [
  ['stake', stays.body({ amount: 1 })],
  ['unstake', stays.body({ amount: 1 })],
  ['withdraw', leaves.body()],
] as const

/** Everything that asks the chain, with what differs from craft to craft left out. */
async function everything(client: Client): Promise<unknown[]> {
  const paths = [`/staking-balance/${address}`, `/staking-balance/${stays.wallet.address}`, '/staking-info', '/vault']
  const texts: unknown[] = []
  for (const path of paths) texts.push((await client.get(path)).text)
  for (const [action, body] of CRAFTS) texts.push(callsOf(await client.post(`/action/${action}`, body)))
  return texts
}

async function serve(t: Test, settings: Readonly<Record<string, unknown>> = {}) {
  const service = await stage.serve({ settings })
  t.teardown(() => service.close())
  t.teardown(() => stage.upstream.interfere(null))
  return service.client()
}

const plain = await stage.serve()
t.teardown(() => plain.close())
const expected = await everything(await plain.client())

t.test('every craft carries the pending harvest, to compare with', async (t) => {
  t.same(
    (expected.slice(4) as { name: string }[][]).map((calls) => calls.map(({ name }) => name)),
    [['updateStateAndDeposit'], ['updateState', 'enterExitQueue'], ['updateState', 'claimExitedAssets', 'claimExitedAssets']],
  )
})

t.test('on a chain without the multicall contract everything is read by single calls, after the same harvest', async (t) => {
  t.same(await everything(await serve(t, { multicall: NOWHERE })), expected)
})

t.test('with batches switched off every call travels alone', async (t) => {
  const client = await serve(t, { batch_max: 1 })
  const first = stage.upstream.calls.length
  t.same(await everything(client), expected)
  t.same(
    stage.upstream.calls.slice(first).filter(({ body }) => body.startsWith('[')),
    [],
  )
})

t.test('with neither, the same', async (t) => {
  t.same(await everything(await serve(t, { multicall: NOWHERE, batch_max: 1 })), expected)
})

for (const [message, most] of [
  ['block range is too wide', 150],
  ['eth_getLogs is limited to a 128 range', 128],
  ['query returned more than 10000 results', 180],
  ['Log response size exceeded. this block range should work: [0x0, 0x80]', 128],
] as const)
  t.test(`endpoints that serve logs of few blocks ("${message}") are asked in parts`, async (t) => {
    const asked: number[] = []
    const head = (await world.chain.latest()).block
    answering(stage, ({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const { fromBlock, toBlock } = params[0] as unknown as { fromBlock: string; toBlock: string }
      const blocks = (toBlock === 'latest' ? head : Number(toBlock)) - Number(fromBlock) + 1
      asked.push(blocks)
      return blocks > most ? { error: { code: -32_005, message } } : undefined
    })
    const client = await serve(t)
    t.same(await everything(client), expected)
    t.ok(asked.some((blocks) => blocks > most) && asked.some((blocks) => blocks <= most))
    asked.length = 0
    await client.get(`/staking-balance/${address}`)
    t.ok(
      asked.every((blocks) => blocks <= most),
      `what was read is kept, so that later calls are small: ${asked}`,
    )
  })

t.test('the settings say how many blocks are asked for at once', async (t) => {
  const asked: number[] = []
  answering(stage, ({ method, params }) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as unknown as { fromBlock: string; toBlock: string }
    if (method === 'eth_getLogs' && toBlock !== 'latest') asked.push(Number(toBlock) - Number(fromBlock) + 1)
    return undefined
  })
  t.same(await everything(await serve(t, { log_blocks: 50 })), expected)
  t.ok(asked.length > 3 && asked.every((blocks) => blocks <= 50), `${asked}`)
})

t.test('an endpoint that fails otherwise is not asked in ever smaller parts', async (t) => {
  const asked: string[] = []
  answering(stage, ({ method }) => {
    if (method !== 'eth_getLogs') return undefined
    asked.push(method)
    return { error: { code: -32_603, message: 'internal error' } }
  })
  const service = await stage.serve({ further: { subgraph: null } })
  t.teardown(() => service.close())
  t.teardown(() => stage.upstream.interfere(null))
  const client = await service.client()
  await client.get('/staking-info')
  const before = asked.length
  t.match((await client.get(`/staking-balance/${address}`)).json, { statusCode: 502 })
  t.equal(asked.length - before, 1)
})

t.test('a fresh event is seen at once, by a service that has kept the older ones', async (t) => {
  const client = await serve(t)
  const path = `/staking-balance/${address}`
  const count = async () => ((await client.get(path)).json as { staking_objects: object[] }).staking_objects.length
  t.equal(await count(), 2)
  await leaves.act('unstake', { amount: 1 })
  t.equal(await count(), 3)
  await leaves.act('withdraw')
  t.equal(await count(), 1)
})
