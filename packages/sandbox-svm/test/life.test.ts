import { NONCE_ACCOUNT_LENGTH, PublicKey } from '@solana/web3.js'
import t from 'tap'
import { bench, keypair, SystemProgram } from './support.ts'

const other = keypair(5).publicKey
const history = { searchTransactionHistory: true }

t.test('a block is confirmed at once, final after 32 more, and only processed while votes are withheld', async (t) => {
  const { chain, connection, wallet, send } = await bench(t)
  const transfer = SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1_000_000 })
  const hash = await send([transfer])
  const status = async () => (await connection.getSignatureStatuses([hash])).value[0]
  t.match(await status(), { confirmations: 0, confirmationStatus: 'confirmed' })
  t.equal(await connection.getTransaction(hash, { commitment: 'finalized', maxSupportedTransactionVersion: 0 }), null)
  t.equal(await connection.getBalance(other, 'finalized'), 0)
  await chain.mine(31)
  t.match(await status(), { confirmations: 31, confirmationStatus: 'confirmed' })
  await chain.mine()
  t.match(await status(), { confirmations: null, confirmationStatus: 'finalized' })
  t.equal(await connection.getBalance(other, 'finalized'), 1_000_000)
  t.equal((await connection.getSlot('confirmed')) - (await connection.getSlot('finalized')), 32)
  t.equal((await connection.getBlockHeight('confirmed')) - (await connection.getBlockHeight('finalized')), 32)

  await chain.operations.votes!.run({ on: false })
  const stalled = await connection.getSlot('finalized')
  const late = await send([transfer])
  await chain.mine(50)
  t.match((await connection.getSignatureStatuses([late])).value[0], { confirmationStatus: 'processed' })
  t.equal(await connection.getTransaction(late, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }), null)
  t.equal(await connection.getSlot('finalized'), stalled)
  await chain.operations.votes!.run({ on: true })
  t.match((await connection.getSignatureStatuses([late])).value[0], { confirmationStatus: 'finalized' })
})

t.test('a transaction shows its fee, its balances and its logs, and is found by its accounts', async (t) => {
  const { chain, connection, wallet, signed, raw, send, rpc } = await bench(t)
  const from = { fromPubkey: wallet.publicKey, toPubkey: other }
  const before = await connection.getBalance(wallet.publicKey)
  const hash = await send([SystemProgram.transfer({ ...from, lamports: 1_000_000 })])
  const slot = await connection.getSlot()
  const found = await connection.getTransaction(hash, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 })
  t.match(found, { slot, version: 'legacy', blockTime: chain.latest().timestamp, transaction: { signatures: [hash] } })
  t.match(found!.meta, { err: null, fee: 5000, preBalances: [before, 0, 1], postBalances: [before - 1_005_000, 1_000_000, 1] })
  t.match(found!.meta!.logMessages, [/invoke/, /success/])
  const { result } = await rpc('getTransaction', [hash, { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }])
  t.equal(Buffer.from(result.transaction[0], 'base64').subarray(1, 65).length, 64)

  const failing = await signed([SystemProgram.transfer({ ...from, lamports: 1e12 })])
  const { result: failed } = await raw(failing, { skipPreflight: true })
  const { meta } = (await connection.getTransaction(failed, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }))!
  t.match(meta, { err: { InstructionError: [0, { Custom: 1 }] }, fee: 5000, postBalances: [before - 1_010_000, 1_000_000, 1] })

  t.match(await connection.getSignaturesForAddress(other, {}, 'confirmed'), [
    { signature: failed, err: { InstructionError: [0, { Custom: 1 }] }, confirmationStatus: 'confirmed' },
    { signature: hash, err: null },
  ])
  t.match(await connection.getSignaturesForAddress(other, { limit: 1, before: failed }, 'confirmed'), [{ signature: hash }])
  t.same(await connection.getSignaturesForAddress(other, {}, 'finalized'), [])
  t.match(await rpc('getTransaction', [hash, { commitment: 'processed' }]), { error: { code: -32602 } })
  t.match(await rpc('getTransaction', [hash, { encoding: 'jsonParsed', commitment: 'confirmed' }]), { error: { code: -32602 } })
})

t.test('a node forgets what is older than 300 rooted slots unless it looks into its ledger, and that may be pruned', async (t) => {
  const { chain, connection, wallet, send } = await bench(t)
  const hash = await send([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports: 1_000_000 })])
  await chain.mine(331)
  t.match((await connection.getSignatureStatuses([hash])).value, [{ confirmationStatus: 'finalized' }])
  await chain.mine()
  t.same((await connection.getSignatureStatuses([hash])).value, [null])
  t.match((await connection.getSignatureStatuses([hash], history)).value, [{ confirmationStatus: 'finalized', err: null }])
  t.equal(await connection.getFirstAvailableBlock(), 0)
  const { first_available_block: first } = await chain.operations.prune!.run({})
  t.equal(first, (await connection.getSlot()) + 1)
  t.equal(await connection.getFirstAvailableBlock(), first)
  t.same((await connection.getSignatureStatuses([hash], history)).value, [null])
  t.equal(await connection.getTransaction(hash, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }), null)
  t.same(await connection.getSignaturesForAddress(other, {}, 'confirmed'), [])
})

t.test('what is held is in no block until it is let in, is too old, or was dropped', async (t) => {
  const { chain, connection, wallet, signed, raw } = await bench(t)
  const transfer = (lamports: number) => signed([SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: other, lamports })])
  const hold = (on: boolean) => chain.operations.hold!.run({ on })
  const balance = () => connection.getBalance(other)
  await hold(true)
  const bytes = await transfer(1_000_000)
  const { result } = await raw(bytes)
  t.equal((await raw(bytes)).result, result)
  await chain.mine(150)
  t.same((await connection.getSignatureStatuses([result], history)).value, [null])
  t.match(await hold(false), { holds: false, held: [] })
  t.equal(await balance(), 1_000_000, 'its hash was good for one more')

  await hold(true)
  await raw(await transfer(2_000_000))
  await chain.mine(151)
  await hold(false)
  t.equal(await balance(), 1_000_000, 'too old')

  await hold(true)
  const dropped = (await raw(await transfer(3_000_000))).result
  t.same((await chain.operations.drop!.run({})).dropped, [dropped])
  await hold(false)
  t.equal(await balance(), 1_000_000)
  await t.rejects(chain.operations.reorganise!.run({}), { code: 'NOT_SUPPORTED', message: /never been rolled back/ })
})

t.test('a nonce account is what it was while its use is not final', async (t) => {
  const { chain, connection, wallet, send, signed, raw } = await bench(t)
  const noncePubkey = await PublicKey.createWithSeed(wallet.publicKey, 'nonce:0', SystemProgram.programId)
  const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH)
  const from = {
    fromPubkey: wallet.publicKey,
    basePubkey: wallet.publicKey,
    seed: 'nonce:0',
    noncePubkey,
    authorizedPubkey: wallet.publicKey,
  }
  await send(SystemProgram.createNonceAccount({ ...from, lamports }).instructions)
  const value = async (commitment: 'confirmed' | 'finalized') => (await connection.getNonce(noncePubkey, commitment))?.nonce
  t.equal(await value('finalized'), undefined, 'there is none yet')
  await chain.mine(32)
  const first = await value('finalized')
  t.equal(first, await value('confirmed'))
  await raw(await signed([SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: wallet.publicKey })], [], first))
  t.equal(await value('finalized'), first)
  t.not(await value('confirmed'), first)
  await chain.mine(32)
  t.equal(await value('finalized'), await value('confirmed'))
})
