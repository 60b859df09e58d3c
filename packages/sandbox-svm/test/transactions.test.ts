import { ComputeBudgetProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import t from 'tap'
import { bench, keypair, SystemProgram, sol } from './support.ts'

const other = keypair(5).publicKey

t.test('a transaction is in a block at once, and its fee is paid', async (t) => {
  const { connection, wallet, send } = await bench(t)
  const before = await connection.getBalance(wallet.publicKey)
  const height = await connection.getBlockHeight()
  const hash = await send([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1_000_000 })])
  t.equal(await connection.getBlockHeight(), height + 1)
  t.equal(await connection.getBalance(wallet.publicKey), before - 1_005_000)
  t.equal(await connection.getBalance(other), 1_000_000)
  const { value } = await connection.getSignatureStatuses([hash, '1'.repeat(64)])
  t.match(value, [{ err: null, confirmationStatus: 'confirmed', slot: await connection.getSlot() }, null])
})

t.test('the same bytes are taken once, whatever has come in since', async (t) => {
  const { chain, connection, wallet, signed, raw } = await bench(t)
  const transfer = SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1_000_000 })
  const bytes = await signed([transfer])
  const { result } = await raw(bytes)
  t.match(await raw(bytes), { error: { code: -32002, data: { err: 'AlreadyProcessed' } } })
  for (let number = 0; number < 40; number++)
    await raw(await signed([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: number })]))
  t.match(await raw(bytes), { error: { message: 'Transaction simulation failed: This transaction has already been processed' } })
  t.equal((await raw(bytes, { skipPreflight: true })).result, result, 'without preflight nobody says so')
  const balance = await connection.getBalance(other)
  await chain.mine(200)
  t.match(await raw(bytes), { error: { data: { err: 'BlockhashNotFound' } } }, 'and later its hash is too old')
  t.equal(await connection.getBalance(other), balance)
})

t.test('a blockhash is good for 150 blocks', async (t) => {
  const { chain, connection, rpc, wallet, signed, raw } = await bench(t)
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  t.equal(lastValidBlockHeight, (await connection.getBlockHeight()) + 150)
  const transfer = (lamports: number, hash = blockhash) =>
    signed([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports })], [], hash)
  await chain.mine(149)
  t.match(await raw(await transfer(1_000_000)), { result: /^\w+$/ })
  t.equal(await connection.getBlockHeight(), lastValidBlockHeight)
  t.match(await rpc('isBlockhashValid', [blockhash]), { result: { value: true } })
  await chain.mine()
  t.match(await rpc('isBlockhashValid', [blockhash]), { result: { value: false } })
  t.match(await raw(await transfer(1_000_001)), {
    error: { code: -32002, message: 'Transaction simulation failed: Blockhash not found', data: { err: 'BlockhashNotFound', logs: [] } },
  })
  t.match(
    await raw(await transfer(1_000_001, other.toBase58())),
    { error: { data: { err: 'BlockhashNotFound' } } },
    'nor is one that never was',
  )
})

t.test('the clock makes hashes old as well', async (t) => {
  const { chain, connection, rpc } = await bench(t)
  const { blockhash } = await connection.getLatestBlockhash()
  await chain.advance({ seconds: 52 })
  t.match(await rpc('isBlockhashValid', [blockhash]), { result: { value: true } })
  await chain.advance({ seconds: 1 })
  t.match(await rpc('isBlockhashValid', [blockhash]), { result: { value: false } })
})

t.test('a failing transaction is refused before it costs anything, unless nobody looks first', async (t) => {
  const { connection, wallet, signed, raw } = await bench(t)
  const before = await connection.getBalance(wallet.publicKey)
  const bytes = await signed([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: before })])
  t.match(await raw(bytes), {
    error: {
      code: -32002,
      message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      data: { err: { InstructionError: [0, { Custom: 1 }] }, accounts: null, returnData: null, unitsConsumed: 150 },
    },
  })
  t.equal(await connection.getBalance(wallet.publicKey), before)
  const { result } = await raw(bytes, { skipPreflight: true })
  t.equal(await connection.getBalance(wallet.publicKey), before - 5000)
  t.match((await connection.getSignatureStatuses([result])).value, [{ err: { InstructionError: [0, { Custom: 1 }] } }])
})

