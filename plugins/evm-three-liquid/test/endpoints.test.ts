import { type Client, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { Interface, id } from 'ethers'
import t, { type Test } from 'tap'
import { control, coreControl, scenario, vaultAbi } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'

const { scenario: observed, chain } = onChain(scenario)
const stage = await startStage({ plugin, scenario: observed, family: evmFamily })
t.teardown(() => stage.close())

const player = await stage.player()
await player.act('delegate', { amount: 1000 })
const leaving = await stage.player()
await leaving.act('delegate', { amount: 1000 })
await leaving.act('undelegate', { amount: 100 })
await leaving.advance({ epochs: 3 })
const request_id = Number((await leaving.position()).objects?.[0]?.id)
const { address } = player.wallet
const CRAFTS = [
  ['delegate', { address, amount: 100 }],
  ['undelegate', { address, amount: 20 }],
  ['withdraw', { address: leaving.wallet.address, request_id }],
] as const
/** Where there is no contract. */
const NOWHERE = '0x00000000000000000000000000000000deadbeef'

/** Everything that asks the chain, as a client of another service answers it. */
async function everything(client: Client): Promise<string[]> {
  const paths = [address, leaving.wallet.address].flatMap((each) => [`/staking-balance/${each}`, `/withdrawal/${each}`])
  const reads = await Promise.all([...paths, '/staking-info'].map((path) => client.get(path)))
  const texts = reads.map(({ text }) => text)
  for (const [action, body] of CRAFTS) texts.push((await client.post(`/action/${action}`, body)).text)
  return texts
}

const plain = await stage.serve()
t.teardown(() => plain.close())
const expected = await everything(await plain.client())

async function serve(t: Test, settings: Readonly<Record<string, unknown>>) {
  const service = await stage.serve({ settings })
  t.teardown(() => service.close())
  return service.client()
}

t.test('every answer is a success to compare with', async (t) => {
  for (const text of expected) t.notMatch(text, /statusCode/)
})

t.test('on a chain without the multicall contract everything is read by single calls, with the same answers', async (t) => {
  const client = await serve(t, { multicall: NOWHERE })
  t.same(await everything(client), expected)
})

t.test('with batches switched off every call travels alone, with the same answers', async (t) => {
  t.same(await everything(await serve(t, { batch_max: 1 })), expected)
  t.same(await everything(await serve(t, { batch_max: 1, multicall: NOWHERE })), expected)
})

t.test('waves stay what they are when a process has warmed up, and a craft never needs more for a batch', async (t) => {
  for (const [action, body] of CRAFTS) {
    const { usage } = await stage.upstream.measure(() => stage.client.post(`/action/${action}`, body))
    t.equal(usage.waves, action === 'undelegate' ? 2 : 1, action)
    t.equal(usage.calls, usage.waves, `${action}: one request a wave`)
  }
})

t.test('terms are those of the scenario', async (t) => {
  const { json } = await stage.client.get('/staking-info')
  const terms = json as Record<string, number | string | null>
  t.match(terms, {
    stake_activation_max_time: 0,
    // Six hours of the vault's and six more.
    stake_deactivation_max_time: 720,
    withdrawal_max_time: 0,
    staking_reward_fee: 19,
    withdrawal_fee: 0.1,
    max_slashing_percentage: 0,
    min_stake_amount: '100',
    max_stake_amount: null,
    users: null,
    tvl_usd: null,
    tvl_token: null,
  })
  // 15.768 % before any fee.
  t.ok(Math.abs(Number(terms.staking_apr) - 15.768 * 0.81) < 1e-9, `${terms.staking_apr}`)
  t.ok(Math.abs(Number(terms.staking_apy) - 100 * ((1 + (0.15768 * 0.81) / 2102.4) ** 2102.4 - 1)) < 1e-6, `${terms.staking_apy}`)
})

t.test('after a day the rates are measured, and agree with the formula where the pool earns what the network does', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  const first = await stage.protocol.info(ctx)
  await stage.world.advance({ epochs: 6 })
  const second = await stage.protocol.info(ctx)
  t.not(second.aprPercent, first.aprPercent)
  t.ok(Math.abs(Number(second.aprPercent) - Number(first.aprPercent)) < 0.01, `${second.aprPercent} and ${first.aprPercent}`)
  t.ok(Math.abs(Number(second.apyPercent) - Number(first.apyPercent)) < 0.01)
  await stage.world.advance({ seconds: 40 * 86_400 })
  await chain().drive(control('setFees', 10_000, 10))
  await stage.protocol.info(ctx)
  await stage.world.advance({ seconds: 10 * 86_400 })
  const later = await stage.protocol.info(ctx)
  await chain().drive(control('setFees', 1_000, 10))
  t.ok(Math.abs(Number(later.apyPercent)) < 1e-6, `what is more than a month ago counts no more: ${later.apyPercent}`)
})

