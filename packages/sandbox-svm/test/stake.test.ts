import { Lockup } from '@solana/web3.js'
import t from 'tap'
import { bench, deactivate, keypair, PublicKey, StakeProgram, SystemProgram, sol, stakeOf, withdraw } from './support.ts'

const rent = 2_282_880n
const operator = { name: 'operator', commissionBps: 500 }

t.test('a stake goes from delegation to the wallet, through two epochs, with rewards', async (t) => {
  const { chain, connection, wallet, send } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol + rent, seed: 's' })
  await send(instructions)
  await chain.advance({ epochs: 1 })
  t.equal((await connection.getAccountInfo(account))!.lamports, Number(2n * sol + rent), 'it earns nothing while it warms up')
  await chain.advance({ epochs: 1 })
  const earned = BigInt((await connection.getAccountInfo(account))!.lamports) - 2n * sol - rent
  t.ok(earned > 0n)
  const { data } = chain.account(account.toBase58())!
  t.equal(Buffer.from(data).readBigUInt64LE(156), 2n * sol + earned, 'what is delegated grows with it')
  const [reward] = await connection.getInflationReward([account])
  t.match(reward, { epoch: 1061, amount: Number(earned), postBalance: Number(2n * sol + rent + earned) })
  await send(deactivate(wallet.publicKey, account))
  await chain.advance({ epochs: 1 })
  const all = BigInt((await connection.getAccountInfo(account))!.lamports)
  await send(withdraw(wallet.publicKey, account, all))
  t.equal(await connection.getAccountInfo(account), null)
})

t.test('less than 1 SOL besides the rent is not delegated', async (t) => {
  const { chain, wallet, send, refusal } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const less = await stakeOf(wallet.publicKey, { vote, lamports: sol + rent - 1n, seed: 'less' })
  const { code, message, data } = await refusal(less.instructions)
  t.equal(code, -32002)
  t.equal(message, 'Transaction simulation failed: Error processing Instruction 2: custom program error: 0xc')
  t.same(data.err, { InstructionError: [2, { Custom: 12 }] })
  t.equal(data.logs.at(-1), `Program ${StakeProgram.programId} failed: custom program error: 0xc`)
  await send((await stakeOf(wallet.publicKey, { vote, lamports: sol + rent, seed: 'enough' })).instructions)
})

t.test('the chain refuses what a stake account does not allow', async (t) => {
  const { chain, wallet, send, refusal } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 3n * sol + rent, seed: 's' })
  await send(instructions)
  await chain.advance({ epochs: 1 })
  const why = async (wanted: typeof instructions) => (await refusal(wanted)).data.err
  t.same(await why(withdraw(wallet.publicKey, account, sol)), { InstructionError: [0, 'InsufficientFunds'] }, 'it is active')
  await send(deactivate(wallet.publicKey, account))
  t.same(await why(deactivate(wallet.publicKey, account)), { InstructionError: [0, { Custom: 2 }] }, 'it is deactivated already')
  await chain.advance({ epochs: 1 })
  const all = chain.account(account.toBase58())!.lamports
  t.same(await why(withdraw(wallet.publicKey, account, all - rent + 1n)), { InstructionError: [0, 'InsufficientFunds'] })
  await send(withdraw(wallet.publicKey, account, all - rent))
  t.equal(chain.account(account.toBase58())!.lamports, rent, 'the rent alone may stay')
  const { account: other, instructions: made } = await stakeOf(wallet.publicKey, { vote, lamports: sol, seed: 'other' })
  t.same(await why(deactivate(wallet.publicKey, other)), { InstructionError: [0, 'InvalidAccountOwner'] }, 'there is none')
  await send(made.slice(0, 2))
  t.same(await why(deactivate(wallet.publicKey, other)), { InstructionError: [0, 'InvalidAccountData'] }, 'it was never delegated')
})

t.test('only the authority deactivates', async (t) => {
  const { chain, wallet, refusal, send } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 3n * sol, seed: 's' })
  await send(instructions)
  const stranger = keypair(9)
  const { data } = await refusal(deactivate(stranger.publicKey, account), stranger)
  t.same(data.err, { InstructionError: [0, 'MissingRequiredSignature'] })
})

t.test('a lockup is in force until its epoch and its time', async (t) => {
  const { chain, wallet, send, refusal } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const lockup = new Lockup(0, chain.latest().epoch + 2, keypair(8).publicKey)
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol, seed: 's', lockup })
  await send([...instructions, ...deactivate(wallet.publicKey, account)])
  t.same((await refusal(withdraw(wallet.publicKey, account, sol))).data.err, { InstructionError: [0, { Custom: 1 }] })
  await chain.advance({ epochs: 2 })
  await send(withdraw(wallet.publicKey, account, 2n * sol))
})

t.test('deactivated in the epoch of its delegation, a stake is free at once', async (t) => {
  const { chain, connection, wallet, send } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol, seed: 's' })
  await send(instructions)
  await send(deactivate(wallet.publicKey, account))
  await send(withdraw(wallet.publicKey, account, 2n * sol))
  t.equal(await connection.getAccountInfo(account), null)
})

