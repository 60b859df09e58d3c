import t from 'tap'
import { bench, keypair, PublicKey, StakeProgram, sol, stakeOf } from './support.ts'

t.test('the node tells what cluster it is of, and where it stands', async (t) => {
  const { chain, connection, rpc } = await bench(t)
  t.equal(await connection.getGenesisHash(), 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG')
  t.match(await connection.getVersion(), { 'solana-core': /^\d+\.\d+\.\d+$/ })
  t.match(await rpc('getHealth'), { result: 'ok' })
  const { slot, block, epoch } = chain.latest()
  t.equal(await connection.getSlot(), slot)
  t.equal(await connection.getBlockHeight(), block)
  const info = await connection.getEpochInfo()
  t.match(info, { absoluteSlot: slot, blockHeight: block, epoch, slotsInEpoch: 432_000, slotIndex: slot % 432_000, transactionCount: 0 })
  const schedule = await connection.getEpochSchedule()
  t.match(schedule, { slotsPerEpoch: 432_000, warmup: false })
  t.equal(schedule.getEpoch(slot), epoch)
  t.match(await rpc('getSlot', [{ minContextSlot: slot + 1 }]), { error: { code: -32016, data: { contextSlot: slot } } })
})

t.test('the sysvars agree with what the node says', async (t) => {
  const { chain, connection } = await bench(t)
  await chain.advance({ epochs: 2 })
  const sysvars = ['SysvarC1ock11111111111111111111111111111111', 'SysvarStakeHistory1111111111111111111111111']
  const [clock, history] = await connection.getMultipleAccountsInfo(sysvars.map((address) => new PublicKey(address)))
  const { slot, epoch, timestamp } = chain.latest()
  t.equal(clock!.data.readBigUInt64LE(0), BigInt(slot))
  t.equal(clock!.data.readBigUInt64LE(16), BigInt(epoch))
  t.equal(clock!.data.readBigInt64LE(32), BigInt(timestamp))
  const count = Number(history!.data.readBigUInt64LE(0))
  const epochs = Array.from({ length: count }, (_, index) => Number(history!.data.readBigUInt64LE(8 + 32 * index)))
  t.same(
    epochs,
    Array.from({ length: count }, (_, index) => epoch - 1 - index),
    'contiguous, newest first',
  )
})

t.test('accounts come whole, in slices, and by filters', async (t) => {
  const { chain, connection, wallet, send, rpc } = await bench(t)
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 0 })
  const made = [
    await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol, seed: 'a' }),
    await stakeOf(wallet.publicKey, { vote, lamports: 3n * sol, seed: 'b' }),
  ]
  for (const { instructions } of made) await send(instructions)
  const [first] = made as [(typeof made)[0]]
  const info = await connection.getAccountInfo(first.account)
  t.match(info, { lamports: Number(2n * sol), owner: StakeProgram.programId, executable: false })
  t.equal(info!.data.length, 200)
  const slice = await connection.getAccountInfo(first.account, { dataSlice: { offset: 44, length: 32 } })
  t.same(slice!.data, wallet.publicKey.toBuffer())
  t.equal(await connection.getAccountInfo(keypair(99).publicKey), null)
  t.same(
    (await connection.getMultipleAccountsInfo([keypair(99).publicKey, first.account])).map((account) => account?.lamports),
    [undefined, 2e9],
  )

  const filters = [{ dataSize: 200 }, { memcmp: { offset: 44, bytes: wallet.publicKey.toBase58() } }]
  const mine = await connection.getProgramAccounts(StakeProgram.programId, { filters })
  t.same(mine.map(({ pubkey }) => pubkey.toBase58()).sort(), made.map(({ account }) => account.toBase58()).sort())
  const base64 = { memcmp: { offset: 44, bytes: wallet.publicKey.toBuffer().toString('base64'), encoding: 'base64' as const } }
  const program = StakeProgram.programId.toBase58()
  const { result } = await rpc('getProgramAccounts', [
    program,
    { encoding: 'base64', withContext: true, filters: [base64], dataSlice: { offset: 0, length: 4 } },
  ])
  t.match(result, { context: { slot: Number }, value: [{ account: { space: 200, data: ['AgAAAA==', 'base64'] } }, {}] })
  const five = Array.from({ length: 5 }, () => ({ dataSize: 200 }))
  t.match(await rpc('getProgramAccounts', [program, { filters: five }]), { error: { code: -32602 } })
  t.match(await rpc('getProgramAccounts', [program, {}]), { error: { code: -32600 } }, 'base58 is for short data')
  t.match(await rpc('getAccountInfo', ['abc', { encoding: 'base64' }]), { error: { code: -32602, message: 'Invalid param: WrongSize' } })
  t.match(await rpc('getMultipleAccounts', [Array(101).fill(program), {}]), {
    error: { code: -32602, message: 'Too many inputs provided; max 100' },
  })
  await chain.operations['program-accounts']!.run({ on: false })
  t.match(await rpc('getProgramAccounts', [program, { encoding: 'base64' }]), { error: { code: -32010 } })
})

