import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QuerySpendableBalanceByDenomRequest, QuerySpendableBalanceByDenomResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { PeriodicVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import t from 'tap'
import { bench, celestia, hub, keyOf, startTime } from './support.ts'

const unbondingSeconds = 1_814_400

t.test('undelegated coins come back when their time is over, and not a second before', async (t) => {
  const world = await bench(t)
  await world.run(world.delegate('100000000'))
  await world.run(world.undelegate('40000000'))
  const before = await world.balance()
  const { completionTime } = (await world.client.query.staking.unbondingDelegation(world.address, world.validator)).unbond!.entries[0]!
  t.equal(completionTime.seconds, BigInt(world.chain.latest().timestamp + unbondingSeconds))

  t.match(await world.chain.advance({ seconds: unbondingSeconds - 1 }), { block: 5 })
  t.equal(await world.balance(), before)
  await world.chain.advance({ seconds: 1 })
  t.equal(await world.balance(), before + 40_000_000n)
  await t.rejects(
    world.client.query.staking.unbondingDelegation(world.address, world.validator),
    /Query failed with \(22\): rpc error: code = NotFound desc = unbonding delegation with delegator .* not found for validator .*: key not found/,
  )
})

t.test('there are seven entries at most, those of one block are one, and ids go on counting', async (t) => {
  const world = await bench(t)
  await world.run(world.delegate('100000000'))
  for (let made = 0; made < 7; made++) t.match(await world.run(world.undelegate('1000000')), { code: 0 })
  const eighth = await world.run(world.undelegate('1000000'))
  t.same(eighth, {
    code: 27,
    codespace: 'staking',
    log: 'failed to execute message; message index: 0: too many unbonding delegation entries for (delegator, validator) tuple',
  })
  await t.rejects(world.client.simulate(world.address, [world.undelegate('1')], ''), /too many unbonding delegation entries/)
  const { unbond } = await world.client.query.staking.unbondingDelegation(world.address, world.validator)
  t.same(
    unbond!.entries.map(({ unbondingId }) => unbondingId),
    [1n, 2n, 3n, 4n, 5n, 6n, 7n],
  )
  // The first is due, and one place is free again.
  await world.chain.advance({ seconds: unbondingSeconds - 40 })
  t.match(await world.run(world.undelegate('1000000')), { code: 0 })

  const other = await bench(t, hub, { key: keyOf(2) })
  await other.run(other.delegate('100000000'))
  await other.chain.operations.blocks!.run({ instant: false })
  await other.client.broadcastTxSync(await other.sign(other.undelegate('1000000')))
  await other.client.broadcastTxSync(await other.sign(other.undelegate('2000000'), { sequence: 2 }))
  await other.chain.mine()
  const merged = (await other.client.query.staking.unbondingDelegation(other.address, other.validator)).unbond!.entries
  t.match(merged, [{ balance: '3000000', initialBalance: '3000000', unbondingId: 1n }])
  await other.chain.operations.blocks!.run({ instant: true })
  await other.run(other.undelegate('1000000'))
  const entries = (await other.client.query.staking.unbondingDelegation(other.address, other.validator)).unbond!.entries
  t.equal(entries[1]!.unbondingId, 3n)
})

t.test('an undelegation can be taken back, in part or whole', async (t) => {
  const world = await bench(t)
  await world.run(world.delegate('10000000'))
  await world.run(world.undelegate('4000000'))
  const { block } = world.chain.latest()
  const cancel = (amount: string, creationHeight = BigInt(block)) => ({
    typeUrl: '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation',
    value: { delegatorAddress: world.address, validatorAddress: world.validator, amount: { denom: 'uatom', amount }, creationHeight },
  })
  t.match(await world.run(cancel('1000000')), { code: 0 })
  t.equal((await world.client.getDelegation(world.address, world.validator))!.amount, '7000000')
  t.match(await world.run(cancel('3000001')), { code: 18, log: /greater than the unbonding delegation entry balance/ })
  t.match(await world.run(cancel('1', 2n)), {
    code: 1,
    codespace: 'undefined',
    log: /rpc error: code = NotFound desc = .*entry is not found at block height 2/,
  })
  t.match(await world.run(cancel('3000000')), { code: 0 })
  t.match(await world.run(cancel('1')), { code: 1, codespace: 'undefined', log: /unbonding delegation with delegator .* not found/ })
  t.equal((await world.client.getDelegation(world.address, world.validator))!.amount, '10000000')
})

t.test('an epoch is a day, and a block at its end', async (t) => {
  const { chain } = await bench(t)
  const before = chain.latest()
  t.same(await chain.advance({ epochs: 3 }), { block: before.block + 3, timestamp: before.timestamp + 3 * 86_400 })
  t.same(await chain.mine(2), { block: before.block + 5, timestamp: before.timestamp + 3 * 86_400 + 12 })
  await t.rejects(chain.advance({ epochs: 0 }), { code: 'INVALID_INPUT' })
  await t.rejects(chain.advance({ seconds: 1e9 }), { code: 'INVALID_INPUT' })
})

t.test('the clock lets real time in, and never goes back', async (t) => {
  // So far apart that this test does not take as long, whatever the machine does.
  const { chain } = await bench(t, { ...hub, blockSeconds: 3_600 })
  // Two blocks, the second for the funds, an hour ahead of real time.
  await chain.tick()
  t.equal(chain.latest().block, 2)
  await chain.advance({ seconds: 100 })
  await chain.tick()
  t.equal(chain.latest().block, 3)
  t.equal(chain.latest().timestamp, startTime / 1000 + 3_700)
})

t.test('a jailed validator earns nothing; what is staked with it can still leave', async (t) => {
  const world = await bench(t)
  await world.run(world.delegate('100000000'))
  const { jail, unjail } = world.chain.operations
  t.match(await jail!.run({ seconds: 600 }), { validator: world.validator, status: 'unbonding', jailed: true, tombstoned: false })
  await world.chain.mine()
  const before = await world.pending()
  await world.chain.advance({ epochs: 1 })
  t.equal(await world.pending(), before)
  const { validator } = await world.client.query.staking.validator(world.validator)
  t.match(validator, { jailed: true, status: 2, tokens: '400100000000' })
  const pool = (await world.client.query.staking.pool()).pool!
  t.match(pool, { notBondedTokens: '400100000000', bondedTokens: '600000000000' })
  t.match(await world.run(world.delegate('1000000')), { code: 0 })
  t.match(await world.run(world.undelegate('1000000')), { code: 0 })
  t.match(await unjail!.run({}), { status: 'bonded', jailed: false })
  await t.rejects(unjail!.run({}), { code: 'INVALID_INPUT', message: /is not jailed/ })
  await world.chain.advance({ epochs: 1 })
  t.ok((await world.pending()) > before)
})

t.test('a validator that stays jailed is unbonded in the end, and a slash finds nothing more', async (t) => {
  const world = await bench(t)
  await world.chain.operations.jail!.run({})
  await world.chain.advance({ seconds: unbondingSeconds })
  t.match((await world.client.query.staking.validator(world.validator)).validator, { status: 1, jailed: true })
  const { block } = world.chain.latest()
  await t.rejects(world.chain.operations.slash!.run({}), { code: 'INVALID_INPUT', message: /is unbonded/ })
  t.equal(world.chain.latest().block, block, 'a refused operation makes no block')
})

t.test('signing twice is for ever', async (t) => {
  for (const [genesis, tokens] of [[hub, '380000'] as const, [celestia, '392000'] as const]) {
    const world = await bench(t, genesis)
    t.match(await world.chain.operations.tombstone!.run({}), { jailed: true, tombstoned: true, tokens, status: 'unbonding' })
    await t.rejects(world.chain.operations.unjail!.run({}), { code: 'INVALID_INPUT', message: /stays jailed for ever/ })
    t.match(await world.chain.operations.tombstone!.run({}), { tokens })
    const { QuerySigningInfosRequest: Request, QuerySigningInfosResponse: Response } = await import(
      'cosmjs-types/cosmos/slashing/v1beta1/query'
    )
    const { value } = await world.client.query.queryAbci(
      '/cosmos.slashing.v1beta1.Query/SigningInfos',
      Request.encode({} as never).finish(),
    )
    const { info } = Response.decode(value)
    t.equal(info.filter(({ tombstoned }) => tombstoned).length, 1)
    t.ok(info.every(({ address }) => address.startsWith(`${genesis.prefix}valcons1`)))
  }
})

t.test('who signed twice answers with what has left since, and with nothing that left before', async (t) => {
  const world = await bench(t)
  await world.run(world.delegate('100000000'))
  await world.run(world.undelegate('10000000'))
  const since = world.chain.latest().block + 2
  await world.chain.mine(2)
  await world.run(world.undelegate('20000000'))
  const balances = async () => {
    const { unbond } = await world.client.query.staking.unbondingDelegation(world.address, world.validator)
    return unbond.entries.map(({ balance }) => balance)
  }
  t.match(await world.chain.operations.tombstone!.run({ since }), { tombstoned: true, burned: String })
  t.same(await balances(), ['10000000', '19000000'], 'a twentieth of what left after the evidence')
  await t.rejects(world.chain.operations.tombstone!.run({ since: 10_000 }), { code: 'INVALID_INPUT' })
})

t.test('a slash reaches what is on its way out since the infraction, and no further back', async (t) => {
  const world = await bench(t)
  await world.run(world.delegate('100000000'))
  await world.run(world.undelegate('10000000'))
  const since = world.chain.latest().block + 1
  await world.run(world.undelegate('20000000'))
  await world.chain.operations.slash!.run({ fraction: '0.1', since })
  const { unbond } = await world.client.query.staking.unbondingDelegation(world.address, world.validator)
  t.match(unbond!.entries, [
    { balance: '10000000', initialBalance: '10000000' },
    { balance: '18000000', initialBalance: '20000000' },
  ])
  const left = BigInt((await world.client.getDelegation(world.address, world.validator))!.amount)
  // What the entries gave is not taken from the validator again.
  t.ok(left > 63_000_000n && left < 63_001_000n, `left is ${left}`)
  for (const fraction of ['0', '1.1', '-1', 0.5, 'half']) {
    await t.rejects(world.chain.operations.slash!.run({ fraction }), { code: 'INVALID_INPUT' }, String(fraction))
  }
  await t.rejects(world.chain.operations.slash!.run({ validator: 'cosmosvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zt5x3kt' }), {
    message: /does not exist/,
  })
  await t.rejects(world.chain.operations.slash!.run({ since: 1e6 }), { code: 'INVALID_INPUT' })
})

t.test('a validator that lost everything takes no more delegations', async (t) => {
  const world = await bench(t)
  await world.chain.operations.slash!.run({ fraction: '1' })
  t.match(await world.run(world.delegate('1000000')), { code: 34, codespace: 'staking', log: /invalid \(zero\) ex-rate/ })
})

t.test('coins that are not free yet can be delegated, and neither sent nor paid as a fee', async (t) => {
  const world = await bench(t, hub, { fund: '0' })
  const { chain, client, address, amount, fee } = world
  await chain.operations.vest!.run({ address, amount: '100', kind: 'continuous', seconds: 1_000_000 })
  const spendable = async () => {
    const { QuerySpendableBalanceByDenomRequest: Request, QuerySpendableBalanceByDenomResponse: Response } = await import(
      'cosmjs-types/cosmos/bank/v1beta1/query'
    )
    const request = Request.encode({ address, denom: 'uatom' }).finish()
    return Response.decode((await client.query.queryAbci('/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom', request)).value).balance!
      .amount
  }
  t.equal(await spendable(), '0')
  t.match(await client.getAccount(address), { accountNumber: 8n, sequence: 0n })
  await t.rejects(client.broadcastTxSync(await world.sign(world.delegate('1'))), /spendable balance 0uatom is smaller than 2400uatom/)

  await chain.advance({ seconds: 250_000 })
  t.equal(await spendable(), '25000000')
  const to = 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6'
  t.match(await client.sendTokens(address, to, [amount(30)], fee), {
    code: 5,
    rawLog: /spendable balance .* is smaller than 30000000uatom/,
  })
  // 80 of 100 coins: first those that are not free.
  t.match(await world.run(world.delegate('80000000')), { code: 0 })
  t.match(Number(await spendable()), 20_000_000 - 4800)
  const { accounts } = chain.node!.app.view().state
  t.match(accounts.get(address)!.vesting!, { delegatedVesting: 74_998_800n, delegatedFree: 5_001_200n })
  await chain.advance({ seconds: 750_000 })
  t.equal(await spendable(), String(20_000_000 - 4800))
  // What was free when it was delegated comes back first.
  await world.run(world.undelegate('80000000'))
  await chain.advance({ seconds: unbondingSeconds })
  t.match(accounts.get(address)!.vesting!, { delegatedVesting: 0n, delegatedFree: 0n })
  t.ok(BigInt(await spendable()) >= 100_000_000n - 7200n)
})

t.test('an account that vests by periods frees a part with each, and its transactions take gas for all of them', async (t) => {
  const opened = async (periods: number) => {
    const world = await bench(t, hub, { fund: '0' })
    const { address, chain } = world
    await chain.operations.vest!.run({ address, amount: '365', kind: 'periodic', seconds: 3_650_000, periods })
    await chain.fund(address, '1')
    const ask = async (path: string, request: Uint8Array) => (await world.client.query.queryAbci(path, request)).value
    return {
      ...world,
      account: async () => {
        const value = await ask('/cosmos.auth.v1beta1.Query/Account', QueryAccountRequest.encode({ address }).finish())
        return QueryAccountResponse.decode(value).account!
      },
      spendable: async () => {
        const request = QuerySpendableBalanceByDenomRequest.encode({ address, denom: 'uatom' }).finish()
        const value = await ask('/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom', request)
        return QuerySpendableBalanceByDenomResponse.decode(value).balance!.amount
      },
    }
  }
  const thirds = await opened(3)
  t.equal(await thirds.spendable(), '1000000')
  await thirds.chain.advance({ seconds: 1_216_600 })
  t.equal(await thirds.spendable(), '1000000', 'nothing before a period is over')
  await thirds.chain.advance({ seconds: 100 })
  t.equal(await thirds.spendable(), '122666666', 'then a third')
  await thirds.chain.advance({ seconds: 3_000_000 })
  t.equal(await thirds.spendable(), '366000000', 'and in the end all of it')

  const year = await opened(365)
  const { typeUrl, value } = await year.account()
  t.equal(typeUrl, '/cosmos.vesting.v1beta1.PeriodicVestingAccount')
  const { vestingPeriods } = PeriodicVestingAccount.decode(value)
  let [length, amount] = [0n, 0n]
  for (const period of vestingPeriods) {
    length += period.length
    amount += BigInt(period.amount[0]!.amount)
  }
  t.same([vestingPeriods.length, length, amount], [365, 3_650_000n, 365_000_000n])
  const bytes = PeriodicVestingAccount.encode(PeriodicVestingAccount.fromPartial({ vestingPeriods })).finish().length
  const few = await opened(1)
  const one = PeriodicVestingAccount.decode((await few.account()).value).vestingPeriods
  const fewer = PeriodicVestingAccount.encode(PeriodicVestingAccount.fromPartial({ vestingPeriods: one })).finish().length
  const stake = (world: typeof year) => world.client.simulate(world.address, [world.delegate('1000000')], '')
  t.equal((await stake(year)) - (await stake(few)), 120 * (bytes - fewer))
  const fee = { amount: [{ denom: 'uatom', amount: '30000' }], gas: '5000000' }
  for (const world of [year, few]) await world.client.broadcastTxSync(await world.sign(world.delegate('1000000'), { fee }))
  const exit = (world: typeof year) => world.client.simulate(world.address, [world.undelegate('1')], '')
  const more = (await exit(year)) - (await exit(few))
  t.ok(Math.abs(more - 51 * (bytes - fewer)) <= 60, `${more}: a name or a number may be a byte longer`)
  for (const periods of [0, 11, 'three', undefined])
    await t.rejects(
      year.chain.operations.vest!.run({ address: year.address, amount: '1', kind: 'periodic', seconds: 10, periods }),
      { code: 'INVALID_INPUT', message: /periods/ },
      String(periods),
    )
})

t.test('accounts that vest all at once or never are of their own kinds', async (t) => {
  const world = await bench(t)
  const addresses = await Promise.all([1, 2].map(async (number) => (await bench(t, hub, { key: keyOf(number), fund: '0' })).address))
  const { vest } = world.chain.operations
  await vest!.run({ address: addresses[0], amount: '5', kind: 'delayed', seconds: 1000 })
  await vest!.run({ address: addresses[1], amount: '5', kind: 'permanent' })
  t.match(await world.client.getAccount(addresses[0]!), { address: addresses[0], sequence: 0n })
  // The client's own parser knows no account that is locked for ever; the query for all kinds does.
  await t.rejects(world.client.getAccount(addresses[1]!), /Unsupported type: '\/cosmos.vesting.v1beta1.PermanentLockedAccount'/)
  const { QueryAccountInfoRequest: Request, QueryAccountInfoResponse: Response } = await import('cosmjs-types/cosmos/auth/v1beta1/query')
  const request = Request.encode({ address: addresses[1]! }).finish()
  const { value } = await world.client.query.queryAbci('/cosmos.auth.v1beta1.Query/AccountInfo', request)
  t.match(Response.decode(value).info, { address: addresses[1], accountNumber: 10n, sequence: 0n })
  const locked = () => addresses.map((address) => world.chain.node!.app.view().state.balances.get(`${address}/uatom`))
  t.same(locked(), [5_000_000n, 5_000_000n])
  const { spendableOf } = await import('../src/modules/bank.ts')
  const free = () => addresses.map((address) => spendableOf(world.chain.node!.app.view(), address!))
  t.same(free(), [0n, 0n])
  await world.chain.advance({ seconds: 1000 })
  t.same(free(), [5_000_000n, 0n])
  await t.rejects(vest!.run({ address: world.address, amount: '5', seconds: 1 }), { message: /is an account already/ })
  await t.rejects(vest!.run({ address: addresses[0], amount: '5', kind: 'soon', seconds: 1 }), {
    message: /one of continuous, delayed, permanent/,
  })
})

t.test('what is minted follows the schedule of the chain', async (t) => {
  const world = await bench(t, celestia)
  const { inflationRate, annualProvisions } = await import('../src/modules/mint.ts')
  // Year 3 since October 2023, as published: 2.17 %.
  t.equal(inflationRate(world.chain.node!.app.view()) / 10n ** 14n, 216n)
  const provisions = annualProvisions(world.chain.node!.app.view())
  await world.chain.advance({ epochs: 30 })
  t.equal(annualProvisions(world.chain.node!.app.view()), provisions)
  await world.chain.advance({ seconds: 31_536_000 })
  t.equal(inflationRate(world.chain.node!.app.view()) / 10n ** 14n, 202n)
  t.not(annualProvisions(world.chain.node!.app.view()), provisions)
  for (let year = 0; year < 9; year++) await world.chain.advance({ seconds: 31_536_000 })
  t.equal(inflationRate(world.chain.node!.app.view()), 15n * 10n ** 15n)
})

t.test('the base price goes up with full blocks and down with empty ones, to its floor', async (t) => {
  const world = await bench(t)
  const { updateBasePrice, gasPrice, setBasePrice } = await import('../src/modules/feemarket.ts')
  const ctx = world.chain.node!.app.view()
  const fees = hub.fees.kind === 'feemarket' ? hub.fees : t.fail('a fee market is wanted')
  if (fees === true || fees === false) return
  const price = () => gasPrice(hub, ctx.state) / 10n ** 12n
  updateBasePrice(ctx, fees, 30_000_000n)
  t.equal(price(), 5625n)
  updateBasePrice(ctx, fees, 15_000_000n)
  t.equal(price(), 5625n)
  setBasePrice(ctx.state, 8n * 10n ** 15n)
  updateBasePrice(ctx, fees, 0n)
  t.equal(price(), 7000n)
  for (let block = 0; block < 5; block++) updateBasePrice(ctx, fees, 0n)
  t.equal(price(), 5000n)
  await t.rejects((await bench(t, celestia)).chain.operations['gas-price']!.run({ price: '1' }), { code: 'NOT_SUPPORTED' })
  await t.rejects(world.chain.operations['gas-price']!.run({ price: '0.001' }), {
    code: 'INVALID_INPUT',
    message: /never falls below 0.005/,
  })
})
