import { assertIsDeliverTxSuccess, BroadcastTxError, GasPrice } from '@cosmjs/stargate'
import t from 'tap'
import { bench, celestia, hub, startTime } from './support.ts'

t.test('the unchanged client stakes, reads, claims and unstakes on a chain with a fee market', async (t) => {
  const { chain, client, address, validator, amount } = await bench(t)
  t.equal(await client.getChainId(), 'cosmoshub-4')
  t.same(await client.getAccount(address), { address, pubkey: null, accountNumber: 8, sequence: 0 })

  const staked = await client.delegateTokens(address, validator, amount(100), 'auto')
  assertIsDeliverTxSuccess(staked)
  t.equal(staked.msgResponses[0]!.typeUrl, '/cosmos.staking.v1beta1.MsgDelegateResponse')
  t.match(await client.getAccount(address), { sequence: 1, pubkey: { type: 'tendermint/PubKeySecp256k1' } })
  t.same(await client.getDelegation(address, validator), { denom: 'uatom', amount: '100000000' })
  t.same(await client.getBalanceStaked(address), { denom: 'uatom', amount: '100000000' })

  await chain.advance({ epochs: 1 })
  const before = await chain.balance(address)
  const claimed = await client.withdrawRewards(address, validator, 'auto')
  assertIsDeliverTxSuccess(claimed)
  const paid = claimed.events.find(({ type }) => type === 'withdraw_rewards')!.attributes[0]!.value
  t.match(paid, /^[1-9]\d*uatom$/)
  const fee = claimed.events.flatMap(({ attributes }) => attributes).find(({ key }) => key === 'fee')!.value
  const tip = claimed.events.flatMap(({ attributes }) => attributes).find(({ key }) => key === 'tip')!.value
  t.equal(await chain.balance(address), before + BigInt(paid.slice(0, -5)) - BigInt(fee.slice(0, -5)) - BigInt(tip.slice(0, -5)))

  assertIsDeliverTxSuccess(await client.undelegateTokens(address, validator, amount(40), 'auto'))
  t.same(await client.getDelegation(address, validator), { denom: 'uatom', amount: '60000000' })
  const { unbond } = await client.query.staking.unbondingDelegation(address, validator)
  t.match(unbond!.entries, [{ balance: '40000000', initialBalance: '40000000', unbondingId: 1n }])

  const found = (await client.getTx(staked.transactionHash))!
  t.match(found, { hash: staked.transactionHash, code: 0, height: staked.height, gasUsed: staked.gasUsed })
  t.same((await client.searchTx([{ key: 'message.sender', value: address }])).length, 3)
  t.same(
    (await client.searchTx(`tx.height>${staked.height}`)).map(({ code }) => code),
    [0, 0],
  )
  const block = await client.getBlock(staked.height)
  t.same(block.txs, [found.tx])
  t.match(block.header, { chainId: 'cosmoshub-4', height: staked.height })
  t.equal((await client.getBlock()).header.height, await client.getHeight())
})

t.test('the unchanged client works on a chain with a fixed price, whose node keeps no index', async (t) => {
  const { chain, client, address, validator, amount, delegate, run } = await bench(t, celestia)
  const gas = await client.simulate(address, [delegate('5000000')], '')
  t.ok(gas > 135_000 && gas < 145_000, `gas of a delegation is ${gas}`)
  await client.signAndBroadcastSync(address, [delegate('5000000')], 'auto')
  t.same(await client.getDelegation(address, validator), amount(5))
  await t.rejects(client.getTx('00'.repeat(32)), /transaction indexing is disabled/)
  t.match(await run(delegate('1000000')), { code: 0 })
  t.equal((await client.query.staking.params()).params!.unbondingTime!.seconds, 1_814_400n)
  t.equal(chain.latest().timestamp, startTime / 1000 + 3 * 6)
})

t.test('fees follow the fee market when the client asks it', async (t) => {
  const { client, chain, address, delegate } = await bench(t)
  await chain.operations['gas-price']!.run({ price: '0.02' })
  Object.assign(client, { gasPrice: { minGasPrice: GasPrice.fromString('0.005uatom'), denom: 'uatom', multiplier: 1.1 } })
  const { code, events } = await client.signAndBroadcast(address, [delegate('1000000')], 'auto')
  t.equal(code, 0)
  const paid = events.find(({ type }) => type === 'coin_spent')!.attributes.find(({ key }) => key === 'amount')!.value
  const fee = BigInt(paid.slice(0, -5))
  t.ok(fee > 4_000n && fee < 5_500n, `the fee is ${fee}`)
})

