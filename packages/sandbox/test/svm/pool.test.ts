import { StakePoolInstruction, StakePoolLayout, ValidatorListLayout } from '@solana/spl-stake-pool'
import { ComputeBudgetProgram, type PublicKey as Key, type TransactionInstruction } from '@solana/web3.js'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { SvmStakePoolOptions } from '../../src/svm/index.ts'
import { addressOf } from '../../src/svm/keys.ts'
import { bench, deactivate, keypair, PublicKey, StakeProgram, SystemProgram, sol, withdraw } from './support.ts'

const rent = 2_282_880n
const key = (address: string) => new PublicKey(address)
const tokenProgram = key('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const associated = key('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const fee = (numerator: bigint, denominator: bigint) => ({ numerator, denominator })

/** Totals, fees and results of a real pool's size. */
const vector = {
  source: 'computed with @solana/spl-stake-pool program v2 formulas on integers; the same as on a copy of a mainnet pool',
  total: 1_144_546_482_246_437n,
  supply: 934_784_722_219_576n,
}

function ata(owner: Key, mint: Key): Key {
  return PublicKey.findProgramAddressSync([owner.toBytes(), tokenProgram.toBytes(), mint.toBytes()], associated)[0]
}

function createAta(owner: Key, mint: Key): TransactionInstruction {
  const account = (pubkey: Key, isSigner: boolean, isWritable: boolean) => ({ pubkey, isSigner, isWritable })
  const keys = [
    account(owner, true, true),
    account(ata(owner, mint), false, true),
    account(owner, false, false),
    account(mint, false, false),
    account(SystemProgram.programId, false, false),
    account(tokenProgram, false, false),
  ]
  return { programId: associated, keys, data: Buffer.from([1]) } as TransactionInstruction
}

async function withPool(t: Test, more: Partial<SvmStakePoolOptions> = {}) {
  const world = await bench(t, { chainId: 'mainnet-beta' })
  const { chain, wallet } = world
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 500 })
  const { vote: second } = await chain.createValidator({ name: 'second', commissionBps: 500 })
  const made = await chain.createStakePool({ name: 'pool', validators: [vote, second], ...more })
  const mint = key(made.mint)
  const own = ata(wallet.publicKey, mint)
  const state = () => StakePoolLayout.decode(Buffer.from(chain.account(made.pool)!.data))
  const totals = () => ({ total: BigInt(state().totalLamports.toString()), supply: BigInt(state().poolTokenSupply.toString()) })
  const shared = {
    stakePool: key(made.pool),
    withdrawAuthority: key(made.withdrawAuthority),
    reserveStake: key(made.reserve),
    managerFeeAccount: key(made.managerFeeAccount),
    poolMint: mint,
  }
  const deposit = (lamports: bigint, changes: Record<string, unknown> = {}) =>
    StakePoolInstruction.depositSol({
      ...shared,
      programId: key(made.program),
      fundingAccount: wallet.publicKey,
      destinationPoolAccount: own,
      referralPoolAccount: own,
      lamports: Number(lamports),
      ...changes,
    } as never)
  const redeem = (tokens: bigint, changes: Record<string, unknown> = {}) =>
    StakePoolInstruction.withdrawSol({
      ...shared,
      programId: key(made.program),
      sourcePoolAccount: own,
      sourceTransferAuthority: wallet.publicKey,
      destinationSystemAccount: wallet.publicKey,
      poolTokens: Number(tokens),
      ...changes,
    } as never)
  const source = (of: string) => PublicKey.findProgramAddressSync([key(of).toBytes(), key(made.pool).toBytes()], key(made.program))[0]
  async function redeemStake(tokens: bigint, from: string, changes: Record<string, unknown> = {}) {
    const target = await PublicKey.createWithSeed(wallet.publicKey, 'target', StakeProgram.programId)
    const room = SystemProgram.createAccountWithSeed({
      fromPubkey: wallet.publicKey,
      basePubkey: wallet.publicKey,
      newAccountPubkey: target,
      seed: 'target',
      lamports: Number(rent),
      space: 200,
      programId: StakeProgram.programId,
    })
    const taken = StakePoolInstruction.withdrawStake({
      ...shared,
      programId: key(made.program),
      validatorList: key(made.validatorList),
      validatorStake: source(from),
      destinationStake: target,
      destinationStakeAuthority: wallet.publicKey,
      sourceTransferAuthority: wallet.publicKey,
      sourcePoolAccount: own,
      poolTokens: Number(tokens),
      ...changes,
    } as never)
    return { target, instructions: [room, taken] }
  }
  return {
    ...world,
    vote,
    second,
    made,
    mint,
    own,
    state,
    totals,
    deposit,
    redeem,
    redeemStake,
    source,
    create: createAta(wallet.publicKey, mint),
  }
}

/** Makes a pool of exactly these totals. */
async function ofSize(t: Test, more: Partial<SvmStakePoolOptions>) {
  return withPool(t, { validators: [], deposit: vector.total, supply: vector.supply, ...more })
}

const custom = (index: number, code: number) => ({ InstructionError: [index, { Custom: code }] })

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
  t.same((await refusal([create, by(deposit(sol), keypair(7).publicKey, false)])).data.err, custom(1, 31))
  t.same((await refusal([create, by(deposit(sol), authority.publicKey, false)])).data.err, custom(1, 7))
  await send([create, by(deposit(sol), authority.publicKey, true)], authority)
  t.same((await refusal([by(redeem(sol), keypair(7).publicKey, false)])).data.err, custom(0, 34))
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

/** The instruction with an account that does not sign. */
function unsigned(account: Key) {
  return (instruction: TransactionInstruction) =>
    ({
      ...instruction,
      keys: instruction.keys.map((meta) => (meta.pubkey.equals(account) ? { ...meta, isSigner: false } : meta)),
    }) as TransactionInstruction
}
