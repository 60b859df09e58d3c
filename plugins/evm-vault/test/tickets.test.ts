import type { Player } from '@svc/conformance'
import t from 'tap'
import { claimDelay, vaultContract } from '../sandbox/index.ts'
import { vaultAbi } from '../src/abi.ts'
import { MOST_CLAIMS } from '../src/actions/withdraw.ts'
import { answering, callsOf, ether, lying, payQueue, refuses, reportMore, staked, startObserved, sum, wei } from './support.ts'

const { stage, world } = await startObserved()
t.teardown(() => stage.close())
t.afterEach(() => stage.upstream.interfere(null))
const { chain } = world

const eth = 10n ** 18n

t.test('the first ticket of a vault is 0 and is an exit like any other', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await player.act('unstake', { amount: 4 })
  t.same(
    (await player.position()).objects?.map(({ id }) => id),
    ['0'],
  )
  await refuses(t, player, 'withdraw', {}, 'WITHDRAWAL_NOT_READY')
  await payQueue(world, 5n * eth)
  const processed = await player.position()
  const { timestamp } = callArguments(await claimNow(player))
  t.match(
    processed,
    { withdrawing: '0', objects: [{ id: '0', status: 'deactivating', amount: processed.deactivating }] },
    'processed and not mature',
  )
  t.equal(processed.objects?.[0]?.withdrawableAt, new Date((Number(timestamp) + claimDelay) * 1000).toISOString())
  const answer = await player.craft('withdraw')
  t.match(answer.json, {
    statusCode: 400,
    code: 'WITHDRAWAL_NOT_READY',
    error: new RegExp(`the first one is at ${processed.objects?.[0]?.withdrawableAt}`),
  })
  await chain.rpc('evm_setNextBlockTimestamp', [Number(timestamp) + claimDelay])
  await chain.mine()
  const mature = await player.position()
  t.match(
    mature,
    { withdrawing: processed.deactivating, deactivating: '0', objects: [{ id: '0', status: 'withdrawable' }] },
    'at its second it is mature',
  )
  const crafted = await player.craft('withdraw')
  t.match(
    callsOf(crafted),
    [{ name: 'claimExitedAssets', args: { positionTicket: 0n, timestamp, exitQueueIndex: 0n } }],
    'one claim needs no multicall',
  )
  await player.act('withdraw')
  t.same((await player.position()).objects, [])

  /** What a claim of the first exit would say, matured or not. */
  async function claimNow({ wallet }: Player) {
    const logs = (await chain.rpc('eth_getLogs', [{ address: world.vault, fromBlock: '0x0', toBlock: 'latest' }])) as {
      topics: string[]
      blockTimestamp: string
    }[]
    return logs.find(({ topics }) => topics[2]?.endsWith(wallet.address.slice(2).toLowerCase()) && topics[0]?.startsWith('0x211091c5'))!
  }
  function callArguments({ blockTimestamp }: { blockTimestamp: string }) {
    return { timestamp: BigInt(blockTimestamp) }
  }
})

t.test('an exit that is processed in part is withdrawn in part, under one identifier after the other', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await player.act('unstake', { amount: 6 })
  const [before] = (await player.position()).objects!
  await payQueue(world, 2n * eth)
  await chain.moveTime(claimDelay)
  await chain.mine()
  const partly = await player.position()
  t.ok(wei('2') - wei(partly.withdrawing) < 3n, `what arrived, but for the price's rounding: ${partly.withdrawing}`)
  t.same(
    partly.objects?.map(({ id, status, amount }) => ({ id, status, amount })),
    [{ id: before!.id, status: 'withdrawable', amount: partly.withdrawing }],
    'is the object',
  )
  t.ok(
    wei('4') - wei(partly.deactivating) < 10n ** 15n && wei(partly.deactivating) > 0n,
    `the rest is in its bucket alone: ${partly.deactivating}`,
  )
  await player.act('withdraw')
  const rest = await player.position()
  t.equal(rest.withdrawing, '0')
  t.equal(rest.objects?.length, 1)
  t.ok(BigInt(rest.objects![0]!.id) > BigInt(before!.id), 'the rest has a ticket of its own')
  await refuses(t, player, 'withdraw', {}, 'WITHDRAWAL_NOT_READY')
  await payQueue(world, 10n * eth)
  const ready = await player.position()
  t.match(ready.objects, [{ id: rest.objects![0]!.id, status: 'withdrawable', amount: ready.withdrawing }], 'its delay does not begin anew')
  await player.act('withdraw')
  t.same((await player.position()).objects, [])
})

