import type { Player } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import t from 'tap'
import { vaultContract } from '../sandbox/index.ts'
import { condition } from '../src/condition.ts'
import plugin from '../src/index.ts'
import { callsOf, lying, reportMore, send, staked, startObserved, wei, withoutSubgraph } from './support.ts'

const { stage, world } = await startObserved()
t.teardown(() => stage.close())
t.afterEach(async () => {
  stage.upstream.interfere(null)
  await world.harvest()
})

/** Milliseconds that a request waits for the subgraph, by a clock that the test turns. */
const WAIT_MS = 3_600_000

const names = (answer: Parameters<typeof callsOf>[0]) => callsOf(answer).map(({ name }) => name)
/** A service that has seen nothing yet. */
async function cold(further: Readonly<Record<string, readonly string[] | null>> = {}) {
  const service = await stage.serve({ further })
  return { client: await service.client(), close: () => service.close() }
}
/** The state of the vault as a service that has seen nothing yet tells it. */
async function conditionWithout(further: Readonly<Record<string, null>>) {
  const ctx = stage.connect()
  t.teardown(() => plugin.protocol.kit.close?.(ctx.client))
  return condition('subgraph' in further ? { ...ctx, upstream: () => null } : ctx)
}
/** Return data of a call that is refused. */
async function refusalOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => 'none',
    (error: { data?: string }) => error.data,
  )
}

async function indebted(): Promise<Player> {
  const player = await stage.player()
  await staked(player, 100)
  await world.control('vault', 'setOsTokenPosition', player.wallet.address, 10n ** 19n)
  return player
}

t.test('a vault that knows the latest report is left alone', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  t.same(names(await player.craft('stake', { amount: 1 })), ['deposit'])
  t.same(names(await player.craft('unstake', { amount: 1 })), ['enterExitQueue'])
})

t.test('one report behind, the harvest travels along, and the amounts are those after it', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await player.position()
  await reportMore(world, 10n ** 20n)
  const before = await world.read<bigint>('convertToShares', [10n ** 18n])
  const staking = await player.craft('stake', { amount: 1 })
  t.same(names(staking), ['updateStateAndDeposit'])
  const exit = await player.craft('unstake', { amount: 1 })
  t.same(names(exit), ['updateState', 'enterExitQueue'])
  const { shares } = callsOf(exit)[1]!.args as { shares: bigint }
  t.ok(shares < before, 'a share is worth more after the harvest')
  const sent = await send(stage.client, exit.json, player)
  await evmFamily.landed(stage.world.rpcUrl, (sent.json as { tx_hash: string }).tx_hash)
  t.equal(await world.read('convertToShares', [10n ** 18n]), shares, 'and is what the chain computes')
})

t.test('somebody else harvests before the broadcast: the craft still succeeds', async (t) => {
  const player = await stage.player()
  await reportMore(world)
  const { json } = await player.craft('stake', { amount: 1 })
  await world.harvest()
  const before = await world.read<bigint>('getShares', [player.wallet.address])
  const sent = await send(stage.client, json, player)
  await evmFamily.landed(stage.world.rpcUrl, (sent.json as { tx_hash: string }).tx_hash)
  t.ok((await world.read<bigint>('getShares', [player.wallet.address])) > before)
})

t.test('two reports after the craft its harvest is too old, and crafting again mends it', async (t) => {
  const player = await stage.player()
  await reportMore(world)
  const { json } = await player.craft('stake', { amount: 1 })
  await reportMore(world)
  const { payload } = json as { payload: { data: string } }
  const call = { from: player.wallet.address, to: world.vault, data: payload.data, value: 10n ** 18n }
  await world.chain.call(call)
  await reportMore(world)
  t.equal(await refusalOf(world.chain.call(call)), vaultContract.abi.encodeErrorResult('InvalidRewardsRoot'))
  const { hash } = await player.act('stake', { amount: 1 })
  t.match(hash, /^0x/)
})

t.test('a plain deposit goes stale with two reports, and crafting again mends it', async (t) => {
  const player = await stage.player()
  const crafted = await player.craft('stake', { amount: 1 })
  t.same(names(crafted), ['deposit'])
  for (let reports = 0; reports < 2; reports++) await reportMore(world)
  const { payload } = crafted.json as { payload: { data: string } }
  const call = { from: player.wallet.address, to: world.vault, data: payload.data, value: 10n ** 18n }
  t.equal(await refusalOf(world.chain.call(call)), vaultContract.abi.encodeErrorResult('NotHarvested'))
  t.same(names(await player.craft('stake', { amount: 1 })), ['updateStateAndDeposit'])
})

