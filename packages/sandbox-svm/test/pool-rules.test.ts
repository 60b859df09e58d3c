import { ComputeBudgetProgram, type PublicKey as Key, type TransactionInstruction } from '@solana/web3.js'
import fc from 'fast-check'
import t from 'tap'
import { addressOf } from '../src/keys.ts'
import { keypair, SystemProgram, sol } from './support.ts'
import { custom, fee, withPool } from './support-pool.ts'

t.test('out of compute units, nobody looking first, it costs the fee and no more', async (t) => {
  const { connection, wallet, signed, raw, deposit, create, send } = await withPool(t)
  await send([create])
  const before = await connection.getBalance(wallet.publicKey)
  const bytes = await signed([ComputeBudgetProgram.setComputeUnitLimit({ units: 9_000 }), deposit(sol)])
  await raw(bytes, { skipPreflight: true })
  t.equal(await connection.getBalance(wallet.publicKey), before - 5000)
})

t.test('a transaction that fails changes nothing of the pool', async (t) => {
  const { connection, create, deposit, wallet, signed, raw, totals, chain, made } = await withPool(t)
  const before = { ...totals(), reserve: chain.account(made.reserve)!.lamports }
  const balance = await connection.getBalance(wallet.publicKey)
  const broke = SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: keypair(5).publicKey, lamports: 1e12 })
  const { result } = await raw(await signed([create, deposit(sol), broke]), { skipPreflight: true })
  t.match((await connection.getSignatureStatuses([result])).value, [{ err: custom(2, 1) }])
  t.same({ ...totals(), reserve: chain.account(made.reserve)!.lamports }, before)
  t.equal(await connection.getBalance(wallet.publicKey), balance - 5000)
})

t.test('a pool whose epoch is over is refused until it is updated', async (t) => {
  const { chain, made, create, deposit, refusal, send, redeem } = await withPool(t)
  await chain.operations['stale-pool']!.run({ stale: true })
  await chain.advance({ epochs: 1 })
  t.same((await refusal([create, deposit(sol)])).data.err, custom(1, 17))
  t.same((await refusal([create, redeem(sol)])).data.err, custom(1, 17))
  t.match(await chain.operations['stale-pool']!.run({ pool: made.pool, stale: false }), { last_update: chain.latest().epoch })
  await send([create, deposit(sol)])
})

t.test('an epoch brings the pool its rewards, and the manager his fee', async (t) => {
  const { chain, made, totals, state } = await withPool(t, { fees: { epoch: fee(5n, 100n) } })
  const before = totals()
  await chain.advance({ epochs: 1 })
  const after = totals()
  const gain = after.total - before.total
  t.ok(gain > 0n)
  const share = (gain * 5n + 99n) / 100n
  const tokens = (before.supply * share) / (after.total - share)
  t.equal(after.supply, before.supply + tokens)
  t.equal(chain.tokenBalance(made.manager, made.mint), tokens)
  t.equal(String(state().lastEpochTotalLamports), String(before.total))
  t.equal(String(state().lastEpochPoolTokenSupply), String(before.supply))
})

t.test('the manager sets fees: that of deposits at once, the others after two updates, and none that the program refuses', async (t) => {
  const { chain, state } = await withPool(t, { fees: { solWithdrawal: fee(2n, 1_000n) } })
  const set = (name: string, numerator: number, denominator = 1_000) =>
    chain.operations['pool-fee']!.run({ fee: name, numerator, denominator })
  const numeratorOf = (name: 'solDepositFee' | 'solWithdrawalFee' | 'stakeWithdrawalFee' | 'epochFee') => String(state()[name].numerator)
  await set('sol_deposit', 7)
  t.equal(numeratorOf('solDepositFee'), '7')
  await set('sol_withdrawal', 3)
  await set('stake_withdrawal', 3, 2_000)
  await set('epoch', 50)
  for (const before of ['0', '0']) {
    t.equal(numeratorOf('epochFee'), before)
    t.equal(numeratorOf('solWithdrawalFee'), '2')
    await chain.advance({ epochs: 1 })
  }
  t.same([numeratorOf('epochFee'), numeratorOf('solWithdrawalFee'), numeratorOf('stakeWithdrawalFee')], ['50', '3', '3'])
  await t.rejects(set('sol_withdrawal', 5), { code: 'INVALID_INPUT', message: /more than 3 \/ 2/ })
  await t.rejects(set('stake_withdrawal', 9, 2_000), { code: 'INVALID_INPUT' })
  await t.rejects(set('sol_deposit', 1_001), { code: 'INVALID_INPUT' })
  await t.rejects(set('referral', 1), { code: 'INVALID_INPUT', message: /sol_deposit/ })
  await chain.operations['stale-pool']!.run({ stale: true })
  await chain.advance({ epochs: 1 })
  await t.rejects(set('epoch', 1), { code: 'INVALID_INPUT', message: /brought up to date/ })
  await set('sol_deposit', 0)
  t.equal(numeratorOf('solDepositFee'), '0')
})