t.test('exits that only the pending harvest makes claimable are withdrawn with it', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await player.act('unstake', { amount: 1 })
  await player.act('unstake', { amount: 2 })
  await world.control('vault', 'sweep')
  await chain.moveTime(claimDelay)
  await refuses(t, player, 'withdraw', {}, 'WITHDRAWAL_NOT_READY')
  await chain.fund(world.vault, 100n * eth)
  await reportMore(world)
  const { withdrawing, objects } = await player.position()
  t.equal(objects?.length, 2)
  t.ok(
    objects!.every(({ status }) => status === 'withdrawable'),
    'the balance shows what withdraw will do',
  )
  const crafted = await player.craft('withdraw')
  t.same(
    callsOf(crafted).map(({ name }) => name),
    ['updateState', 'claimExitedAssets', 'claimExitedAssets'],
  )
  const { hash } = await player.act('withdraw')
  const { logs } = (await chain.rpc('eth_getTransactionReceipt', [hash])) as { logs: { topics: string[]; data: string }[] }
  const paid = logs.filter(({ topics }) => topics[0]?.startsWith('0xeb3b05c0')).map(({ data }) => BigInt(`0x${data.slice(130)}`))
  t.equal(sum(...paid.map(ether)), withdrawing, 'to the wei')
})

t.test('exits for another receiver are the receiver’s', async (t) => {
  const [player, receiver] = [await stage.player(), await stage.player()]
  await staked(player, 10)
  await world.act(player.wallet.address, 'enterExitQueue', [eth, receiver.wallet.address])
  t.same((await player.position()).objects, [])
  t.equal((await receiver.position()).objects?.length, 1)
  await receiver.advance({ epochs: 2 })
  await receiver.act('withdraw')
})

t.test('what strangers put into the queue for a receiver keeps him from nothing: the exits that pay most are withdrawn', async (t) => {
  const [stranger, receiver] = [await stage.player(), await stage.player()]
  await staked(stranger, 10)
  await staked(receiver, 10)
  const dust = async (count: number) => {
    const one = vaultContract.abi.encodeFunctionData('enterExitQueue', [10n ** 12n, receiver.wallet.address])
    await world.act(stranger.wallet.address, 'multicall', [Array.from({ length: count }, () => one)])
  }
  await dust(150)
  await receiver.act('unstake', { amount: 3 })
  await dust(150)
  await receiver.act('unstake', { amount: 2 })
  await receiver.advance({ epochs: 2 })
  const before = await receiver.position()
  t.equal(before.objects?.length, 302)
  const crafted = await receiver.craft('withdraw')
  t.equal(callsOf(crafted).length, 2, 'the dust is left where it is')
  const { gasLimit } = (crafted.json as { payload: { gasLimit: string } }).payload
  t.ok(Number(gasLimit) < 500_000, `${Number(gasLimit)} gas`)
  await receiver.act('withdraw')
  const after = await receiver.position()
  t.equal(after.objects?.length, 300)
  t.ok(wei('5') - (wei(before.withdrawing) - wei(after.withdrawing)) < 10n ** 10n, 'both are paid')
  t.equal(callsOf(await receiver.craft('withdraw')).length, MOST_CLAIMS, 'once nothing else is there the dust can be had, in parts')
})