t.test('rents, minimums, inflation, supply, samples, fees', async (t) => {
  const { chain, connection, rpc, wallet } = await bench(t)
  t.equal(await connection.getMinimumBalanceForRentExemption(200), 2_282_880)
  t.equal(await connection.getMinimumBalanceForRentExemption(80), 1_447_680)
  await chain.operations.rent!.run({ lamports_per_byte: 5080 })
  t.equal(await connection.getMinimumBalanceForRentExemption(200), 328 * 5080, 'which falls step by step')
  t.equal((await connection.getStakeMinimumDelegation()).value, 1_000_000_000)
  t.match(await connection.getInflationRate(), { total: 0.038, validator: 0.038, foundation: 0, epoch: 1060 })
  t.match(await connection.getInflationGovernor(), { initial: 0.08, taper: 0.15 })
  t.match((await connection.getSupply({ excludeNonCirculatingAccountsList: true })).value, { total: 610_000_000_000_000_000 })
  const samples = await connection.getRecentPerformanceSamples(5)
  t.equal(samples.length, 5)
  t.match(samples[0], { numSlots: 171, samplePeriodSecs: 60 })
  await chain.operations['unit-price']!.run({ micro_lamports: 1234 })
  const fees = await connection.getRecentPrioritizationFees({ lockedWritableAccounts: [wallet.publicKey] })
  t.match(fees.at(-1), { prioritizationFee: 1234, slot: await connection.getSlot() })
  t.match(await rpc('getInflationReward', [[wallet.publicKey.toBase58()]]), { result: [null] })
  t.match(await rpc('getInflationReward', [[wallet.publicKey.toBase58()], { epoch: 2000 }]), { error: { code: -32004 } })
})

t.test('validators have stake, commission and credits', async (t) => {
  const { chain, connection } = await bench(t)
  const { vote, identity } = await chain.createValidator({ name: 'operator', commissionBps: 725, stake: 5000n * sol })
  const { current, delinquent } = await connection.getVoteAccounts()
  const row = current.find(({ votePubkey }) => votePubkey === vote)
  t.match(row, { nodePubkey: identity, activatedStake: Number(5000n * sol), commission: 7, epochVoteAccount: true })
  t.equal(row!.epochCredits.at(-1)![0], 1059)
  t.same(delinquent, [])
  const staked = current.reduce((sum, { activatedStake }) => sum + activatedStake, 0)
  t.ok(staked > 400_000_000e9, 'the rest of the cluster is there too')
  const { data } = chain.account(vote)!
  t.equal(data.length, 3762)
  t.equal(Buffer.from(data).readUInt32LE(0), 3, 'version 4')
  t.equal(new PublicKey(data.slice(4, 36)).toBase58(), identity)
  t.equal(Buffer.from(data).readUInt16LE(132), 725)
  await t.rejects(chain.createValidator({ name: 'operator', commissionBps: 0 }), { code: 'INVALID_INPUT' })
  await t.rejects(chain.createValidator({ name: 'greedy', commissionBps: 10_001 }), { code: 'INVALID_INPUT' })
})

t.test('rewards are what the inflation says, so that a rate can be computed', async (t) => {
  const { chain, connection, wallet, send } = await bench(t)
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 500 })
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 50n * sol, seed: 's' })
  await send(instructions)
  await chain.advance({ epochs: 2 })
  const { validator } = await connection.getInflationRate()
  const { total } = (await connection.getSupply()).value
  const { current } = await connection.getVoteAccounts()
  const staked = current.reduce((sum, { activatedStake }) => sum + activatedStake, 0)
  const yearly = ((validator * total) / staked) * 0.95
  const [reward] = await connection.getInflationReward([account])
  const seen = (reward!.amount / (reward!.postBalance - reward!.amount)) * ((365.25 * 86_400) / 151_200)
  t.ok(Math.abs(seen / yearly - 1) < 0.001, `${seen} is ${yearly}`)
})

t.test('tokens are counted', async (t) => {
  const { chain, connection, wallet, rpc } = await bench(t)
  const { mint } = await chain.createStakePool({ name: 'pool', validators: [] })
  const owner = wallet.publicKey.toBase58()
  chain.mintTo(mint, owner, 1_250_000_000n)
  t.equal(chain.tokenBalance(owner, mint), 1_250_000_000n)
  const { value } = await connection.getTokenAccountsByOwner(wallet.publicKey, { mint: new PublicKey(mint) })
  t.equal(value.length, 1)
  const balance = await connection.getTokenAccountBalance(value[0]!.pubkey)
  t.match(balance.value, { amount: '1250000000', decimals: 9, uiAmount: 1.25, uiAmountString: '1.25' })
  t.match((await connection.getTokenSupply(new PublicKey(mint))).value, { amount: '1001250000000' })
  t.match(await rpc('getTokenAccountBalance', [owner]), { error: { code: -32602, message: 'Invalid param: not a Token account' } })
  t.match(await rpc('getTokenAccountsByOwner', [owner, { mint: owner }, { encoding: 'base64' }]), { error: { code: -32602 } })
})

t.test('calls come one by one and in batches; what is none is refused', async (t) => {
  const { chain, rpc } = await bench(t)
  const post = async (body: string) => {
    const answer = await fetch(chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return [answer.status, await answer.text()] as const
  }
  const [, batch] = await post('[{"jsonrpc":"2.0","id":1,"method":"getHealth"},{"jsonrpc":"2.0","id":2,"method":"nothing"}]')
  t.match(JSON.parse(batch), [
    { id: 1, result: 'ok' },
    { id: 2, error: { code: -32601, message: 'Method not found' } },
  ])
  t.match(await post('{'), [200, /-32700/])
  t.match(await post('{}'), [200, /-32600/])
  t.same(await post('{"jsonrpc":"2.0","method":"getHealth"}'), [200, ''])
  t.match(await rpc('getBalance', { a: 1 } as never), { error: { code: -32602 } })
  t.equal((await post(' '.repeat(60_000)))[0], 413)
  t.equal(await (await fetch(`${chain.rpcUrl}/health`)).text(), 'ok')
  t.equal((await fetch(chain.rpcUrl)).status, 405)
})

t.test('a fault is met by clients, and by nobody else', async (t) => {
  const { chain, connection, wallet } = await bench(t)
  chain.fault({ kind: 'error', times: 1 })
  await chain.fund(wallet.publicKey.toBase58(), '1')
  await t.rejects(connection.getSlot())
  t.ok(await connection.getSlot())
})
