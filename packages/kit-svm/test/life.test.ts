import type { Facts, Sighting, Subject } from '@svc/contract'
import { Keypair, SystemProgram } from '@svc/solana'
import t from 'tap'
import { type SvmDraft, type SvmReceipt, svm } from '../src/index.ts'
import { startStage } from './support/chain.ts'
import { transactions, wallet } from './support/vectors.ts'

const life = svm.life!
const from = wallet.publicKey
const address = from.toBase58()
const nonceAddress = transactions.nonceAccount.address
const transfer = (lamports: number): SvmDraft => ({
  feePayer: address,
  instructions: [SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.fromSeed(new Uint8Array(32).fill(9)).publicKey, lamports })],
  unitLimit: 1000,
  spends: BigInt(lamports),
})

const stage = await startStage()
t.teardown(() => stage.chain.close())
const { chain, ctx } = stage
const operate = (name: string, body = {}) => chain.operations[name]!.run(body)
/** Different every time, so that no two transactions of these tests are the same. */
let lamports = 1_000_000
const crafted = (input = {}) => stage.craft(transfer(lamports++), input)
const hashOf = (signed: string) => svm.names.signed({ signed_tx_hex: signed }, ctx.network).txHash

/** Looks again and again, with what was kept, as the service does. */
function watching(signed: string, more: Partial<Subject> = {}) {
  let keep: Facts | null = null
  const bounds = life.bounds({ signed_tx_hex: signed }, ctx.network)
  return async (): Promise<Sighting<SvmReceipt>> => {
    const seen = await life.look(ctx, { txHash: hashOf(signed), bounds, keep, firstSeen: ctx.now(), accepted: true, ...more })
    keep = seen.keep
    return seen
  }
}

t.test('signed bytes say what they live by, and a craft says until when', async (t) => {
  const signed = await crafted()
  const { blockhash, lastValidBlockHeight } = await ctx.client.connection.getLatestBlockhash()
  t.same(life.bounds({ signed_tx_hex: signed }, ctx.network), {
    wallet: address,
    validUntil: { kind: 'block_height', value: null, estimatedAt: null },
    facts: { blockhash },
  })
  const { unsigned, terms } = await svm.assemble(ctx, transfer(1_000_000), svm.preflight(ctx, address, {}))
  t.equal(terms.lastValidBlockHeight, BigInt(lastValidBlockHeight))
  t.same(life.validUntil(unsigned, ctx.network, terms, new Date(0)), {
    kind: 'block_height',
    value: String(lastValidBlockHeight),
    estimatedAt: new Date(52_500),
  })
  t.equal(svm.decode(unsigned, { signers: [], calls: [] }, ctx.network, terms).terms.lastValidBlockHeight, terms.lastValidBlockHeight)
})

t.test('a hash is a signature in base58, in its one spelling', async (t) => {
  for (const hash of [hashOf(await crafted()), '1'.repeat(64)]) t.equal(life.hash(hash), hash)
  for (const hash of ['', '1'.repeat(63), 'z'.repeat(88), `0x${'00'.repeat(64)}`, address, `${'1'.repeat(63)}0`, '1'.repeat(4000)])
    t.throws(() => life.hash(hash), { statusCode: 400, code: 'TX_HASH_INVALID' }, hash)
})

t.test('from the broadcast to the final block', async (t) => {
  const signed = await crafted()
  const look = watching(signed)
  await operate('hold', { on: true })
  const hash = await stage.broadcast(signed)
  const { block: height } = chain.latest()
  t.match(await look(), {
    status: 'pending',
    finality: 'none',
    certainty: 'likely',
    validUntil: { kind: 'block_height', value: String(height + 150), estimatedAt: new Date(ctx.now().getTime() + 52_500) },
  })
  await operate('votes', { on: false })
  await operate('hold', { on: false })
  t.match(await look(), { status: 'pending', certainty: 'proven', block: null })
  await operate('votes', { on: true })
  const { slot, timestamp } = chain.latest()
  const included = await look()
  t.match(included, {
    status: 'included',
    finality: 'included',
    certainty: 'proven',
    block: { height: BigInt(slot), hash: null, time: new Date(timestamp * 1000) },
    error: null,
    receipt: { feePayer: address, stakes: [], tokens: [] },
  })
  t.ok(included.fee! > 5000n)
  await chain.mine(31)
  t.match(await look(), { status: 'included' })
  await chain.mine()
  t.match(await look(), { status: 'final', finality: 'final', fee: included.fee })
  await chain.mine(500)
  t.match(await watching(signed, { bounds: null, accepted: false, firstSeen: null })(), { status: 'final' }, 'also by its hash alone')
  t.match(await watching(signed)(), { status: 'final' }, 'also when it is looked for long afterwards')
  const [payer, recipient] = included.receipt!.accounts
  t.equal(payer!.before - payer!.after, included.fee! + recipient!.after - recipient!.before)
  t.equal(hash, hashOf(signed))
})