t.test('who cannot pay is told so, and leaves no trace', async (t) => {
  const { connection, wallet, signed, raw, chain } = await bench(t)
  const bytes = await signed([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1_000_000 })])
  chain.setAccount(wallet.publicKey.toBase58(), { lamports: 4999n })
  t.match(await raw(bytes), { error: { code: -32002, data: { err: 'InsufficientFundsForFee' } } })
  const { result } = await raw(bytes, { skipPreflight: true })
  t.same((await connection.getSignatureStatuses([result])).value, [null])
  chain.setAccount(wallet.publicKey.toBase58(), { lamports: 0n })
  t.match(await raw(bytes), {
    error: { message: /Attempt to debit an account but found no record of a prior credit\.$/, data: { err: 'AccountNotFound' } },
  })
  chain.setAccount(wallet.publicKey.toBase58(), { lamports: 1_800_000n })
  t.match(await raw(bytes), { error: { data: { err: { InsufficientFundsForRent: { account_index: 0 } } } } })
})

t.test('signatures that do not fit are refused', async (t) => {
  const { wallet, signed, raw, rpc } = await bench(t)
  const bytes = await signed([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1_000_000 })])
  bytes[1]! ^= 1
  const refusal = { code: -32002, message: 'Transaction simulation failed: Transaction did not pass signature verification' }
  t.match(await raw(bytes), { error: { ...refusal, data: { err: 'SignatureFailure', fee: null } } })
  bytes.fill(0, 1, 65)
  t.match(await raw(bytes), { error: refusal }, 'none at all')
  const text = bytes.toString('base64')
  t.match(await rpc('simulateTransaction', [text, { encoding: 'base64', sigVerify: true }]), {
    result: { value: { err: 'SignatureFailure', preBalances: null } },
  })
  t.match(await rpc('simulateTransaction', [text, { encoding: 'base64' }]), { result: { value: { err: null } } })
})

t.test('bytes that are no transaction are refused', async (t) => {
  const { rpc, signed, wallet } = await bench(t)
  const bytes = await signed([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1 })])
  for (const bad of [bytes.subarray(0, 60), Buffer.alloc(1300), Buffer.alloc(0)]) {
    t.match(await rpc('sendTransaction', [bad.toString('base64'), { encoding: 'base64' }]), { error: { code: -32602 } })
  }
  t.match(await rpc('sendTransaction', ['???', { encoding: 'base64' }]), { error: { code: -32602, message: /^invalid base64 encoding/ } })
  t.match(await rpc('sendTransaction', [bytes.toString('hex')]), { error: { code: -32602, message: /^invalid base58 encoding/ } })
  t.match(await rpc('sendTransaction', []), { error: { code: -32602 } })
})

t.test('bytes with something behind them are answered by their signature, and get into no block', async (t) => {
  const { chain, rpc, signed, wallet, raw } = await bench(t)
  const bytes = await signed([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: sol })])
  const { result } = await raw(Buffer.concat([bytes, Buffer.of(1, 2)]))
  t.type(result, 'string')
  t.match(await rpc('getSignatureStatuses', [[result]]), { result: { value: [null] } })
  t.equal(await chain.balance(other.toBase58()), 0n)
  t.match(await raw(bytes), { result }, 'without it they do')
  t.equal(await chain.balance(other.toBase58()), sol)
})

t.test('a simulation tells the balances before and after, as far as the transaction gets', async (t) => {
  const { chain, rpc, signed, wallet } = await bench(t)
  const holds = Number(await chain.balance(wallet.publicKey.toBase58()))
  const changes = async (lamports: number, lifetime?: string) => {
    const transfer = SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports })
    const bytes = await signed([transfer], [], lifetime)
    const { result } = await rpc('simulateTransaction', [bytes.toString('base64'), { encoding: 'base64' }])
    const { preBalances, postBalances, fee } = result.value
    t.same(preBalances, [holds, 0, 1])
    return { fee, changed: postBalances.map((after: number, index: number) => after - preBalances[index]) }
  }
  t.same(await changes(1_000_000), { fee: 5000, changed: [-1_005_000, 1_000_000, 0] })
  t.same(await changes(holds), { fee: 5000, changed: [-5000, 0, 0] }, 'one that fails pays its fee')
  t.same(await changes(1_000_000, keypair(9).publicKey.toBase58()), { fee: null, changed: [0, 0, 0] }, 'one that is not taken pays none')
  t.equal(Number(await chain.balance(wallet.publicKey.toBase58())), holds, 'and nothing has happened')
})

