import { ValidatorListLayout } from '@solana/spl-stake-pool'
import type { PublicKey as Key, TransactionInstruction } from '@solana/web3.js'
import t from 'tap'
import { addressOf } from '../src/keys.ts'
import { deactivate, keypair, StakeProgram, sol, withdraw } from './support.ts'

import { ata, custom, fee, key, ofSize, rent, tokenProgram, unsigned, vector, withPool } from './support-pool.ts'

t.test('a new pool is what the public library reads', async (t) => {
  const { chain, made, state, totals, vote, second, source } = await withPool(t, {
    fees: { epoch: fee(5n, 100n), solDeposit: fee(8n, 10_000n), solWithdrawal: fee(3n, 1000n), solReferral: 50 },
  })
  t.match(state(), { accountType: 1, stakeWithdrawBumpSeed: Number, solReferralFee: 50 })
  t.equal(state().reserveStake.toBase58(), made.reserve)
  t.equal(Number(state().lastUpdateEpoch), chain.latest().epoch)
  t.same([state().epochFee.numerator, state().epochFee.denominator].map(Number), [5, 100])
  const list = ValidatorListLayout.decode(Buffer.from(chain.account(made.validatorList)!.data))
  t.same(
    list.validators.map((entry: { voteAccountAddress: Key }) => entry.voteAccountAddress.toBase58()),
    [vote, second],
  )
  t.equal(chain.account(source(vote).toBase58())!.lamports, 100n * sol + rent)
  t.same(totals(), { total: 1200n * sol + 2n * rent, supply: 1200n * sol + 2n * rent })
  t.equal(made.program, 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy')
  await t.rejects(chain.createStakePool({ name: 'pool' }), { code: 'INVALID_INPUT' })
  await t.rejects(chain.createStakePool({ name: 'other', validators: [made.mint] }), { code: 'INVALID_INPUT' })
})

t.test('a deposit gives the tokens, the referral and the fee that the program gives', async (t) => {
  const { chain, connection, wallet, made, create, deposit, send, totals } = await ofSize(t, {
    fees: { solDeposit: fee(8n, 10_000n), solReferral: 50, solWithdrawal: fee(3n, 1000n) },
  })
  const reserve = chain.account(made.reserve)!.lamports
  await send([create])
  const before = await connection.getBalance(wallet.publicKey)
  await send([deposit(3n * sol)])
  t.equal(await connection.getBalance(wallet.publicKey), before - 3e9 - 5000, 'and one signature is paid for')
  t.equal(chain.tokenBalance(wallet.publicKey.toBase58(), made.mint), 2_448_227_945n + 980_075n, 'his own, and as referrer')
  t.equal(chain.tokenBalance(made.manager, made.mint), 980_076n)
  t.equal(chain.account(made.reserve)!.lamports, reserve + 3n * sol)
  t.same(totals(), { total: vector.total + 3n * sol, supply: vector.supply + 2_450_188_096n })
  t.equal((await connection.getTokenSupply(key(made.mint))).value.amount, String(totals().supply), 'the mint agrees')
})

t.test('a withdrawal burns, pays the fee in tokens, and takes from the reserve', async (t) => {
  const { chain, connection, wallet, made, redeem, send, totals, mint } = await ofSize(t, { fees: { solWithdrawal: fee(3n, 1000n) } })
  chain.mintTo(made.mint, wallet.publicKey.toBase58(), 2_500_000_000n)
  const { total, supply } = totals()
  const before = await connection.getBalance(wallet.publicKey)
  await send([redeem(2_500_000_000n)])
  t.equal(await connection.getBalance(wallet.publicKey), before + 3_051_806_516 - 5000)
  t.equal(chain.tokenBalance(wallet.publicKey.toBase58(), made.mint), 0n)
  t.equal(chain.tokenBalance(made.manager, made.mint), 7_500_000n)
  t.same(totals(), { total: total - 3_051_806_516n, supply: supply - 2_492_500_000n })
  t.equal((await connection.getTokenSupply(mint)).value.amount, String(totals().supply))
})

t.test('stake is taken out as an account of the wallet, to be deactivated and withdrawn', async (t) => {
  const { chain, connection, wallet, made, vote, redeemStake, send, totals } = await withPool(t, {
    fees: { stakeWithdrawal: fee(1n, 1000n) },
  })
  chain.mintTo(made.mint, wallet.publicKey.toBase58(), 5n * sol)
  const { total } = totals()
  const { target, instructions } = await redeemStake(5n * sol, vote)
  await send([...instructions, ...deactivate(wallet.publicKey, target)])
  const taken = 5n * sol - sol / 200n
  const account = chain.account(target.toBase58())!
  t.equal(account.lamports, taken + rent)
  t.same(Buffer.from(account.data.slice(12, 44)), wallet.publicKey.toBuffer())
  t.same(Buffer.from(account.data.slice(44, 76)), wallet.publicKey.toBuffer())
  t.equal(Buffer.from(account.data).readBigUInt64LE(156), taken)
  t.equal(totals().total, total - taken)
  t.equal(chain.tokenBalance(made.manager, made.mint), sol / 200n)
  const list = ValidatorListLayout.decode(Buffer.from(chain.account(made.validatorList)!.data))
  t.equal(String(list.validators[0]!.activeStakeLamports), String(100n * sol + rent - taken))
  await chain.advance({ epochs: 1 })
  const all = chain.account(target.toBase58())!.lamports
  await send(withdraw(wallet.publicKey, target, all))
  t.equal(await connection.getAccountInfo(target), null)
})

t.test('what the program refuses, with its codes', async (t) => {
  const { chain, wallet, made, mint, own, vote, create, deposit, redeem, redeemStake, send, refusal } = await withPool(t)
  await send([create, deposit(sol)])
  chain.mintTo(made.mint, wallet.publicKey.toBase58(), 2000n * sol)
  const why = async (instructions: TransactionInstruction[]) => (await refusal(instructions)).data.err
  const stranger = keypair(9).publicKey
  const holder = addressOf('pool pool holder')
  t.same(await why([deposit(0n)]), custom(0, 29), 'nothing comes of it')
  t.same(await why([redeem(0n)]), custom(0, 28))
  t.same(await why([deposit(sol, { withdrawAuthority: stranger })]), custom(0, 1))
  t.same(await why([deposit(sol, { reserveStake: stranger })]), custom(0, 1))
  t.same(await why([deposit(sol, { managerFeeAccount: own })]), custom(0, 9))
  t.same(await why([redeem(sol, { managerFeeAccount: own })]), custom(0, 9))
  t.same(await why([deposit(sol, { poolMint: own })]), custom(0, 10))
  t.same(await why([deposit(sol, { stakePool: own })]), { InstructionError: [0, 'IncorrectProgramId'] })
  t.same(await why([redeem(4000n * sol)]), custom(0, 35), 'more than the reserve has')
  t.same(await why([redeem(sol, { sourceTransferAuthority: stranger })].map(unsigned(stranger))), {
    InstructionError: [0, 'PrivilegeEscalation'],
  })
  t.same(await why([deposit(1_000_000n * sol)]), custom(0, 1), 'the wallet has it not: System')
  t.same(await why([create, redeem(sol, { sourcePoolAccount: ata(key(holder), mint) })]), custom(1, 4), 'of another owner: Token')
  const half = await redeemStake(sol / 2n, vote)
  t.same(await why(half.instructions), custom(1, 12), 'the stake program wants 1 SOL')
  const much = await redeemStake(100n * sol, vote)
  t.same(await why(much.instructions), custom(1, 23), 'a validator keeps 1 SOL')
  const wrong = await redeemStake(2n * sol, vote, { validatorStake: key(made.reserve) })
  t.same(await why(wrong.instructions), custom(1, 23), 'the reserve, while there is stake')
  const list = await redeemStake(2n * sol, vote, { validatorList: own })
  t.same(await why(list.instructions), custom(1, 8))
})

t.test('an outer instruction fails with the code of an inner one, and the log says whose it is', async (t) => {
  const { chain, wallet, made, vote, redeemStake, refusal } = await withPool(t)
  chain.mintTo(made.mint, wallet.publicKey.toBase58(), 5n * sol)
  const { instructions } = await redeemStake(sol / 2n, vote)
  const { message, data } = await refusal(instructions)
  t.equal(message, 'Transaction simulation failed: Error processing Instruction 1: custom program error: 0xc')
  const lines = data.logs.filter((line) => /invoke|failed|success/.test(line))
  t.same(lines, [
    'Program 11111111111111111111111111111111 invoke [1]',
    'Program 11111111111111111111111111111111 success',
    `Program ${made.program} invoke [1]`,
    `Program ${tokenProgram} invoke [2]`,
    `Program ${tokenProgram} success`,
    `Program ${StakeProgram.programId} invoke [2]`,
    `Program ${StakeProgram.programId} failed: custom program error: 0xc`,
    `Program ${made.program} failed: custom program error: 0xc`,
  ])
})

t.test('the log has the lines of the program', async (t) => {
  const { chain, wallet, made, own, vote, create, deposit, redeem, redeemStake, send, refusal } = await withPool(t)
  await send([create])
  chain.mintTo(made.mint, wallet.publicKey.toBase58(), 5n * sol)
  const said = async (...instructions: TransactionInstruction[]) =>
    (await refusal(instructions)).data.logs.filter((line) => line.startsWith('Program log: ')).map((line) => line.slice(13))
  const slippage = (instruction: TransactionInstruction, type: number) => {
    const more = Buffer.alloc(8, 0xff)
    return { ...instruction, data: Buffer.concat([Buffer.from([type]), instruction.data.subarray(1), more]) } as TransactionInstruction
  }
  const exceeded = 'Error: Instruction exceeds desired slippage limit'
  t.same(await said(slippage(deposit(sol), 25)), ['Instruction: DepositSolWithSlippage', exceeded])
  t.same(await said(slippage(redeem(sol), 26)), ['Instruction: WithdrawSolWithSlippage', exceeded])
  const { instructions } = await redeemStake(2n * sol, vote)
  t.same(await said(instructions[0]!, slippage(instructions[1]!, 24)), ['Instruction: WithdrawStakeWithSlippage', exceeded])
  const [, attempt, ...rest] = await said(redeem(4000n * sol))
  t.match(attempt, /^Attempting to withdraw \d+ lamports, maximum possible SOL withdrawal is 1005000000000 lamports$/)
  t.same(rest, ["Error: Too much SOL withdrawn from the stake pool's reserve account"])
  t.same(await said(deposit(sol, { stakePool: own })), [
    'Instruction: DepositSol',
    `Expected account to be owned by program ${made.program}, received ${tokenProgram}`,
    'Error: IncorrectProgramId',
  ])
})

t.test('what is worth more than 64 bits hold cannot be calculated', async (t) => {
  const { made, create, deposit, redeem, redeemStake, vote, send, refusal, chain, wallet } = await withPool(t, { supply: 10n * sol })
  await send([create])
  chain.mintTo(made.mint, wallet.publicKey.toBase58(), 5n * sol)
  const most = (instruction: TransactionInstruction) => {
    const data = Buffer.concat([instruction.data.subarray(0, 1), Buffer.alloc(8, 0xff)])
    return { ...instruction, data } as TransactionInstruction
  }
  t.same((await refusal([most(redeem(sol))])).data.err, custom(0, 3))
  const { instructions } = await redeemStake(sol, vote)
  t.same((await refusal([instructions[0]!, most(instructions[1]!)])).data.err, custom(1, 3))
  t.same((await refusal([most(deposit(sol))])).data.err, custom(0, 1), 'so many lamports nobody has: System')
  const cheap = await withPool(t, { name: 'cheap', supply: 10n ** 18n, deposit: sol, validators: [] })
  await cheap.send([cheap.create])
  t.same((await cheap.refusal([most(cheap.deposit(sol))])).data.err, custom(0, 3))
})

t.test('slippage is looked at', async (t) => {
  const { wallet, made, create, deposit, redeem, send, refusal, chain } = await withPool(t)
  await send([create])
  chain.mintTo(made.mint, wallet.publicKey.toBase58(), 5n * sol)
  const least = (instruction: TransactionInstruction, type: number, amount: bigint) => {
    const more = Buffer.alloc(8)
    more.writeBigUInt64LE(amount)
    return { ...instruction, data: Buffer.concat([Buffer.from([type]), instruction.data.subarray(1), more]) } as TransactionInstruction
  }
  t.same((await refusal([least(deposit(sol), 25, sol + 1n)])).data.err, custom(0, 39))
  t.same((await refusal([least(redeem(sol), 26, sol + 1n)])).data.err, custom(0, 39))
  t.ok(await send([least(deposit(sol), 25, sol), least(redeem(sol), 26, sol)]))
})

t.test('several pool instructions of one transaction see each other', async (t) => {
  const { chain, wallet, made, create, deposit, redeem, send, totals } = await withPool(t)
  const before = totals()
  await send([create, deposit(3n * sol), redeem(2n * sol), deposit(sol)])
  t.same(totals(), { total: before.total + 2n * sol, supply: before.supply + 2n * sol })
  t.equal(chain.tokenBalance(wallet.publicKey.toBase58(), made.mint), 2n * sol)
})

t.test('what one instruction puts into an empty reserve, the next one can take out', async (t) => {
  const { chain, wallet, made, create, deposit, redeem, send } = await withPool(t, { validators: [], deposit: 0n })
  await send([create, deposit(3n * sol), redeem(2n * sol)])
  t.equal(chain.account(made.reserve)!.lamports, rent + sol)
  t.equal(chain.tokenBalance(wallet.publicKey.toBase58(), made.mint), sol)
})