t.test('a refusal reaches the caller with its code, and the account stays as it is', async (t) => {
  const { client, chain, address, sign, delegate, balance } = await bench(t)
  const bytes = await sign(delegate('1'), { sequence: 5 })
  // Not broadcastTx, whose timer of a minute outlives a refusal.
  await t.rejects(
    client.broadcastTxSync(bytes),
    new BroadcastTxError(32, 'sdk', 'account sequence mismatch, expected 0, got 5: incorrect account sequence'),
  )
  t.equal(await balance(), 1_000_000_000n)
  t.equal((await client.getSequence(address)).sequence, 0)
  t.equal(chain.latest().block, 2)
})

t.test('what the messages refuse is in the block with its code, and the fee is paid all the same', async (t) => {
  const { client, address, validator, amount, balance, fee } = await bench(t)
  const failed = await client.delegateTokens(address, validator, amount(5000), fee)
  t.equal(failed.code, 5)
  t.equal(
    failed.rawLog,
    'failed to execute message; message index: 0: failed to delegate; 999997600uatom is smaller than 5000000000uatom: insufficient funds',
  )
  t.equal(await balance(), 1_000_000_000n - 2400n)
  t.equal((await client.getSequence(address)).sequence, 1)
  t.equal(await client.getDelegation(address, validator), null)
  const none = await client.undelegateTokens(address, validator, amount(1), fee)
  t.match(none, { code: 19, rawLog: /no delegation for \(address, validator\) tuple/ })
  t.match(await client.withdrawRewards(address, validator, fee), { code: 19, rawLog: /no delegation/ })
})

t.test('messages of one transaction take effect together or not at all', async (t) => {
  const { client, address, validator, delegate, fee, undelegate } = await bench(t)
  const failed = await client.signAndBroadcast(address, [delegate('1000000'), undelegate('2000000')], fee)
  t.match(failed, { code: 18, rawLog: /message index: 1: invalid shares amount: invalid request/ })
  t.equal(await client.getDelegation(address, validator), null)
})

t.test('coins are sent, and a new account has the next number', async (t) => {
  const { client, address, fee, amount } = await bench(t)
  const to = 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6'
  t.equal((await client.sendTokens(address, to, [amount(3)], fee)).code, 0)
  t.same(await client.getBalance(to, 'uatom'), amount(3))
  t.same(await client.getAllBalances(to), [amount(3)])
  // One number more than of who came before: the fee market's account was opened by the first fee.
  t.match(await client.getAccount(to), { accountNumber: 10, sequence: 0 })
  const pool = 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'
  t.match(await client.sendTokens(address, pool, [amount(1)], fee), { code: 4, rawLog: /not allowed to receive funds: unauthorized/ })
})

t.test('pages follow each other by their keys', async (t) => {
  const { client, chain } = await bench(t)
  const first = await client.query.staking.validators('BOND_STATUS_BONDED')
  t.equal(first.validators.length, 2)
  t.equal(first.pagination!.nextKey.length, 0)
  const { paginate } = await import('../src/queries/pagination.ts')
  const entries = chain
    .node!.app.view()
    .state.balances.entries()
    .map(([key, value]) => [Buffer.from(key), value] as const)
  const seen: bigint[] = []
  let key = new Uint8Array()
  do {
    const { items, pagination } = paginate(entries, { key, offset: 0n, limit: 2n, countTotal: false, reverse: false })
    seen.push(...items)
    key = pagination.nextKey as Uint8Array<ArrayBuffer>
  } while (key.length > 0)
  t.same(
    seen,
    entries.map(([, value]) => value),
  )
  const { items, pagination } = paginate(entries, { key, offset: 1n, limit: 1n, countTotal: true, reverse: true })
  t.same(items, [entries.at(-2)![1]])
  t.equal(pagination.total, BigInt(entries.length))
  t.throws(() => paginate(entries, { key: new Uint8Array([1]), offset: 1n, limit: 1n, countTotal: false, reverse: false }), {
    name: 'QueryError',
    message: /either offset or key is expected/,
  })
})

t.test('an account without coins does not exist', async (t) => {
  const { client, address } = await bench(t, hub, { fund: '0' })
  t.equal(await client.getAccount(address), null)
  t.same(await client.getBalance(address, 'uatom'), { denom: 'uatom', amount: '0' })
  await t.rejects(client.getSequence(address), /does not exist on chain/)
})
