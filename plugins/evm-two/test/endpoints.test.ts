import type { Client } from '@svc/conformance'
import { formatAmount } from '@svc/contract'
import { Interface, parseEther, toBeHex } from 'ethers'
import t, { type Test } from 'tap'
import { chainConfigAddress, configure, control, poolId, poolOwners, stakingAbi, stakingAddress } from '../sandbox/index.ts'
import { startObserved } from './support.ts'

const { stage, chain } = await startObserved()
t.teardown(() => stage.close())
const staking = new Interface(stakingAbi)

/** One with rewards that nobody has settled, and one with an exit that can be withdrawn. */
const [earns, leaves] = [await stage.player(), await stage.player()]
await leaves.act('delegate', { amount: 7 })
await leaves.advance({ epochs: 1 })
await leaves.act('undelegate')
await leaves.advance({ epochs: 83 })
await earns.act('delegate', { amount: 100 })
await earns.advance({ epochs: 3 })
const { address } = earns.wallet
const CRAFTS = [
  ['delegate', earns.body({ amount: 1 })],
  ['undelegate', earns.body()],
  ['withdraw', leaves.body()],
  ['claim-rewards', earns.body()],
  ['compound-rewards', earns.body()],
] as const
/** Where there is no contract. */
const NOWHERE = '0x00000000000000000000000000000000deadbeef'

/** Everything that asks the chain, as a client of another service answers it. */
async function everything(client: Client): Promise<string[]> {
  const paths = [`/staking-balance/${address}`, `/staking-balance/${leaves.wallet.address}`, '/staking-info']
  const texts = (await Promise.all(paths.map((path) => client.get(path)))).map(({ text }) => text)
  for (const [action, body] of CRAFTS) texts.push((await client.post(`/action/${action}`, body)).text)
  return texts
}

/** A service whose snapshot is of now, on settings that change nothing. */
const plain = await stage.serve()
t.teardown(() => plain.close())
const expected = await everything(await plain.client())

async function serve(t: Test, settings: Readonly<Record<string, unknown>>) {
  const service = await stage.serve({ settings })
  t.teardown(() => service.close())
  t.teardown(() => stage.upstream.interfere(null))
  return service.client()
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
  const client = await serve(t, { multicall: NOWHERE })
  t.same(await everything(client), expected)
  const { usage } = await stage.upstream.measure(() => client.get(`/staking-balance/${address}`))
  t.equal(usage.waves, 1, 'its absence is remembered')
})

t.test('with batches switched off every call travels alone, and nothing waits for another', async (t) => {
  const first = stage.upstream.calls.length
  const client = await serve(t, { batch_max: 1 })
  t.same(await everything(client), expected)
  t.same(
    bodiesSince(first).filter((body) => body.startsWith('[')),
    [],
  )
  for (const [action, body] of CRAFTS) {
    const { usage } = await stage.upstream.measure(() => client.post(`/action/${action}`, body))
    t.equal(usage.waves, 1, action)
  }
})

t.test('a pool that is written in capitals is the same pool', async (t) => {
  t.same(await everything(await serve(t, { pool_id: `0x${poolId.slice(2).toUpperCase()}` })), expected)
})

t.test('rewards that nobody has settled are what a claim pays, to the wei', async (t) => {
  const player = await stage.player()
  await player.act('delegate', { amount: '1234.567890123456789' })
  await player.advance({ epochs: 4 })
  const { rewards } = await player.position()
  const data = staking.encodeFunctionData('getDelegatorReward', [poolId, player.wallet.address])
  t.equal(BigInt(await chain.call({ to: stakingAddress, data })), 0n, "the contract's own sum has none of it")
  const { hash } = await player.act('claim-rewards')
  const { logs } = (await chain.rpc('eth_getTransactionReceipt', [hash])) as { logs: { topics: string[]; data: string }[] }
  const paid = staking.parseLog(logs[0]!)
  t.equal(paid?.name, 'RewardClaimed')
  t.equal(formatAmount(paid?.args.amount, 18), rewards)
})

/** Lets the simulated claim of a balance fail, and only it. */
function withoutClaims(error: object): void {
  stage.upstream.interfere(async ({ body }, pass) => {
    const parsed = JSON.parse(body)
    const claim = [parsed].flat().find(({ method, params }) => method === 'eth_call' && params[0].data.startsWith('0xf5414023'))
    if (!claim) return pass()
    const passed = [await (await pass()).json()].flat() as { id: number }[]
    const answers = passed.map((each) => (each.id === claim.id ? { jsonrpc: '2.0', id: each.id, error } : each))
    return Response.json(Array.isArray(parsed) ? answers : answers[0])
  })
}