t.test('one that fails pays its fee, says why, and is final when its block is', async (t) => {
  const poor = await crafted()
  // Signed when the wallet had it, and spent before it arrives.
  const holds = await chain.balance(address)
  const signed = await stage.craft(transfer(Number(holds) - 50_000_000))
  await stage.broadcast(poor)
  await operate('hold', { on: true })
  await stage.broadcast(signed)
  chain.setAccount(address, { lamports: 20_000_000n })
  await operate('hold', { on: false })
  const look = watching(signed)
  const failed = await look()
  t.match(failed, {
    status: 'failed',
    finality: 'included',
    error: { code: 'INSUFFICIENT_BALANCE', reason: /does not hold what is to be taken/ },
  })
  t.ok(failed.fee! > 0n)
  await chain.mine(32)
  t.match(await look(), { status: 'failed', finality: 'final' })
  chain.setAccount(address, { lamports: holds })
})

t.test('one that was dropped expires when the final height is past its life, and not a block before', async (t) => {
  await operate('hold', { on: true })
  const signed = await crafted()
  await stage.broadcast(signed)
  const look = watching(signed)
  t.match(await look(), { status: 'pending' })
  await chain.mine(150 + 32)
  t.match(await look(), { status: 'pending', certainty: 'likely' })
  await chain.mine()
  t.match(await look(), { status: 'expired', certainty: 'proven', finality: 'none', block: null, replacedBy: null })
  await operate('hold', { on: false })
  t.match(await look(), { status: 'expired' }, 'and it does not land any more')
})

t.test('whatever is said at whichever moment: what was called expired never lands', async (t) => {
  for (const blocks of [1, 149, 150, 151, 182, 183]) {
    await operate('hold', { on: true })
    const signed = await crafted()
    await stage.broadcast(signed)
    const look = watching(signed)
    await look()
    await chain.mine(blocks)
    const { status } = await look()
    await operate('hold', { on: false })
    const after = await look()
    t.equal(status === 'expired', blocks > 182, String(blocks))
    t.equal(after.block !== null, blocks <= 150, String(blocks))
  }
})

t.test('bytes that are first seen when their hash is too old already expire later, and only where nothing is forgotten', async (t) => {
  const signed = await crafted()
  await chain.mine(200)
  const look = watching(signed, { accepted: false })
  t.match(await look(), { status: 'unknown', validUntil: { value: null } })
  await chain.mine(150 + 33)
  t.match(await look(), { status: 'unknown' }, 'a node may have been behind by as much as max_block_age')
  await chain.mine(1500)
  t.match(await look(), { status: 'expired' })
})

t.test('a nonce that another one has used replaces it, when that is final', async (t) => {
  const nonce = { nonce_account_address: nonceAddress }
  const { drafts } = await import('./support/drafts.ts')
  await stage.act(drafts.nonce)
  await chain.mine()
  const signed = await crafted(nonce)
  const rival = await crafted(nonce)
  const bounds = life.bounds({ signed_tx_hex: signed }, ctx.network)
  const value = bounds.facts.nonce!
  t.same(bounds.validUntil, { kind: 'nonce_account', value: `${nonceAddress}=${value}`, estimatedAt: null })
  const look = watching(signed, { accepted: false })
  t.match(await look(), { status: 'unknown', validUntil: bounds.validUntil }, 'its account is not even final yet')
  await chain.mine(300)
  t.match(await look(), { status: 'unknown' })
  const hash = await stage.broadcast(rival)
  t.match(await look(), { status: 'unknown' }, 'not final yet')
  await chain.mine(32)
  t.match(await look(), { status: 'replaced', certainty: 'proven', replacedBy: hash })
  t.match(await watching(rival)(), { status: 'final', validUntil: { kind: 'nonce_account' } })
  t.match(await watching(signed)(), { status: 'pending' }, 'who never saw its value on the chain says nothing')

  const own = await crafted(nonce)
  const looked = watching(own)
  await looked()
  await stage.broadcast(own)
  await chain.mine(400)
  t.match(await looked(), { status: 'final' }, 'it has used the value itself')
})

t.test('where the node has forgotten the time, nothing is said', async (t) => {
  await operate('hold', { on: true })
  const signed = await crafted()
  await stage.broadcast(signed)
  const [sent, tracked] = [watching(signed), watching(signed, { accepted: false })]
  await sent()
  await tracked()
  await operate('drop')
  await operate('hold', { on: false })
  await chain.mine(600)
  await operate('prune')
  await chain.mine(40)
  await t.rejects(sent(), { statusCode: 503, code: 'TRANSACTION_UNSEEN', message: /has blocks from slot \d+ on.*archive/ })
  t.match(await tracked(), { status: 'unknown' })
  const late = await crafted()
  await stage.broadcast(late)
  t.match(await watching(late)(), { status: 'included' })
})