t.test('a delay that is not where it was is left out, unless the operator says it', async (t) => {
  const delay = async (seconds: number, settings: object = {}) => {
    await chain().drive(control('setRedeemDelay', seconds))
    const ctx = stage.connect()
    const { deactivationMinutes } = await stage.protocol.info({ ...ctx, network: { ...ctx.network, ...settings } })
    await stage.kit.close?.(ctx.client)
    return deactivationMinutes
  }
  t.equal(await delay(86_401), 1801, 'rounded up')
  t.equal(await delay(0), undefined)
  t.equal(await delay(31_536_001), undefined)
  t.equal(await delay(0, { redeem_delay_seconds: 3600 }), 420)
  t.equal(await delay(21_600), 720)
})

t.test('where the staking contract cannot be read its fields are left out, and the others are there', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  const values = await stage.protocol.info({ ...ctx, network: { ...ctx.network, staking: NOWHERE } })
  t.match(values, {
    rewardFeePercent: undefined,
    aprPercent: undefined,
    apyPercent: undefined,
    withdrawalFeePercent: 0.1,
    minStake: 10n ** 20n,
  })
})

t.test('with a validator of its own everything goes through the vault of single validators', async (t) => {
  const calls = new Interface(vaultAbi)
  const client = await serve(t, { validator_id: 12, referral_id: 7 })
  await chain().drive(coreControl('setPaused', true))
  const data = async (action: string, body: object) => {
    const answer = await client.post(`/action/${action}`, body)
    t.equal(answer.status, 200, answer.text)
    return calls.parseTransaction({ data: (answer.json as { payload: { data: string } }).payload.data })!
  }
  const deposited = await data('delegate', { address, amount: 100 })
  t.same([deposited.name, ...deposited.args], ['depositMONGVault', address, 12n, 7n])
  const requested = await data('undelegate', { address, amount: 20 })
  t.same([requested.name, ...requested.args.slice(1)], ['requestRedeemGVault', address, address, 12n])
  t.equal((await data('withdraw', { address: leaving.wallet.address, request_id })).name, 'redeemMON')
  t.match((await client.get('/staking-info')).json, { staking_reward_fee: 19 })
  await chain().drive(coreControl('setPaused', false))
  const pooled = await serve(t, { referral_id: 7 })
  const answer = await pooled.post('/action/delegate', { address, amount: 100 })
  t.same([...calls.parseTransaction({ data: (answer.json as { payload: { data: string } }).payload.data })!.args], [address, 7n])
})

t.test(
  'after a change of the validator a redemption may take the stake with the former one, and a deposit goes to the present one',
  async (t) => {
    const calls = new Interface(vaultAbi)
    const argsOf = ({ status, text, json }: { readonly status: number; readonly text: string; readonly json: unknown }) => {
      t.equal(status, 200, text)
      const { name, args } = calls.parseTransaction({ data: (json as { payload: { data: string } }).payload.data })!
      return [name, ...args]
    }
    const before = (await (await plain.client()).get(`/staking-balance/${address}`)).text
    for (const [settings, own] of [
      [{ validator_id: 13, former_validators: [12] }, 13n],
      [{ former_validators: [12] }, null],
    ] as const) {
      const client = await serve(t, settings)
      t.equal((await client.get(`/staking-balance/${address}`)).text, before, 'all of the position is shown')
      const undelegate = (choice: object) => client.post('/action/undelegate', { address, amount: 20, ...choice })
      t.match(argsOf(await undelegate({ validatorId: 12 })), ['requestRedeemGVault', /\d+|/, address, address, 12n])
      t.equal(argsOf(await undelegate({})).at(-1), own ?? address, 'without a name that of the settings')
      t.equal(argsOf(await undelegate({})).length, own === null ? 4 : 5)
      t.match((await undelegate({ validatorId: 99 })).json, {
        statusCode: 400,
        code: 'VALIDATOR_NOT_SERVED',
        error: /99 is none.*a former one: 12\.$/,
      })
      const deposit = await client.post('/action/delegate', { address, amount: 100, validatorId: 12 })
      t.match(deposit.json, { statusCode: 400, code: 'REQUEST_INVALID' }, 'a deposit names none')
    }
    const deposited = argsOf(
      await (await serve(t, { validator_id: 12, former_validators: [13] })).post('/action/delegate', { address, amount: 100 }),
    )
    t.equal(deposited[2], 12n)
    t.match((await (await serve(t, {})).post('/action/undelegate', { address, amount: 20, validatorId: 12 })).json, {
      code: 'VALIDATOR_NOT_SERVED',
      error: /it must be left out\.$/,
    })
  },
)

