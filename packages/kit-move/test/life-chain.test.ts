import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import type { Facts, Subject } from '@svc/contract'
import { startMoveChain } from '@svc/sandbox-move'
import t from 'tap'
import { type MoveDraft, move } from '../src/index.ts'
import { contextOf, refusal } from './support/node.ts'

const SUI = 10n ** 9n
const life = move.life!

const chain = await startMoveChain({ chainId: 'mainnet' })
t.teardown(() => chain.close())
const { address: validator } = await chain.createValidator({ name: 'Operator', commissionBps: 400 })
const ctx = contextOf((async (url: string, init: RequestInit) => fetch(chain.rpcUrl + new URL(url).pathname, init)) as typeof fetch)
const operate = (name: string, body: object = {}) => chain.operations[name]!.run(body as never)

type Build = MoveDraft['build']
const staking =
  (amount: bigint): Build =>
  (tx) => {
    const [coin] = tx.splitCoins(tx.gas, [tx.pure.u64(amount)])
    const args = [tx.object.system({ mutable: true }), coin, tx.pure.address(validator)]
    tx.moveCall({ target: '0x3::sui_system::request_add_stake', arguments: args })
  }
const withdrawing =
  (id: string): Build =>
  (tx) => {
    tx.moveCall({ target: '0x3::sui_system::request_withdraw_stake', arguments: [tx.object.system({ mutable: true }), tx.object(id)] })
  }

let wallets = 0
/** A wallet of its own with 100 SUI, and transactions that it signs. */
async function party({ inCoins = true } = {}) {
  wallets += 1
  const key = Ed25519Keypair.fromSecretKey(Buffer.alloc(32, wallets))
  const sender = key.toSuiAddress()
  await (inCoins ? chain.fund(sender, 100n * SUI) : chain.fundAddressBalance(sender, 100n * SUI))
  const sign = async (build: Build) => {
    const { unsigned, terms } = await move.assemble(ctx, { sender, build }, Promise.resolve())
    const { signature } = await key.signTransaction(Buffer.from(unsigned.unsigned_tx_b64, 'base64'))
    const body = { ...unsigned, signatures: [signature] }
    const { txHash } = move.names.signed(body, ctx.network)
    const bounds = life.bounds(body, ctx.network)
    const early = life.validUntil(unsigned, ctx.network, terms, ctx.now())
    if (JSON.stringify(early) !== JSON.stringify(bounds.validUntil)) throw new Error('the craft told something else than the bytes')
    let keep: Facts | null = null
    const look = async (change: Partial<Subject> = {}) => {
      const seen = await life.look(ctx, { txHash, bounds, keep, firstSeen: ctx.now(), accepted: true, ...change })
      keep = seen.keep
      return seen
    }
    return { txHash, bounds, look, send: () => move.broadcast(ctx, body) }
  }
  return { sender, sign, balance: async () => (await chain.balance(sender)).total }
}

t.test('what is executed is final, with what it paid and made', async (t) => {
  const wallet = await party()
  const stake = await wallet.sign(staking(5n * SUI))
  t.match(await stake.look(), { status: 'pending', certainty: 'likely' })
  await stake.send()
  const { receipt, fee, ...seen } = await stake.look()
  t.match(seen, { status: 'final', finality: 'final', certainty: 'proven', validUntil: { kind: 'epoch', value: '1001' }, error: null })
  t.equal(await wallet.balance(), 95n * SUI - fee!, 'the fee is what is missing')
  const [position] = receipt!.created
  t.match(position, { type: /::staking_pool::StakedSui$/, owner: wallet.sender })
  t.same(
    receipt!.balances!.map(({ amount }) => amount),
    [-5n * SUI - fee!],
  )
  t.match(await stake.look({ bounds: null, accepted: false, firstSeen: null, keep: null }), { status: 'final', fee, validUntil: null })
  const withdrawal = await wallet.sign(withdrawing(position!.id))
  t.match(withdrawal.bounds.validUntil, { kind: 'epoch', value: '1001' })
  const before = await wallet.balance()
  await withdrawal.send()
  const paid = await withdrawal.look()
  t.match(paid, { status: 'final' })
  t.equal(await wallet.balance(), before + 5n * SUI - paid.fee!, 'storage was paid back, out of the same fee')
})

t.test('a transaction whose coins another one took is replaced by it', async (t) => {
  const wallet = await party()
  const lost = await wallet.sign(staking(2n * SUI))
  await lost.look()
  const rival = await wallet.sign(staking(3n * SUI))
  await rival.send()
  t.match(await lost.look(), { status: 'replaced', certainty: 'proven', replacedBy: rival.txHash })
  t.match(await rival.look(), { status: 'final' })
  t.match(await refusal(lost.send()), { code: 'TRANSACTION_STALE' })
  // And by many.
  await (await wallet.sign(staking(4n * SUI))).send()
  t.match(await lost.look(), { status: 'replaced', replacedBy: rival.txHash }, 'as it was noted')
  t.match(await lost.look({ keep: null }), { status: 'replaced', replacedBy: null }, 'this node has everything since the beginning')
})