t.test('what a pool loses is missing at its next update', async (t) => {
  const { chain, totals } = await withPool(t)
  const before = totals()
  await chain.operations.rewards!.run({ on: false })
  t.match(await chain.operations['pool-loss']!.run({ amount: '30' }), { lost: '30' })
  t.same(totals(), before, 'nobody has counted yet')
  await chain.advance({ epochs: 1 })
  t.same(totals(), { total: before.total - 30n * sol, supply: before.supply })
  for (const amount of ['100', '0']) await t.rejects(chain.operations['pool-loss']!.run({ amount }), { code: 'INVALID_INPUT' }, amount)
})

t.test('tokens that a holder has burnt by himself are missing in the supply of the next update', async (t) => {
  const { chain, made, totals } = await withPool(t)
  const { supply } = totals()
  const mint = chain.account(made.mint)!
  const data = Buffer.from(mint.data)
  data.writeBigUInt64LE(supply - 5n, 36)
  chain.setAccount(made.mint, { data })
  t.equal(totals().supply, supply)
  await chain.advance({ epochs: 1 })
  t.equal(totals().supply, supply - 5n)
})

t.test('the reserve can be emptied; what is left can still be taken out as stake', async (t) => {
  const { chain, wallet, made, vote, redeem, redeemStake, refusal, send, totals } = await withPool(t)
  chain.mintTo(made.mint, wallet.publicKey.toBase58(), 10n * sol)
  const { total } = totals()
  t.match(await chain.operations['drain-reserve']!.run({ leave: '0.5' }), { reserve: '0.5', moved: '1009.5' })
  t.equal(totals().total, total)
  t.same((await refusal([redeem(sol)])).data.err, custom(0, 35))
  await send([redeem(sol / 2n)])
  await send((await redeemStake(5n * sol, vote)).instructions)
})

t.test('all of the reserve can be delegated, however nothing is written', async (t) => {
  const { chain, made } = await withPool(t)
  for (const leave of ['0', 0, '0.0', '0.000000000', undefined]) {
    await chain.operations['drain-reserve']!.run({ leave: '0' })
    chain.setAccount(made.reserve, { lamports: chain.account(made.reserve)!.lamports + sol })
    const drained = await chain.operations['drain-reserve']!.run(leave === undefined ? {} : { leave })
    t.match(drained, { reserve: '0', moved: '1' }, String(leave))
    t.equal(chain.account(made.reserve)!.lamports, 2_282_880n)
  }
  for (const leave of ['', '-0', '0.', 1, '0.0000000000'])
    await t.rejects(chain.operations['drain-reserve']!.run({ leave }), { code: 'INVALID_INPUT' }, String(leave))
})

t.test('the program that the stand-in answers for has an account, as the chain has it', async (t) => {
  const { rpc, made } = await withPool(t)
  const config = { encoding: 'base64' }
  const { result } = await rpc('getAccountInfo', [made.program, config])
  t.match(result.value, { executable: true, owner: 'BPFLoaderUpgradeab1e11111111111111111111111', lamports: 1_141_440, space: 36 })
  t.equal(Buffer.from(result.value.data[0], 'base64').readUInt32LE(), 2)
  t.same((await rpc('getMultipleAccounts', [[made.program], config])).result.value, [result.value])
  t.equal((await rpc('getBalance', [made.program])).result.value, 1_141_440)
  t.equal(
    (await rpc('getAccountInfo', ['DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib', config])).result.value,
    null,
    'another program is not there',
  )
})

t.test('the preferred validator comes first, while it has enough', async (t) => {
  const preferred = addressOf('validator second vote')
  const { chain, wallet, made, vote, second, redeemStake, refusal, send } = await withPool(t, { preferredWithdraw: preferred })
  t.equal(second, preferred)
  chain.mintTo(made.mint, wallet.publicKey.toBase58(), 10n * sol)
  t.same((await refusal((await redeemStake(5n * sol, vote)).instructions)).data.err, custom(1, 25))
  await send((await redeemStake(5n * sol, second)).instructions)
})