t.test('where a claim cannot be simulated, the recorded accumulator says the same in a second round trip', async (t) => {
  const path = `/staking-balance/${address}`
  const client = await serve(t, {})
  await client.get('/staking-info')
  const [simulated, nothing] = [await client.get(path), await client.get(`/staking-balance/${leaves.wallet.address}`)]
  for (const error of [
    { code: -32_000, message: 'this node simulates no calls from an account' },
    { code: 3, message: 'execution reverted', data: staking.encodeErrorResult('EnforcedPause', []) },
  ]) {
    withoutClaims(error)
    const { result, usage } = await stage.upstream.measure(() => client.get(path))
    t.equal(result.text, simulated.text, JSON.stringify(error))
    t.equal(usage.waves, 2)
    const settled = await stage.upstream.measure(() => client.get(`/staking-balance/${leaves.wallet.address}`))
    t.equal(settled.result.text, nothing.text)
    t.equal(settled.usage.waves, 1, 'which nobody takes for whom nothing waits to be settled')
  }
  withoutClaims({ code: 3, message: 'execution reverted', data: staking.encodeErrorResult('Error', ['No rewards to claim']) })
  const { result, usage } = await stage.upstream.measure(() => client.get(path))
  t.equal(usage.waves, 1)
  t.match(result.json, { stake_rewards_amount: 0 }, 'that there is nothing is an answer')
})

t.test('a claim beside settled rewards and a fresh delegation is counted whole', async (t) => {
  const player = await stage.player()
  await player.act('delegate', { amount: 100 })
  await player.advance({ epochs: 2 })
  // Settles the first, and leaves its rewards.
  await player.act('delegate', { amount: 50 })
  await player.advance({ epochs: 2 })
  const path = `/staking-balance/${player.wallet.address}`
  const simulated = await stage.client.get(path)
  const client = await serve(t, {})
  withoutClaims({ code: -32_000, message: 'no' })
  t.equal((await client.get(path)).text, simulated.text)
  t.match(simulated.json, { staked_amount: 150, stake_activation_amount: 0 })
})

t.test('terms are those of the scenario', async (t) => {
  const service = await stage.serve()
  t.teardown(() => service.close())
  const { json } = await (await service.client()).get('/staking-info')
  const terms = json as Record<string, number | string | null>
  t.match(terms, {
    stake_activation_max_time: 240,
    stake_deactivation_max_time: 20_160,
    withdrawal_max_time: 0,
    staking_reward_fee: 10,
    withdrawal_fee: 0,
    max_slashing_percentage: 0,
    min_stake_amount: '1',
    tvl_usd: null,
  })
  // Twenty pools of 25 million, and a little that was delegated above.
  t.ok(Math.abs(Number(terms.staking_apr) - 16.425) < 1e-3, `${terms.staking_apr}`)
  t.ok(Math.abs(Number(terms.staking_apy) - 17.85016) < 1e-3, `${terms.staking_apy}`)
  t.equal(Number(terms.max_stake_amount) + Number(terms.tvl_token), 50_000_000)
  t.ok(Number(terms.users) >= 3, 'the owner counts')
})