t.test('lamports that were sent to an active stake can be taken out of it', async (t) => {
  const { chain, wallet, send, refusal } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol + rent, seed: 's' })
  await send(instructions)
  await chain.advance({ epochs: 1 })
  await chain.operations.tip!.run({ account: account.toBase58(), amount: '0.25' })
  const too = await refusal(withdraw(wallet.publicKey, account, sol / 4n + 1n))
  t.same(too.data.err, { InstructionError: [0, 'InsufficientFunds'] })
  await send(withdraw(wallet.publicKey, account, sol / 4n))
})

t.test('a stake that was stolen is paid out to its new withdrawer alone', async (t) => {
  const { chain, connection, wallet, send, refusal } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol, seed: 's' })
  await send([...instructions, ...deactivate(wallet.publicKey, account)])
  const before = (await connection.getAccountInfo(account))!
  const { accounts, withdrawer } = await chain.operations.steal!.run({ wallet: wallet.publicKey.toBase58() })
  t.same(accounts, [account.toBase58()])
  const { data, lamports } = (await connection.getAccountInfo(account))!
  t.equal(new PublicKey(data.subarray(44, 76)).toBase58(), withdrawer)
  t.same(
    [data.subarray(0, 44), data.subarray(76), lamports],
    [before.data.subarray(0, 44), before.data.subarray(76), before.lamports],
    'and nothing else',
  )
  t.same((await refusal(withdraw(wallet.publicKey, account, sol))).data.err, { InstructionError: [0, 'MissingRequiredSignature'] })
  await t.rejects(chain.operations.steal!.run({ wallet: wallet.publicKey.toBase58() }), {
    code: 'INVALID_INPUT',
    message: /nothing to steal/,
  })
})

t.test('with a small cluster, stake warms up and cools down 9 % at a time, as the program sees it', async (t) => {
  const { chain, wallet, send, refusal } = await bench(t)
  const { vote } = await chain.createValidator({ ...operator, stake: 0n })
  await chain.operations.rewards!.run({ on: false })
  await chain.operations.cluster!.run({ effective: '1000', activating: '0', deactivating: '0' })
  await chain.fund(wallet.publicKey.toBase58(), '1000')
  const lamports = 300n * sol + rent
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports, seed: 's' })
  await send(instructions)
  await chain.advance({ epochs: 1 })
  await send(deactivate(wallet.publicKey, account))
  // Of 300 SOL, 9 % of the cluster's 1000 have become effective: the rest never did, and is free.
  const free = 300n * sol - 90n * sol
  t.same((await refusal(withdraw(wallet.publicKey, account, free + 1n))).data.err, { InstructionError: [0, 'InsufficientFunds'] })
  await send(withdraw(wallet.publicKey, account, free))
})

t.test('while rewards are distributed, the stake program refuses; and then goes on', async (t) => {
  const { chain, wallet, send, refusal } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol, seed: 's' })
  await send(instructions)
  await chain.operations['epoch-rewards']!.run({ blocks: 3 })
  t.same((await refusal(deactivate(wallet.publicKey, account))).data.err, { InstructionError: [0, { Custom: 16 }] })
  await chain.mine(3)
  await send(deactivate(wallet.publicKey, account))
})

t.test('delegating to what is no vote account is refused', async (t) => {
  const { wallet, refusal } = await bench(t)
  const { instructions } = await stakeOf(wallet.publicKey, { vote: wallet.publicKey.toBase58(), lamports: 2n * sol, seed: 's' })
  t.same((await refusal(instructions)).data.err, { InstructionError: [2, 'IncorrectProgramId'] })
})

t.test('a seed account that somebody sent lamports to cannot be made', async (t) => {
  const { chain, wallet, send, refusal } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol, seed: 's' })
  await send([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: account, lamports: 1_000_000 })])
  t.same((await refusal(instructions)).data.err, { InstructionError: [0, { Custom: 0 }] })
})

t.test('rewards stop for a delinquent validator, and when they are switched off', async (t) => {
  const { chain, connection, wallet, send } = await bench(t)
  const { vote } = await chain.createValidator(operator)
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol, seed: 's' })
  await send(instructions)
  await chain.advance({ epochs: 1 })
  await chain.operations.validator!.run({ vote, delinquent: true })
  await chain.advance({ epochs: 1 })
  t.same(await connection.getInflationReward([account]), [null])
  const { current, delinquent } = await connection.getVoteAccounts()
  t.notOk(current.some(({ votePubkey }) => votePubkey === vote))
  t.match(delinquent, [{ votePubkey: vote }])
  await chain.operations.validator!.run({ vote, delinquent: false })
  await chain.operations.rewards!.run({ on: false })
  await chain.advance({ epochs: 1 })
  t.equal(chain.account(account.toBase58())!.lamports, 2n * sol)
})

t.test('a commission is what the vote account and the rewards have of it', async (t) => {
  const { chain, connection, rpc } = await bench(t)
  const { vote } = await chain.createValidator({ ...operator, commissionBps: 10_000 })
  await chain.operations.validator!.run({ vote, commission_bps: 750 })
  const { result } = await rpc('getVoteAccounts', [{ votePubkey: vote }])
  t.match(result.current, [{ commission: 7, inflationRewardsCommissionBps: 750 }])
  const before = await connection.getBalance(new PublicKey(vote))
  await chain.advance({ epochs: 1 })
  t.ok((await connection.getBalance(new PublicKey(vote))) > before)
  t.match(await rpc('getInflationReward', [[vote]]), { result: [{ commissionBps: 750 }] })
})