t.test('what waits is pending, and lands when it can', async (t) => {
  const wallet = await party()
  const held = await wallet.sign(staking(2n * SUI))
  await operate('hold', { on: true })
  t.match(await refusal(held.send()), { status: 503 })
  t.match(await held.look({ accepted: false }), { status: 'pending', certainty: 'likely' })
  await operate('hold', { on: false })
  t.match(await held.look(), { status: 'final' })

  const dropped = await wallet.sign(staking(2n * SUI))
  await operate('hold', { on: true })
  await refusal(dropped.send())
  await operate('drop', { hash: dropped.txHash })
  await operate('hold', { on: false })
  t.match(await dropped.look(), { status: 'pending' }, 'any holder of its bytes can send them again')
  await dropped.send()
  t.match(await dropped.look(), { status: 'final' })
})

t.test('of two that were sent at once the refusal of one names the other, which has won', async (t) => {
  const wallet = await party()
  const [lost, won] = [await wallet.sign(staking(2n * SUI)), await wallet.sign(staking(3n * SUI))]
  t.match(await lost.look(), { status: 'pending' })
  const [coin] = lost.bounds.facts.objects!.split('@')
  await operate('conflict', { object: coin })
  await won.send()
  t.match(await refusal(lost.send()), {
    status: 400,
    code: 'OBJECTS_LOCKED',
    message: new RegExp(`^Another transaction, ${won.txHash}, has taken`),
  })
  t.match(await lost.look(), { status: 'replaced', certainty: 'proven', replacedBy: won.txHash })
  t.match(await won.look(), { status: 'final' })
})

t.test('what an address balance pays for expires with its epochs, and not before', async (t) => {
  const wallet = await party({ inCoins: false })
  const stake = await wallet.sign(staking(2n * SUI))
  const ends = { kind: 'epoch', value: String(chain.node.epoch + 1n) }
  t.match(stake.bounds.validUntil, { ...ends, estimatedAt: null })
  const { validUntil } = await stake.look()
  t.match(validUntil, ends)
  t.equal(validUntil!.estimatedAt!.getTime(), chain.node.epochStart + 2 * 86_400_000)
  await chain.advance({ epochs: 1 })
  t.match(await stake.look(), { status: 'pending' })
  const landed = await wallet.sign(staking(3n * SUI))
  await landed.send()
  await chain.advance({ epochs: 1 })
  t.match(await stake.look(), { status: 'expired', certainty: 'proven', replacedBy: null })
  t.match(await landed.look({ keep: null }), { status: 'final' }, 'whatever epoch it is')
  t.match(await refusal(stake.send()), { code: 'TRANSACTION_EXPIRED' })
})

t.test('what failed says why', async (t) => {
  const wallet = await party()
  const late = await wallet.sign(staking(2n * SUI))
  await chain.createValidator({ name: 'Other', commissionBps: 0 })
  await operate('deactivate-validator', { validator: 'Operator' })
  await chain.advance({ epochs: 1 })
  await late.send()
  const { fee, receipt, ...failed } = await late.look()
  t.match(failed, { status: 'failed', finality: 'final', error: { code: 'VALIDATOR_INACTIVE', reason: /gas was charged/ } })
  t.equal(await wallet.balance(), 100n * SUI - fee!)
  t.same(receipt!.created, [])
})

t.test('a node that forgot says nothing of what it forgot, and all of what it did not', async (t) => {
  const wallet = await party()
  chain.node.changeValidator('Other', { leaving: false })
  const stakingWith =
    (amount: bigint): Build =>
    (tx) => {
      const [coin] = tx.splitCoins(tx.gas, [tx.pure.u64(amount)])
      const args = [tx.object.system({ mutable: true }), coin, tx.pure.address(chain.validator('Other').address)]
      tx.moveCall({ target: '0x3::sui_system::request_add_stake', arguments: args })
    }
  const [old, lost, after, kept] = [2n, 3n, 4n, 5n].map((amount) => () => wallet.sign(stakingWith(amount * SUI)))
  const landed = await old!()
  const unseen = await lost!()
  await landed.send()
  await (await after!()).send()
  await operate('prune')
  const forgotten = { status: 503, code: 'TRANSACTION_UNSEEN' }
  t.match(await refusal(landed.look()), forgotten, 'it landed, and must not be called replaced')
  t.match(await refusal(unseen.look()), forgotten)
  t.match(await landed.look({ bounds: null, accepted: false, keep: null }), { status: 'unknown' })
  const late = await kept!()
  t.match(await late.look(), { status: 'pending' })
  for (const _ of [1, 2]) await (await after!()).send()
  t.match(await late.look(), { status: 'replaced', certainty: 'proven' }, 'it was seen to be untouched since')
})