t.test(
  'without the subgraph a vault one report behind is served as it is, two behind it takes no stake and lets no debtor out',
  async (t) => {
    const [player, debtor] = [await stage.player(), await indebted()]
    await staked(player, 10)
    for (const [how, further, told] of [
      ['down', {}, /does not give the values/],
      ['not configured', { subgraph: null }, /no indexer is configured/],
    ] as const) {
      await world.harvest()
      const { client, close } = await cold(further)
      t.teardown(close)
      withoutSubgraph(stage)
      await reportMore(world)
      t.same(names(await client.post('/action/stake', player.body({ amount: 1 }))), ['deposit'], how)
      t.same(names(await client.post('/action/unstake', debtor.body({ amount: 1 }))), ['enterExitQueue'], how)
      await reportMore(world)
      const refused = await client.post('/action/stake', player.body({ amount: 1 }))
      t.match(refused.json, { statusCode: 422, code: 'HARVEST_UNAVAILABLE', error: told }, how)
      const state = conditionWithout(further)
      if ('subgraph' in further)
        t.match(await state, [{ kind: 'pool', id: world.vault, state: 'paused', reason: /behind the oracles/, commissionPercent: 10 }])
      else await t.rejects(state, { statusCode: 502, code: 'VAULT_UNREADABLE' }, 'what the indexer would say is not guessed')
      t.match(
        (await client.post('/action/unstake', debtor.body({ amount: 1 }))).json,
        { statusCode: 422, code: 'HARVEST_UNAVAILABLE' },
        how,
      )
      t.same(
        names(await client.post('/action/unstake', player.body({ amount: 1 }))),
        ['enterExitQueue'],
        'without a debt one leaves all the same',
      )
      stage.upstream.interfere(null)
    }
  },
)

t.test('a subgraph that lags gives the report before, which the vault still takes when it is behind that', async (t) => {
  const player = await stage.player()
  await reportMore(world)
  const older = world.report!
  await reportMore(world)
  lying(stage, 'Harvest', () => ({
    vault: { rewardsRoot: older.rewardsRoot, proofReward: `${older.reward}`, proofUnlockedMevReward: '0', proof: older.proof },
  }))
  const { client, close } = await cold()
  t.teardown(close)
  const crafted = await client.post('/action/stake', player.body({ amount: 1 }))
  t.same(names(crafted), ['updateStateAndDeposit'])
  t.equal((callsOf(crafted)[0]!.args.harvestParams as { rewardsRoot: string }).rewardsRoot, older.rewardsRoot)
  // One report behind, the older one would do nothing.
  await world.harvest(older)
  t.same(names(await client.post('/action/stake', player.body({ amount: 1 }))), ['deposit'])
})

t.test('values that their own proof does not confirm, or of another form, are not used', async (t) => {
  const player = await stage.player()
  for (let reports = 0; reports < 2; reports++) await reportMore(world)
  const right = () => ({
    rewardsRoot: world.report!.rewardsRoot,
    proofReward: `${world.report!.reward}`,
    proofUnlockedMevReward: '0',
    proof: world.report!.proof,
  })
  for (const lie of [
    { ...right(), proofReward: `${world.report!.reward + 1n}` },
    { ...right(), proofUnlockedMevReward: '1' },
    { ...right(), proof: [] },
    { ...right(), rewardsRoot: `0x${'12'.repeat(32)}` },
    { ...right(), proof: null },
    { ...right(), proofReward: Number(world.report!.reward) },
    { ...right(), proofReward: null },
    null,
  ]) {
    lying(stage, 'Harvest', () => ({ vault: lie }))
    const { client, close } = await cold()
    const answer = await client.post('/action/stake', player.body({ amount: 1 }))
    t.match(answer.json, { statusCode: 422, code: 'HARVEST_UNAVAILABLE' }, JSON.stringify(lie))
    stage.upstream.interfere(null)
    await close()
  }
})

t.test('where values are known, a report costs no further round trip', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await reportMore(world)
  const waves = async (action: string) => {
    const { result, usage } = await stage.upstream.measure(() => player.craft(action, { amount: 1 }))
    t.equal(result.status, 200)
    return usage.waves
  }
  t.equal(await waves('unstake'), 3, 'the first craft after a report reads the vault once more')
  t.equal(await waves('unstake'), 2)
  t.equal(await waves('stake'), 2, 'and a deposit with it is crafted once more')
})

