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
await world.chain.mine(400)
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
    stage.upstream.calls.slice(first).filter(({ cause, body }) => cause !== undefined && body.startsWith('[')),
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
    // Settings of its own, so that nothing is known of an earlier reading.
    const client = await serve(t, { log_blocks: 10_000 - message.length })
    t.same(await everything(client), expected)
    t.ok(asked.some((blocks) => blocks > most) && asked.some((blocks) => blocks <= most))
    asked.length = 0
    await client.get(`/staking-balance/${address}`)
    t.ok(
      asked.every((blocks) => blocks <= most),
      `what was read is kept, so that later calls are small: ${asked}`,
    )
  })

t.test('a geth with a limit of the range, which takes `latest` for the largest number, serves the exits all the same', async (t) => {
  for (const limit of [100, 20]) {
    const asked: string[] = []
    const head = (await world.chain.latest()).block
    answering(stage, ({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const { fromBlock, toBlock } = params[0] as unknown as { fromBlock: string; toBlock: string }
      asked.push(toBlock)
      if (toBlock !== 'latest' && Number(toBlock) > head)
        return { error: { code: -32_602, message: 'block range extends beyond current head block' } }
      const blocks = toBlock === 'latest' ? Number.POSITIVE_INFINITY : Number(toBlock) - Number(fromBlock)
      return blocks > limit ? { error: { code: -32_000, message: `exceed maximum block range: ${limit}` } } : undefined
    })
    const client = await serve(t, { log_blocks: 9_000 + limit })
    t.same(await everything(client), expected, `--rpc.rangelimit ${limit}`)
    t.ok(asked.includes('latest') && asked.length > 3, `${asked.length} calls`)
    asked.length = 0
    await client.get(`/staking-balance/${address}`)
    t.notOk(asked.includes('latest'), 'and is not asked to `latest` again')
  }
})

t.test('a range beyond the head is no reason to ask for less', async (t) => {
  const asked: unknown[] = []
  answering(stage, ({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined
    asked.push(params)
    return { error: { code: -32_602, message: 'block range extends beyond current head block' } }
  })
  const service = await stage.serve({ settings: { log_blocks: 8_999 }, further: { subgraph: null } })
  t.teardown(() => service.close())
  t.teardown(() => stage.upstream.interfere(null))
  const client = await service.client()
  t.match((await client.get(`/staking-balance/${address}`)).json, { statusCode: 502 })
  t.ok(asked.length > 0 && asked.length < 8, `${asked.length} calls`)
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

/** An endpoint that answers one call for logs after another. @param fail whether the call of that number fails @param lists whether the subgraph lists exits */
function inTurn(ms: number, { fail, lists = false }: { fail?: (call: number) => boolean; lists?: boolean } = {}) {
  const ranges: string[] = []
  let [waiting, most] = [0, 0]
  let turn: Promise<unknown> = Promise.resolve()
  stage.upstream.interfere(async ({ body, url }, pass) => {
    if (url.includes('subgraph')) return body.includes('Exits') && !lists ? Response.json({ errors: [{ message: 'no' }] }) : pass()
    const parsed = JSON.parse(body) as { id: number; method: string; params: [{ fromBlock: string; toBlock: string }] }[]
    const calls = [parsed].flat()
    const scans = calls.filter(({ method, params }) => method === 'eth_getLogs' && params[0].toBlock !== 'latest')
    if (scans.length === 0) return pass()
    waiting += scans.length
    most = Math.max(most, waiting)
    const failing = scans.map(({ id, params }) => {
      const call = ranges.push(`${params[0].fromBlock}-${params[0].toBlock}`)
      return { id, fails: fail?.(call) ?? false }
    })
    turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, ms * scans.length)))
    await turn
    waiting -= scans.length
    const answers = ([await (await pass()).json()].flat() as { id: number }[]).map((answer) =>
      failing.find(({ id }) => id === answer.id)?.fails
        ? { jsonrpc: '2.0', id: answer.id, error: { code: -32_603, message: 'internal error' } }
        : answer,
    )
    return Response.json(Array.isArray(parsed) ? answers : answers[0])
  })
  return { ranges, most: () => most }
}

/** Blocks that a refusal says are read. */
function doneOf({ json, headers }: { json: unknown; headers: Headers }): number {
  const { error } = json as { error: string }
  t.match(json, { statusCode: 503, code: 'EXITS_INCOMPLETE', error: /\d+ of \d+ blocks are done\. Try again in \d+ seconds?/ })
  t.match(headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/)
  return Number(/(\d+) of/.exec(error)![1])
}

t.test('an endpoint that answers one call after another gets a first reading done, in steps that stay', async (t) => {
  const endpoint = inTurn(4)
  const service = await stage.serve({ settings: { log_blocks: 1, exits_wait_ms: 40 } })
  t.teardown(() => service.close())
  t.teardown(() => stage.upstream.interfere(null))
  const client = await service.client()
  const done: number[] = []
  let answer = await client.get(`/staking-balance/${address}`)
  for (; answer.status !== 200; answer = await client.get(`/staking-balance/${address}`)) done.push(doneOf(answer))
  t.equal(answer.text, (await (await plain.client()).get(`/staking-balance/${address}`)).text, 'the position is whole in the end')
  t.ok(done.length >= 2, `answers on the way: ${done}`)
  t.same(
    done,
    done.toSorted((a, b) => a - b),
    'each is as far as the one before, or further',
  )
  t.ok(done.at(-1)! > done[0]!)
  t.equal(new Set(endpoint.ranges).size, endpoint.ranges.length, 'no range is asked for twice')
  t.ok(endpoint.most() <= 32, `at once at most: ${endpoint.most()}`)
})

t.test('requests share one first reading, and a subgraph lists the exits meanwhile', async (t) => {
  const endpoint = inTurn(2, { lists: true })
  const service = await stage.serve({ settings: { log_blocks: 2, exits_wait_ms: 20 } })
  t.teardown(() => service.close())
  t.teardown(() => stage.upstream.interfere(null))
  const client = await service.client()
  const all = await Promise.all(Array.from({ length: 5 }, () => client.post('/action/withdraw', leaves.body())))
  for (const each of all)
    t.same(
      callsOf(each).map(({ name }) => name),
      ['updateState', 'claimExitedAssets', 'claimExitedAssets'],
    )
  t.equal(new Set(endpoint.ranges).size, endpoint.ranges.length)
})

t.test('ranges that were read stay read when another fails', async (t) => {
  let failures = 0
  const endpoint = inTurn(0, { fail: (call) => call % 25 === 0 && ++failures <= 3 })
  const service = await stage.serve({ settings: { log_blocks: 4 } })
  t.teardown(() => service.close())
  t.teardown(() => stage.upstream.interfere(null))
  const client = await service.client()
  const refused: number[] = []
  let answer = await client.get(`/staking-balance/${address}`)
  for (; answer.status !== 200 && refused.length < 9; answer = await client.get(`/staking-balance/${address}`)) refused.push(answer.status)
  t.ok(refused.every((status) => status === 502) && refused.length <= 3, `${refused}`)
  t.equal(answer.status, 200)
  t.equal(endpoint.ranges.length - new Set(endpoint.ranges).size, failures, 'only what failed is asked for again')
})

t.test('what was read outlasts a restart, as long as its last block is the chain’s and all of it is there', async (t) => {
  const endpoint = inTurn(0)
  t.teardown(() => stage.upstream.interfere(null))
  const settings = { log_blocks: 7 }
  const path = `/staking-balance/${address}`
  const asked = async () => {
    const service = await stage.serve({ settings })
    t.teardown(() => service.close())
    const before = endpoint.ranges.length
    const { text } = await (await service.client()).get(path)
    await stage.upstream.idle()
    await service.close()
    return { text, ranges: endpoint.ranges.length - before }
  }
  const first = await asked()
  t.ok(first.ranges > 20)
  t.same(await asked(), { text: first.text, ranges: 0 }, 'nothing is read again')
  await world.chain.mine(20)
  const later = await asked()
  t.ok(later.ranges > 0 && later.ranges <= 5, `only what came since: ${later.ranges}`)

  let hash = ''
  answering(stage, ({ method, params }) => {
    if (method !== 'eth_getBlockByNumber' || params[0] === 'latest') return undefined
    hash = `0x${'ab'.repeat(32)}`
    return { result: { number: params[0], timestamp: '0x1', hash } }
  })
  const elsewhere = await stage.serve({ settings })
  t.teardown(() => elsewhere.close())
  const from = stage.upstream.calls.length
  await (await elsewhere.client()).get(path)
  t.not(hash, '', 'it is compared')
  t.match(
    stage.upstream.calls
      .slice(from)
      .map(({ body }) => body)
      .join(),
    /"fromBlock":"0x0"/,
    'on another chain everything is read anew',
  )
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