t.test('authorities that the pool wants must sign', async (t) => {
  const authority = keypair(6)
  const address = authority.publicKey.toBase58()
  const { create, deposit, redeem, refusal, send } = await withPool(t, { solDepositAuthority: address, solWithdrawAuthority: address })
  t.same((await refusal([create, deposit(sol)])).data.err, { InstructionError: [1, 'NotEnoughAccountKeys'] })
  const by = (instruction: TransactionInstruction, pubkey: Key, isSigner: boolean) =>
    ({ ...instruction, keys: [...instruction.keys, { pubkey, isSigner, isWritable: false }] }) as TransactionInstruction
  const stranger = keypair(7).publicKey
  const said = (data: { readonly logs: readonly string[] }) => data.logs.at(-3)
  const other = await refusal([create, by(deposit(sol), stranger, false)])
  t.same(other.data.err, custom(1, 31))
  t.equal(said(other.data), `Program log: Expected ${address}, received ${stranger.toBase58()}`)
  const unsigned = await refusal([create, by(deposit(sol), authority.publicKey, false)])
  t.same(unsigned.data.err, custom(1, 7))
  t.equal(said(unsigned.data), 'Program log: SOL Deposit authority signature missing')
  await send([create, by(deposit(sol), authority.publicKey, true)], authority)
  const elsewhere = await refusal([by(redeem(sol), stranger, false)])
  t.same(elsewhere.data.err, custom(0, 34))
  t.equal(said(elsewhere.data), 'Program log: Instruction: WithdrawSol', 'of which the program says no more than its error')
  const silent = await refusal([by(redeem(sol), authority.publicKey, false)])
  t.same(silent.data.err, custom(0, 7))
  t.equal(said(silent.data), 'Program log: SOL withdraw authority signature missing')
  await send([by(redeem(sol), authority.publicKey, true)], authority)
})

t.test('a limit of compute units that the real program would not fit in is too low here too', async (t) => {
  const { create, deposit, refusal, send, connection, signed } = await withPool(t)
  const limit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units })
  t.same((await refusal([limit(16_000), create, deposit(sol)])).data.err, { InstructionError: [2, 'ComputationalBudgetExceeded'] })
  const bytes = await signed([create, deposit(sol)])
  const { Transaction } = await import('./support.ts')
  const { value } = await connection.simulateTransaction(Transaction.from(bytes))
  t.ok(value.unitsConsumed! > 20_000 && value.unitsConsumed! < 45_000, `${value.unitsConsumed}`)
  await send([limit(value.unitsConsumed!), create, deposit(sol)])
})

t.test('a priority fee is the one of the instructions that were sent', async (t) => {
  const { create, deposit, connection, wallet, send } = await withPool(t)
  await send([create])
  const before = await connection.getBalance(wallet.publicKey)
  await send([ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }), deposit(sol)])
  t.equal(await connection.getBalance(wallet.publicKey), before - 1e9 - 5000 - 203_000)
})

t.test('a simulation shows the pool as it would be', async (t) => {
  const { create, deposit, made, signed, rpc, totals, own } = await withPool(t)
  const before = totals()
  const text = (await signed([create, deposit(sol)])).toString('base64')
  const accounts = { encoding: 'base64', addresses: [made.pool, own.toBase58()] }
  const { result } = await rpc('simulateTransaction', [text, { encoding: 'base64', accounts }])
  const [pool, holding] = result.value.accounts.map((account: { data: [string] }) => Buffer.from(account.data[0], 'base64'))
  t.equal(pool.readBigUInt64LE(258), before.total + sol)
  t.equal(holding.readBigUInt64LE(64), sol)
  t.same(totals(), before)
})

t.test('whoever holds little else still pays one signature only', async (t) => {
  const { chain, connection, wallet, create, deposit, send } = await withPool(t)
  await send([create])
  chain.setAccount(wallet.publicKey.toBase58(), { lamports: sol + 5000n })
  await send([deposit(sol)])
  t.equal(await connection.getBalance(wallet.publicKey), 0)
})

t.test('in and out at any rate never gives more than was put in', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt(10n ** 12n, 10n ** 15n),
      fc.integer({ min: 500, max: 2000 }),
      fc.bigInt(10n ** 6n, 50n * sol),
      async (total, rate, amount) => {
        const supply = (total * BigInt(rate)) / 1000n
        const { chain, wallet, made, create, deposit, redeem, send, connection } = await withPool(t, {
          validators: [],
          deposit: total,
          supply,
        })
        await send([create])
        const before = BigInt(await connection.getBalance(wallet.publicKey))
        const expected = (amount * supply) / total
        await send([deposit(amount)])
        const tokens = chain.tokenBalance(wallet.publicKey.toBase58(), made.mint)
        t.equal(tokens, expected)
        const out = (tokens * (total + amount)) / (supply + tokens)
        await send([redeem(tokens)])
        const after = BigInt(await connection.getBalance(wallet.publicKey))
        t.equal(after, before - amount - 10_000n + out)
        t.ok(out <= amount)
      },
    ),
    { numRuns: 12 },
  )
})