const rootOf = (answer: Parameters<typeof callsOf>[0]) => (callsOf(answer)[0]!.args.harvestParams as { rewardsRoot: string }).rewardsRoot

t.test('after a further report the first craft and the first balance go by that one, whatever is remembered', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  for (const first of ['unstake', 'stake', 'balance']) {
    const { client, close } = await cold()
    t.teardown(close)
    await reportMore(world, 10n ** 19n)
    t.equal(rootOf(await client.post('/action/stake', player.body({ amount: 1 }))), world.report!.rewardsRoot, 'is remembered')
    // Two reports behind, the vault would take the remembered one too, until one more is out.
    await reportMore(world, 10n ** 19n)
    const path = `/staking-balance/${player.wallet.address}`
    if (first === 'balance') {
      const [, shown] = /"staked_amount":([\d.]+)/.exec((await client.get(path)).text)!
      const shares = await world.read<bigint>('getShares', [player.wallet.address])
      await world.harvest()
      t.equal(wei(shown!), await world.read('convertToAssets', [shares]), 'the balance is the one after the latest report')
      continue
    }
    const crafted = await client.post(`/action/${first}`, player.body({ amount: 1 }))
    t.equal(rootOf(crafted), world.report!.rewardsRoot, `${first} holds the latest root`)
    const sent = await send(client, crafted.json, player)
    await reportMore(world, 0n)
    await evmFamily.landed(stage.world.rpcUrl, (sent.json as { tx_hash: string }).tx_hash)
    await world.harvest()
  }
})

t.test('what is remembered of the report before serves where the latest does not come', async (t) => {
  const player = await stage.player()
  const { client, close } = await cold()
  t.teardown(close)
  await reportMore(world)
  const before = world.report!.rewardsRoot
  t.equal(rootOf(await client.post('/action/stake', player.body({ amount: 1 }))), before)
  await reportMore(world)
  withoutSubgraph(stage)
  t.equal(rootOf(await client.post('/action/stake', player.body({ amount: 1 }))), before)
  stage.upstream.interfere(null)
  t.equal(rootOf(await client.post('/action/stake', player.body({ amount: 1 }))), world.report!.rewardsRoot)
})

t.test('a subgraph that hangs costs its wait once, and the next one is asked for the values', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await reportMore(world)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  t.teardown(release)
  let asked = 0
  let at = Date.now()
  let turn = 0
  stage.upstream.interfere(({ url, body }, pass) => {
    if (!url.includes('subgraph') || !body.includes('Harvest')) return null
    asked++
    at += turn
    return released.then(pass)
  })
  const service = await stage.serve({ settings: { subgraph_wait_ms: WAIT_MS }, now: () => new Date(at) })
  t.teardown(() => service.close())
  const client = await service.client()
  const goesOn = async () =>
    t.same(names(await client.post('/action/unstake', player.body({ amount: 1 }))), ['enterExitQueue'], 'goes on without')
  const waits = () => service.log.filter(({ msg }) => /subgraph is too slow/.test(String(msg))).length
  t.equal(waits(), 0)
  turn = WAIT_MS
  await goesOn()
  const first = waits()
  t.ok(first > 0, 'the first craft waits')
  // From here on the clock stands still: a craft that waited would wait for longer than this test may take.
  turn = 0
  for (let crafts = 0; crafts < 3; crafts++) await goesOn()
  t.equal(waits(), first, 'the following ones do not')
  t.ok(asked <= 3, `and do not pile questions up after those of the start: ${asked}`)
  await reportMore(world)
  const late = client.post('/action/stake', player.body({ amount: 1 }))
  release()
  t.same(names(await late), ['updateStateAndDeposit'], 'where there is no craft without them, they are waited for')
})

t.test('a subgraph whose values are wrong is passed over for the next, and leaves a line in the log', async (t) => {
  const player = await stage.player()
  await reportMore(world)
  const [honest] = stage.world.endpoints.subgraph!
  stage.upstream.interfere(async ({ url, body }, pass) => {
    if (!url.includes('subgraph/liar') || !body.includes('Harvest'))
      return url.includes('subgraph/liar') ? fetch(honest!, { method: 'POST', body }) : pass()
    return Response.json({
      data: { vault: { rewardsRoot: world.report!.rewardsRoot, proofReward: '1', proofUnlockedMevReward: '0', proof: [] } },
    })
  })
  const { client, close } = await cold({ subgraph: ['http://127.0.0.1:1/subgraph/liar', honest!] })
  t.teardown(close)
  t.same(names(await client.post('/action/stake', player.body({ amount: 1 }))), ['updateStateAndDeposit'])
})