t.test('terms follow the chain', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  const info = () => stage.protocol.info(ctx)
  const during = async (key: string, value: string, back: string, run: () => Promise<void>) => {
    await configure(chain, key, value)
    try {
      await run()
    } finally {
      await configure(chain, key, back)
    }
  }
  for (const off of ['false', 'False'])
    await during('chain.enable_pos_staking', off, 'true', async () => void t.match(await info(), { aprPercent: 0, apyPercent: 0 }, off))
  await during('chain.enable_pos_staking', '', 'true', async () => void t.ok(((await info()).aprPercent ?? 0) > 16, 'unset is on'))
  await during('chain.epoch_duration', '7200000', '14400000', async () => {
    t.match(await info(), { activationMinutes: 120, deactivationMinutes: 84 * 120 })
  })
  for (const nonsense of ['', '0', '999'])
    await during('chain.epoch_duration', nonsense, '14400000', async () => void t.match(await info(), { activationMinutes: 240 }, nonsense))
  await during('staking.delegation_withdraw_effective_epoch', '2', '', async () => void t.match(await info(), { deactivationMinutes: 480 }))
  await during(
    'staking.min_delegator_stake',
    '',
    String(parseEther('1')),
    async () => void t.match(await info(), { minStake: parseEther('1') }),
  )
  await during('staking.max_staking_pool_value', '', String(parseEther('50000000')), async () => {
    const { maxStake, tvl } = await info()
    t.equal(maxStake! + tvl!, parseEther('50000000'))
  })
  await during(
    'staking.max_staking_pool_value',
    '1',
    String(parseEther('50000000')),
    async () => void t.match(await info(), { maxStake: 0n }),
  )
  await during('staking.max_staking_pool_value', 'many', String(parseEther('50000000')), async () => {
    const { maxStake, tvl } = await info()
    t.equal(maxStake, undefined, 'what cannot be read is left out')
    t.ok(tvl! > 0n, 'and the rest is not')
  })
  await control(chain, 'setStatus', poolId, 4)
  t.match(await info(), { aprPercent: 0, apyPercent: 0 }, 'a pool that is not active earns nothing')
  await control(chain, 'setStatus', poolId, 2)
  await control(chain, 'setPaused', true)
  const paused = await info()
  t.same([paused.aprPercent, paused.apyPercent], [undefined, undefined], 'a paused contract does not say')
  t.match(paused, { rewardFeePercent: 10, activationMinutes: 240 })
  await control(chain, 'setPaused', false)
})

t.test('a pool without anything in it has terms all the same', async (t) => {
  await control(chain, 'addPool', toBeHex(99, 32), poolOwners[1], 0, 2_000)
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  const info = await stage.protocol.info({ ...ctx, network: { ...ctx.network, pool_id: toBeHex(99, 32) } })
  t.match(info, { rewardFeePercent: 20, tvl: 0n, maxStake: parseEther('50000000'), users: 1 })
})

t.test('an operator hears of a former pool that the contract does not know, and may start all the same', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  const doubts = (...former: readonly string[]) =>
    stage.protocol.inspectFormer?.({ ...ctx, network: { ...ctx.network, former_validators: former } })
  t.same(await doubts(), [])
  await control(chain, 'addPool', toBeHex(98, 32), poolOwners[1], 0, 2_000)
  const told = await doubts(toBeHex(98, 32), toBeHex(7777, 32))
  t.equal(told?.length, 1)
  t.match(told?.[0], /^former_validators names 0x0{60}1e61, and the chain knows no such pool, .*misspelt/)
})

t.test('an operator hears of settings that are not true', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  await t.resolves(stage.protocol.inspect(ctx))
  const wrong = (changes: object) => stage.protocol.inspect({ ...ctx, network: { ...ctx.network, ...changes } })
  await t.rejects(wrong({ pool_id: toBeHex(7777, 32) }), {
    code: 'SETTINGS_INVALID',
    message: /pool_id 0x0{60}1e61 is not a registered pool/,
  })
  await t.rejects(wrong({ chain_config: NOWHERE }), { message: new RegExp(`chain_config ${NOWHERE} .* they are at ${chainConfigAddress}`) })
  await t.rejects(wrong({ staking: NOWHERE }), { message: /staking 0x0+deadbeef is no staking contract with delegation/ })
  // A contract that answers, and knows no such call: the mainnet's own was like that at first.
  await t.rejects(wrong({ staking: ctx.network.multicall }), { message: /is no staking contract/ })
})

t.test('a contract without delegation is told as such', async (t) => {
  const client = await serve(t, { staking: '0xcA11bde05977b3631167028862bE2a173976CA11' })
  const answer = await client.get(`/staking-balance/${address}`)
  t.match(answer.json, { statusCode: 502, code: 'STAKING_UNREADABLE', error: /could not be read \(currentEpoch\)/ })
})

t.test('fees follow the estimate, with a quarter on top for the limit', async (t) => {
  const gas = async (settings: object) => {
    const client = await serve(t, { ...settings })
    const { json } = await client.post('/action/claim-rewards', earns.body())
    return BigInt((json as { payload: { gasLimit: string } }).payload.gasLimit)
  }
  const estimate = await gas({ gas_limit_percent: 100 })
  t.equal(await gas({}), (estimate * 125n) / 100n)
})
