import { NONCE_ACCOUNT_LENGTH, type NonceAccount } from '@solana/web3.js'
import t, { type Test } from 'tap'
import { bench, keypair, PublicKey, SystemProgram } from './support.ts'

const other = keypair(5).publicKey

async function withNonce(t: Test) {
  const world = await bench(t)
  const { connection, wallet, send } = world
  const authorizedPubkey = wallet.publicKey
  const noncePubkey = await PublicKey.createWithSeed(wallet.publicKey, 'nonce:0', SystemProgram.programId)
  const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH)
  const from = { fromPubkey: wallet.publicKey, basePubkey: wallet.publicKey, seed: 'nonce:0' }
  await send(SystemProgram.createNonceAccount({ ...from, noncePubkey, authorizedPubkey, lamports }).instructions)
  const value = async () => ((await connection.getNonce(noncePubkey)) as NonceAccount).nonce
  const advance = SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey })
  return { ...world, noncePubkey, value, advance }
}

t.test('a nonce keeps a transaction good for as long as it is not used, and for once', async (t) => {
  const { chain, connection, wallet, signed, raw, value, advance, noncePubkey } = await withNonce(t)
  t.match(await connection.getNonce(noncePubkey), { authorizedPubkey: wallet.publicKey, feeCalculator: { lamportsPerSignature: 5000 } })
  const first = await value()
  const transfer = (lamports: number) => SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports })
  const bytes = await signed([advance, transfer(1_000_000)], [], first)
  const rival = await signed([advance, transfer(2_000_000)], [], first)
  await chain.advance({ epochs: 3 })
  t.match(await raw(bytes), { result: /^\w+$/ })
  t.equal(await connection.getBalance(other), 1_000_000)
  t.not(await value(), first)
  for (const used of [bytes, rival]) t.match(await raw(used), { error: { data: { err: 'BlockhashNotFound' } } })
})

t.test('the value is that of the latest blockhash, as on the chain', async (t) => {
  const { connection, signed, raw, value, advance } = await withNonce(t)
  const { createHash } = await import('node:crypto')
  const { blockhash } = await connection.getLatestBlockhash()
  await raw(await signed([advance], [], await value()))
  const wanted = createHash('sha256').update('DURABLE_NONCE').update(new PublicKey(blockhash).toBytes()).digest()
  t.equal(await value(), new PublicKey(wanted).toBase58())
})

t.test('a durable transaction that fails pays its fee, and uses the nonce up', async (t) => {
  const { connection, wallet, signed, raw, value, advance } = await withNonce(t)
  const first = await value()
  const transfer = SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1e12 })
  const bytes = await signed([advance, transfer], [], first)
  t.match(await raw(bytes), { error: { data: { err: { InstructionError: [1, { Custom: 1 }] } } } })
  t.equal(await value(), first, 'preflight uses nothing up')
  const before = await connection.getBalance(wallet.publicKey)
  await raw(bytes, { skipPreflight: true })
  t.equal(await connection.getBalance(wallet.publicKey), before - 5000)
  t.not(await value(), first)
  t.match(await raw(bytes), { error: { data: { err: 'BlockhashNotFound' } } })
  t.match(await raw(await signed([advance], [], await value())), { result: /^\w+$/ }, 'and the next value is good')
})

t.test('a nonce counts only as the first instruction, signed by its authority', async (t) => {
  const { signed, raw, value, advance, wallet, noncePubkey, send } = await withNonce(t)
  const transfer = SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1_000_000 })
  const expired = { error: { data: { err: 'BlockhashNotFound' } } }
  t.match(await raw(await signed([transfer, advance], [], await value())), expired, 'second')
  t.match(await raw(await signed([transfer], [], await value())), expired, 'absent')
  const stranger = keypair(7)
  const foreign = SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: stranger.publicKey })
  t.match(await raw(await signed([foreign, transfer], [stranger], await value())), expired, 'of somebody else')
  const before = await value()
  await send([advance])
  t.not(await value(), before, 'under a blockhash it is advanced like anything else')
})