t.test('a program that is not there and a payer that cannot pay are told apart by the fee', async (t) => {
  const { chain, refusal, wallet } = await bench(t)
  const nowhere = keypair(77).publicKey
  const { data } = await refusal([{ programId: nowhere, keys: [], data: Buffer.of(1) }])
  t.match(data, { err: 'ProgramAccountNotFound', fee: 5000, loadedAccountsDataSize: 64 })
  chain.setAccount(wallet.publicKey.toBase58(), { lamports: 895_000n })
  const poor = await refusal([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1 })])
  t.match(poor.data, { err: { InsufficientFundsForRent: { account_index: 0 } }, fee: null, logs: [] })
})

t.test('a simulation shows accounts as they would be, and changes nothing', async (t) => {
  const { connection, wallet, signed, rpc } = await bench(t)
  const before = await connection.getBalance(wallet.publicKey)
  const bytes = await signed(
    [SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1_000_000 })],
    [],
    other.toBase58(),
  )
  const ask = (more: Record<string, unknown>) => rpc('simulateTransaction', [bytes.toString('base64'), { encoding: 'base64', ...more }])
  t.match(await ask({}), { result: { value: { err: 'BlockhashNotFound', unitsConsumed: 0 } } })
  t.match(await ask({ sigVerify: true, replaceRecentBlockhash: true }), { error: { code: -32602 } })
  const accounts = { encoding: 'base64', addresses: [other.toBase58(), wallet.publicKey.toBase58(), keypair(6).publicKey.toBase58()] }
  const { result } = await ask({ replaceRecentBlockhash: true, accounts })
  t.match(result.value, {
    err: null,
    unitsConsumed: 150,
    accounts: [{ lamports: 1_000_000, space: 0, data: ['', 'base64'] }, { lamports: before - 1_005_000 }, null],
    replacementBlockhash: { blockhash: (await connection.getLatestBlockhash()).blockhash },
  })
  t.equal(await connection.getBalance(wallet.publicKey), before)
})

t.test('the same amount can be funded again and again', async (t) => {
  const { chain, wallet } = await bench(t)
  const address = wallet.publicKey.toBase58()
  t.same(await chain.fund(address, '1.5'), { address, balance: '101.5' })
  t.same(await chain.fund(address, 1_500_000_000n), { address, balance: '103' })
  await t.rejects(chain.fund(other.toBase58(), 890_879n), { code: 'INVALID_INPUT' }, 'less than the rent of a wallet')
  await t.rejects(chain.fund('0xabc', '1'), { code: 'INVALID_INPUT' })
  await t.rejects(chain.fund(address, 0n), { code: 'INVALID_INPUT' })
})

t.test('airdrops are taken twice too, but on mainnet there are none', async (t) => {
  const { connection } = await bench(t)
  const first = await connection.requestAirdrop(other, Number(sol))
  const second = await connection.requestAirdrop(other, Number(sol))
  t.not(first, second)
  t.equal(await connection.getBalance(other), Number(2n * sol))
  t.match((await connection.getSignatureStatuses([first, second])).value, [{ err: null }, { err: null }])
  const mainnet = await bench(t, { chainId: 'mainnet-beta' })
  t.match(await mainnet.rpc('requestAirdrop', [other.toBase58(), 1]), { error: { code: -32601 } })
})

t.test('a version 0 transaction is taken, and a priority fee is paid', async (t) => {
  const { connection, wallet, raw, rpc } = await bench(t)
  const { blockhash } = await connection.getLatestBlockhash()
  const message = new TransactionMessage({
    payerKey: wallet.publicKey,
    recentBlockhash: blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 150_000 }),
      SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1_000_000 }),
    ],
  }).compileToV0Message()
  const transaction = new VersionedTransaction(message)
  transaction.sign([wallet])
  const fee = await connection.getFeeForMessage(message)
  t.equal(fee.value, 5000 + 1500)
  const before = await connection.getBalance(wallet.publicKey)
  t.match(await raw(transaction.serialize()), { result: /^\w+$/ })
  t.equal(await connection.getBalance(wallet.publicKey), before - 1_000_000 - 6500)
  t.match(await rpc('getFeeForMessage', ['????']), { error: { code: -32602 } })
})