t.test('the subgraph has no say in what an exit is: it adds an estimate, and nothing where it lies or is down', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await player.act('unstake', { amount: 3 })
  const honest = await player.position()
  t.match(honest.objects, [{ withdrawableAt: /Z$/ }], 'an estimate while it waits')
  type Row = Record<string, unknown>
  lying(stage, 'Exits', ({ _meta, exitRequests: [row] }: { _meta: object; exitRequests: Row[] }) => ({
    _meta,
    exitRequests: [
      { ...row, isClaimable: true, exitedAssets: '99', totalTickets: '1', withdrawalTimestamp: null },
      { ...row, positionTicket: '123456789' },
    ],
  }))
  const lied = await player.position()
  t.same({ ...lied, objects: null }, { ...honest, objects: null })
  t.same(
    lied.objects?.map(({ id, amount, withdrawableAt }) => [id, amount, withdrawableAt]),
    [[honest.objects![0]!.id, honest.objects![0]!.amount, null]],
  )
  for (const nonsense of [null, [], {}, { exitRequests: null }, { exitRequests: [{}] }, { exitRequests: [{ positionTicket: 'x' }] }]) {
    lying(stage, 'Exits', ({ _meta }: { _meta: object }) => (nonsense && !Array.isArray(nonsense) ? { _meta, ...nonsense } : nonsense))
    t.equal((await player.position()).objects?.length, 1, JSON.stringify(nonsense))
  }
  for (const expected of ['-5', '253402300800', '8640000000001', `1${'0'.repeat(30)}`, '1.5', 7]) {
    lying(stage, 'Exits', ({ _meta, exitRequests: [row] }: { _meta: object; exitRequests: Row[] }) => ({
      _meta,
      exitRequests: [{ ...row, withdrawalTimestamp: expected }],
    }))
    t.match(await player.position(), { objects: [{ withdrawableAt: null }] }, `no estimate: ${expected}`)
  }
  await refuses(t, player, 'withdraw', {}, 'WITHDRAWAL_NOT_READY')
})

t.test('where endpoints serve no logs, the subgraph lists the exits and the vault decides on each', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await player.act('unstake', { amount: 1 })
  await player.act('unstake', { amount: 2 })
  await player.advance({ epochs: 2 })
  const expected = await player.position()
  const withoutLogs = ({ method }: { method: string }) =>
    method === 'eth_getLogs' ? { error: { code: -32_601, message: 'the method eth_getLogs does not exist' } } : undefined
  answering(stage, withoutLogs)
  const service = await stage.serve()
  t.teardown(() => service.close())
  const client = await service.client()
  const path = `/staking-balance/${player.wallet.address}`
  t.same((await client.get(path)).json, (await player.client.get(path)).json, 'the same position')
  t.equal(expected.objects?.length, 2)
  const crafted = await client.post('/action/withdraw', player.body())
  t.equal(callsOf(crafted).length, 2, crafted.text)

  const alone = await stage.serve({ further: { subgraph: null } })
  t.teardown(() => alone.close())
  const refused = await (await alone.client()).get(path)
  t.match(refused.json, { statusCode: 502, code: 'UPSTREAM_ERROR' }, 'without both there is no balance')
})

