import { startStage } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { layouts } from '@svc/intent-svm-liquid'
import t from 'tap'
import { commissionBps, scenarios } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { onChain, withDepositAuthority, withWithdrawAuthority } from './chain.ts'

const SOMEBODY = 'mBKqcnGotbsSb5vNrdyhzZ5EhqZdids9QYiTRckvi7v'
const { scenario, chain } = onChain()
const stage = await startStage({ plugin, scenario, family: svmFamily })
t.teardown(() => stage.close())
const player = await stage.player()
await player.act('stake', { amount: 100 })
const wallet_address = player.wallet.address

interface Crafted {
  readonly calls: readonly { readonly method: string; readonly args: Readonly<Record<string, unknown>> }[]
}

/** What a craft response does. */
function read(json: unknown): Crafted['calls'] {
  return stage.kit.decode(json as never, { signers: [], calls: [], layouts: layouts(stage.direct.network) }, stage.direct.network, {}).calls
}

async function memoOf(settings: Readonly<Record<string, unknown>>): Promise<unknown> {
  const service = await stage.serve({ settings })
  t.teardown(() => service.close())
  const client = await service.client()
  const answer = await client.post('/action/stake', { wallet_address, amount: 1 })
  t.equal(answer.status, 200, answer.text)
  return read(answer.json).at(-1)?.args.memo
}

t.test('a deposit is directed to the validator of the settings by its last instruction, with the code before it', async (t) => {
  const { validator } = chain().settings
  t.equal(await memoOf({}), `direct:${validator}`)
  t.equal(await memoOf({ referral_code: 'svc-1' }), `ref:svc-1&direct:${validator}`)
})

t.test('with a token account for the referral fee that one gets it', async (t) => {
  const { managerFeeAccount } = chain().record()
  const service = await stage.serve({ settings: { referral_account: managerFeeAccount } })
  t.teardown(() => service.close())
  const answer = await (await service.client()).post('/action/stake', { wallet_address, amount: 1 })
  const deposit = read(answer.json).find(({ method }) => method.startsWith('StakePool.DepositSol('))
  t.equal(deposit?.args.referralFee, managerFeeAccount)
  t.not(deposit?.args.poolTokensTo, managerFeeAccount)
})

t.test('a member that the endpoint does not have is named, also one of native staking', async (t) => {
  for (const action of ['stake', 'unstake']) {
    const answer = await player.craft(action, { amount: 1, nonce_account_address: SOMEBODY })
    t.match(answer.json, { statusCode: 400, error: /nonce_account_address/ }, action)
  }
})

t.test('terms are those of the scenario', async (t) => {
  const first = (await stage.client.get('/staking-info')).json
  t.match(first, {
    stake_activation_max_time: 0,
    withdrawal_max_time: 0,
    withdrawal_fee: 0.3,
    max_slashing_percentage: 0,
    min_stake_amount: '0.003',
    max_stake_amount: null,
    users: null,
    tvl_usd: null,
    tvl_token: null,
  })
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  await stage.world.advance({ epochs: 2 })
  const info = await stage.protocol.info(ctx)
  const commission = commissionBps / 100
  t.equal(info.rewardFeePercent, commission + 5 - (commission * 5) / 100)
  // 432,000 slots of 350 ms, of which a sample of a minute has a whole number.
  t.ok(info.deactivationMinutes! >= 2520 && info.deactivationMinutes! < 2530, `${info.deactivationMinutes}`)
  t.ok(info.aprPercent! > 0.1 && info.aprPercent! < 20, `${info.aprPercent}`)
  t.ok(info.apyPercent! > info.aprPercent!)
  const { validator: _, ...without } = ctx.network
  t.equal((await stage.protocol.info({ ...ctx, network: without })).rewardFeePercent, 5)
})

t.test('balance and crafts stay within their waves', async (t) => {
  const waves = async (run: () => Promise<unknown>) => (await stage.upstream.measure(run)).usage
  // One for the accounts, of which the clock tells how old the head is, and one that tells who the node is.
  t.match(await waves(() => stage.client.get(`/staking-balance/${wallet_address}`)), { waves: 1, calls: 2 })
  t.equal((await waves(() => player.craft('stake', { amount: 1 }))).waves, 2)
  t.equal((await waves(() => player.craft('unstake', { amount: 1 }))).waves, 2)
})

t.test('a pool that is not the one of the settings is a 502 that says so', async (t) => {
  const { pool, validator } = chain().settings
  for (const [settings, why] of [
    [{ pool: SOMEBODY }, /there is no account/],
    [{ pool: validator }, /belongs to Vote1/],
    [{ mint: SOMEBODY }, /has the token .* and not mBKq/],
    [{ program: SOMEBODY }, /and not to the stake pool program mBKq/],
    [{ token_program: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' }, /has a token of the program Tokenkeg/],
    [{ pool: chain().record().validatorList }, /is no stake pool/],
  ] as const) {
    const ctx = stage.connect()
    const found = stage.protocol.balance({ ...ctx, network: { ...ctx.network, ...settings } }, wallet_address)
    await t.rejects(found, { statusCode: 502, code: 'POOL_UNREADABLE', message: why })
    await stage.kit.close?.(ctx.client)
  }
  t.ok(pool)
})

t.test('on mainnet-beta pool, token and program are known', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  const { pool: _, mint: __, program: ___, ...without } = ctx.network
  t.same(await stage.protocol.balance({ ...ctx, network: without }, wallet_address), await stage.protocol.balance(ctx, wallet_address))
  const elsewhere = { ...without, pool: SOMEBODY }
  await t.rejects(stage.protocol.balance({ ...ctx, network: elsewhere }, wallet_address), { message: /have to name mint\./ })
})

t.test('an operator hears of settings that do not fit', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  const inspected = (settings: object) => stage.protocol.inspect({ ...ctx, network: { ...ctx.network, ...settings } })
  const { managerFeeAccount, validatorList } = chain().record()
  await t.resolves(inspected({}))
  await t.resolves(inspected({ referral_account: managerFeeAccount }))
  await t.rejects(inspected({ referral_account: wallet_address }), { message: /is no token account of the pool's token/ })
  await t.rejects(inspected({ validator: wallet_address }), { message: /is no vote account/ })
  await t.rejects(inspected({ pool: SOMEBODY }), { message: /there is no account mBKq/ })
  await t.rejects(inspected({ pool: validatorList }), { message: /is no stake pool/ })
  await t.rejects(inspected({ chainId: 'localnet', pool: undefined, mint: undefined, program: undefined }), {
    message: /localnet: its settings have to name pool, mint, program/,
  })
  const { svm, settings } = chain()
  const before = Buffer.from(svm.account(settings.pool)!.data)
  for (const [edit, why] of [
    [withDepositAuthority(SOMEBODY), /deposits need a signature of mBKq/],
    [withWithdrawAuthority(SOMEBODY), /withdrawals need a signature of mBKq/],
  ] as const) {
    chain().change(edit)
    await t.rejects(inspected({}), { message: why })
    svm.setAccount(settings.pool, { data: before })
  }
})

t.test('there is a scenario for each cluster', async (t) => {
  t.same(
    scenarios.map((each) => each.chain),
    ['svm:mainnet-beta', 'svm:devnet'],
  )
})