t.test('a redemption for which one validator has too little stake names the others', async (t) => {
  const short = new Interface(['error ErrInsufficientDelegated(uint256 required, uint256 available)'])
  const refusal = (network: object, choice: object, data = short.encodeErrorResult('ErrInsufficientDelegated', [20n, 5n])) => {
    const input = { address, amount: 20n, ...choice }
    const draft = plugin.protocol.actions.undelegate!.craft({ vault: NOWHERE, former_validators: [], ...network } as never, input, {
      shares: 1n,
    } as never) as { explain(data: string): string | null }
    return draft.explain(data)
  }
  const changed = { validator_id: 13, former_validators: [12, 11] }
  t.match(
    refusal(changed, {}),
    /try again later; or ask for that of another validator of the operator's, 12, 11, as in \{"validatorId":12\}$/,
  )
  t.match(refusal(changed, { validatorId: 12 }), /operator's, 13, 11, as in \{"validatorId":13\}$/)
  t.match(refusal({ validator_id: 13 }, {}), /try again later$/, 'where there is another')
  t.match(refusal(changed, {}, id('ErrZeroShares()').slice(0, 10)), /share is worth$/, 'and no other refusal does')
})

t.test('a validator of its own outside the active set, or about to leave it, takes no deposits, and lets everything out', async (t) => {
  for (const [validator_id, error] of [
    [14, /14 is not in the active set of this epoch, so that stake earns nothing there\.$/],
    [15, /15 is about to leave the active set/],
    [16, /16 is not registered/],
  ] as const) {
    const client = await serve(t, { validator_id })
    t.match((await client.post('/action/delegate', { address, amount: 100 })).json, { statusCode: 400, code: 'VALIDATOR_INACTIVE', error })
    t.equal((await client.post('/action/undelegate', { address, amount: 20 })).status, 200)
    t.equal((await client.post('/action/withdraw', { address: leaving.wallet.address, request_id })).status, 200)
    t.match((await client.get('/staking-info')).json, { staking_apr: 0, staking_apy: 0 }, 'the rate that is shown is the same rule')
  }
})

t.test('the gas limit has room above the estimate', async (t) => {
  const [exact, roomy] = await Promise.all([serve(t, { gas_limit_percent: 100 }), serve(t, {})])
  const limit = async (client: Client) =>
    BigInt(((await client.post('/action/delegate', { address, amount: 100 })).json as { payload: { gasLimit: string } }).payload.gasLimit)
  t.equal(await limit(roomy), ((await limit(exact)) * 130n) / 100n)
})

t.test('a vault that cannot be read is a 502 that says which answer was none', async (t) => {
  const client = await serve(t, { vault: NOWHERE })
  for (const answer of [
    await client.get(`/staking-balance/${address}`),
    await client.get(`/withdrawal/${address}`),
    ...(await Promise.all(CRAFTS.map(([action, body]) => client.post(`/action/${action}`, body)))),
  ])
    t.match(answer.json, { statusCode: 502, code: 'VAULT_UNREADABLE', error: /The vault could not be read: \w+: / })
})

t.test('an operator hears of settings that do not fit', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  const inspected = (settings: object) => stage.protocol.inspect({ ...ctx, network: { ...ctx.network, ...settings } })
  await t.resolves(inspected({}))
  await t.resolves(inspected({ validator_id: 12 }))
  await t.rejects(inspected({ validator_id: 999 }), { message: /validator_id 999 is not a registered validator/ })
  await t.rejects(inspected({ vault: NOWHERE }), { message: /is no vault of Magma/ })
  await t.rejects(inspected({ validator_id: 12, staking: NOWHERE }), { message: /is no staking contract/ })
  await chain().drive(control('setVaults', NOWHERE, NOWHERE, NOWHERE))
  await t.rejects(inspected({}), { message: /names 0x0+DeaDBeef as the vault behind it, which is none/ })
})

t.test('nothing was found in the journeys of the set-up', async (t) => {
  for (const each of [player, leaving])
    t.same(
      each.check.findings.filter(({ ok }) => !ok),
      [],
    )
})