t.test('a checkpoint without shares is a false answer, since the queue takes none and what is paid is divided by them', async (t) => {
  const { topicHash } = vaultAbi.interface.getEvent('CheckpointCreated')!
  const log = (blockNumber: string) => ({
    address: world.vault,
    topics: [topicHash],
    data: `0x${'00'.repeat(64)}`,
    blockNumber,
    logIndex: '0x0',
    removed: false,
  })
  const { address } = (await stage.player()).wallet
  answering(stage, ({ method, params }) =>
    method === 'eth_getLogs' ? { result: [log((params as unknown as { fromBlock: string }[])[0]!.fromBlock)] } : undefined,
  )
  const service = await stage.serve({ further: { subgraph: null } })
  t.teardown(() => service.close())
  const { json } = await (await service.client()).get(`/staking-balance/${address}`)
  t.match(json, { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

/** No endpoint serves logs, and the subgraph's list is changed. */
function onlyListed(change: (data: { _meta: object; exitRequests: Record<string, unknown>[] }) => unknown): void {
  stage.upstream.interfere(async ({ body, url }, pass) => {
    const answer = (await (await pass()).json()) as { id: number; data: never } | { id: number }[]
    if (url.includes('subgraph')) return Response.json(body.includes('Exits') ? { data: change((answer as { data: never }).data) } : answer)
    const calls = [JSON.parse(body)].flat() as { id: number; method: string }[]
    const refused = [answer]
      .flat()
      .map((each) =>
        calls.find(({ id }) => id === each.id)?.method === 'eth_getLogs'
          ? { jsonrpc: '2.0', id: each.id, error: { code: -32_000, message: 'no logs here' } }
          : each,
      )
    return Response.json(Array.isArray(answer) ? refused : refused[0])
  })
}

t.test('in place of logs the subgraph’s list counts while it is fresh and can be: what it leaves out is not nothing', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await player.act('unstake', { amount: 2 })
  await player.advance({ epochs: 2 })
  const service = await stage.serve()
  t.teardown(() => service.close())
  const client = await service.client()
  const path = `/staking-balance/${player.wallet.address}`
  const honest = await player.position()
  onlyListed(({ _meta, exitRequests: [row] }) => ({ _meta, exitRequests: [row, row] }))
  const [, twice] = /"stake_withdrawing_amount":([\d.]+)/.exec((await client.get(path)).text)!
  t.equal(twice, honest.withdrawing, 'an exit that is listed twice counts once')
  const { timestamp } = await chain.latest()
  const lag = { block: { timestamp: timestamp - 1000 }, hasIndexingErrors: false }
  for (const [how, change] of [
    ['old', (data) => ({ ...data, _meta: lag })],
    ['without a head', ({ exitRequests }) => ({ exitRequests })],
    ['a ticket too large', ({ _meta, exitRequests: [row] }) => ({ _meta, exitRequests: [{ ...row, positionTicket: `${2n ** 256n}` }] })],
    ['a negative ticket', ({ _meta, exitRequests: [row] }) => ({ _meta, exitRequests: [{ ...row, positionTicket: '-1' }] })],
    ['a time that is none', ({ _meta, exitRequests: [row] }) => ({ _meta, exitRequests: [{ ...row, timestamp: '9'.repeat(20) }] })],
    ['too long', ({ _meta, exitRequests: [row] }) => ({ _meta, exitRequests: Array.from({ length: 1001 }, () => row) })],
  ] as const satisfies [string, Parameters<typeof onlyListed>[0]][]) {
    onlyListed(change)
    t.match((await client.get(path)).json, { statusCode: 502 }, how)
    t.match((await client.post('/action/withdraw', player.body())).json, { statusCode: 502 }, how)
  }
  const dust = Array.from({ length: 999 }, (_, index) => ({
    positionTicket: `${10n ** 30n + BigInt(index)}`,
    timestamp: '1',
    totalTickets: '1',
    isV2Position: false,
    withdrawalTimestamp: '0',
  }))
  onlyListed(({ _meta, exitRequests: [row] }) => ({ _meta, exitRequests: [row, ...dust] }))
  t.match((await client.get(path)).json, { statusCode: 502 }, 'a list as long as any is not known to be whole')
  t.equal(callsOf(await client.post('/action/withdraw', player.body())).length, 1, 'of which the largest can be withdrawn')
  onlyListed(({ _meta }) => ({ _meta, exitRequests: [] }))
  t.match((await client.post('/action/withdraw', player.body())).json, { statusCode: 502 }, 'an empty list is no proof of nothing')
})

t.test('a list of the subgraph’s that names exits which are not there loses them', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await player.act('unstake', { amount: 1 })
  const { timestamp } = await chain.latest()
  const made = (ticket: bigint) => ({
    positionTicket: `${ticket}`,
    timestamp: `${timestamp}`,
    totalTickets: '5',
    isV2Position: false,
    withdrawalTimestamp: '0',
  })
  onlyListed(({ _meta, exitRequests }) => ({ _meta, exitRequests: [made(0n), ...exitRequests, made(10n ** 24n)] }))
  const service = await stage.serve()
  t.teardown(() => service.close())
  const { json } = await (await service.client()).get(`/staking-balance/${player.wallet.address}`)
  t.equal((json as { staking_objects: object[] }).staking_objects.length, 1)
})

t.test('nodes whose logs lack a time are asked for the block, and the result is the same', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await player.act('unstake', { amount: 1 })
  await player.advance({ epochs: 2 })
  const path = `/staking-balance/${player.wallet.address}`
  const expected = (await player.client.get(path)).text
  stage.upstream.interfere(async ({ url }, pass) => {
    if (url.includes('subgraph')) return pass()
    const text = await (await pass()).text()
    return new Response(text.replaceAll(/,"blockTimestamp":"0x[0-9a-f]+"/g, ''), { headers: { 'content-type': 'application/json' } })
  })
  const service = await stage.serve()
  t.teardown(() => service.close())
  const client = await service.client()
  t.equal((await client.get(path)).text, expected)
  const crafted = await client.post('/action/withdraw', player.body())
  t.equal(crafted.status, 200, crafted.text)
})
