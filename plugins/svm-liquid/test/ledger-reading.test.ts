import { bookSince, startStage } from '@svc/conformance'
import { type SvmWallet, svmFamily } from '@svc/conformance/svm'
import { exactNumber, formatAmount, membersOf } from '@svc/contract'
import type { BookReading } from '@svc/contract/book'
import { Keypair, PublicKey } from '@svc/solana'
import t from 'tap'
import { tokenAccountOf } from '../src/chain/derived-addresses.ts'
import plugin from '../src/index.ts'
import { book } from '../src/ledger/book.ts'
import type { LiquidContext } from '../src/network.ts'
import { poolOf } from '../src/network.ts'
import { onChain } from './chain.ts'
import { instructionsOn, runPast } from './pool-instructions.ts'

const { scenario, chain } = onChain()
const stage = await startStage({ plugin, scenario, family: svmFamily })
t.teardown(() => stage.close())
const direct = stage.direct as never as LiquidContext
const own = poolOf(direct.network)
const { associated, createAccount, transfer, close } = instructionsOn(chain)
const seeded = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte))
const settle = () => chain().svm.mine(40)

/** The chain's client, some of whose answers are changed. */
function toldOtherwise(change: (method: string, params: readonly unknown[], answer: unknown) => unknown): LiquidContext {
  const rpc = ((method: string, params: readonly unknown[], read: (answer: unknown) => unknown, ...more: []) =>
    direct.client.rpc(method, params, (answer) => read(change(method, params, answer)), ...more)) as LiquidContext['client']['rpc']
  return { ...direct, client: { ...direct.client, rpc } }
}
/** Changes the data of one account of a call of several. */
const withData =
  (address: string, change: (data: Buffer) => void) =>
  (_method: string, [addresses]: readonly unknown[], answer: unknown) => {
    const index = Array.isArray(addresses) && addresses.length > 1 ? addresses.indexOf(address) : -1
    const copy = structuredClone(answer) as { value: { data: [string, string] }[] }
    const account = index < 0 ? undefined : copy.value[index]
    if (account === undefined) return answer
    const data = Buffer.from(account.data[0], 'base64')
    change(data)
    account.data[0] = data.toString('base64')
    return copy
  }

async function holder() {
  const player = await stage.player()
  await player.act('stake', { amount: 100 })
  await settle()
  return { player, address: player.wallet.address }
}

t.test('a reading is whole and of one slot, or it is none', async (t) => {
  const { address } = await holder()
  const whole = await book.reading(direct, address)
  const account = tokenAccountOf(address, own).toBase58()
  t.match(whole.keep, { [account]: `${chain().tokens(address)}`, pool: own.pool })
  t.match(whole.amounts, { tokens: chain().tokens(address) })
  t.equal(whole.amounts.worth, (chain().tokens(address) * chain().record().totalLamports) / chain().record().supply)
  const total = 258
  for (const [what, change] of [
    ['a lamport more in the pool', withData(own.pool, (data) => data.writeBigUInt64LE(data.readBigUInt64LE(total) + 1n, total))],
    ['another slot', withData('SysvarC1ock11111111111111111111111111111111', (data) => data.writeBigUInt64LE(data.readBigUInt64LE() + 1n))],
    [
      'another epoch',
      withData('SysvarC1ock11111111111111111111111111111111', (data) => data.writeBigUInt64LE(data.readBigUInt64LE(16) + 1n, 16)),
    ],
    ['other epochs', withData('SysvarEpochSchedu1e111111111111111111111111', (data) => data.writeBigUInt64LE(data.readBigUInt64LE() / 2n))],
  ] as const)
    await t.rejects(book.reading(toldOtherwise(change), address), { code: 'UPSTREAM_ERROR' }, what)
  const richer = withData(account, (data) => data.writeBigUInt64LE(2n ** 60n, 64))
  await t.rejects(book.reading(toldOtherwise(richer), address), { code: 'POOL_UNREADABLE' }, 'tokens that there are not')
  const listing = (entries: readonly string[]) =>
    toldOtherwise((method, _params, answer) =>
      method === 'getTokenAccountsByOwner' ? { ...membersOf(answer), value: entries.map((pubkey) => ({ pubkey })) } : answer,
    )
  const stranger = chain().record().managerFeeAccount
  await t.rejects(book.reading(listing([account, stranger]), address), { code: 'UPSTREAM_ERROR' }, "an account that is somebody else's")
  await t.rejects(book.reading(listing([account, account]), address), { code: 'UPSTREAM_ERROR' }, 'an account twice')
  await t.rejects(book.reading(listing(['none']), address), { code: 'UPSTREAM_ERROR' }, 'no address')
  t.same((await book.reading(listing([]), address)).amounts, whole.amounts, 'the associated account is read by itself')
})

t.test('a wallet of more accounts than one call reads has no book, nor has an interval of two pools', async (t) => {
  const { address } = await holder()
  const first = await book.reading(direct, address)
  const many = Array.from({ length: 97 }, (_, index) => ({ pubkey: Keypair.fromSeed(new Uint8Array(32).fill(index)).publicKey.toBase58() }))
  const crowded = toldOtherwise((method, _params, answer) =>
    method === 'getTokenAccountsByOwner' ? { ...membersOf(answer), value: many } : answer,
  )
  await settle()
  const second = await book.reading(crowded, address)
  t.same(await book.flows!(direct, address, first, second), { flows: [], missing: 'not_declared' })
  const other: BookReading = { ...first, keep: { ...first.keep, pool: address } }
  t.same(await book.flows!(direct, address, other, await book.reading(direct, address)), { flows: [], missing: 'not_declared' })
})

t.test(
  'a pool that has lost is a revaluation out of the position, and what a pool has paid needs no price that a reading shows',
  async (t) => {
    const { player, address } = await holder()
    const first = await bookSince(stage, address, null)
    await stage.world.operate('pool-loss', { amount: '2000' })
    await player.advance({ epochs: 1 })
    await settle()
    const lost = await bookSince(stage, address, first)
    t.match(lost, {
      closing: { complete: true, entries: [{ kind: 'revaluation', from: 'worth', to: 'chain', asset: 'native', tx: null }] },
    })
    if (lost.kind !== 'closed') throw new TypeError('nothing has happened')
    t.equal(lost.closing.entries.length, 1)

    await player.advance({ epochs: 1 })
    const before = chain().tokens(address)
    await player.act('unstake', { amount: 3 })
    await player.advance({ epochs: 3 })
    await settle()
    const paid = await bookSince(stage, address, lost)
    t.match(paid, { closing: { complete: true } })
    t.equal(before - chain().tokens(address), 3_000_000_000n)
  },
)

t.test('what comes and goes within an interval is told, although neither reading shows an account', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await settle()
  const first = await bookSince(stage, address, null)
  await player.act('stake', { amount: 7 })
  await player.act('unstake', { amount: exactNumber(formatAmount(chain().tokens(address), 9)) })
  await runPast(chain(), player.wallet as SvmWallet, [close(tokenAccountOf(address, own), new PublicKey(address))])
  await settle()
  const result = await bookSince(stage, address, first)
  if (result.kind !== 'closed') throw new TypeError('nothing has happened')
  t.equal(result.closing.complete, true)
  t.same(result.reading.amounts, {})
  const kinds = result.closing.entries.filter(({ tx }) => tx !== null).map(({ kind, asset }) => `${kind} ${asset}`)
  t.same(kinds, ['deposit pool_token', 'deposit native', 'fee native', 'withdrawal pool_token', 'withdrawal native', 'fee native'])
})

t.test('what passes through an account that no reading shows, and that others have made and filled, is told both ways', async (t) => {
  const { player, address } = await holder()
  const [wallet, stranger, account] = [new PublicKey(address), seeded(101), seeded(102)]
  await chain().svm.fund(stranger.publicKey.toBase58(), 10n ** 12n)
  chain().svm.mintTo(own.mint, stranger.publicKey.toBase58(), 500n)
  await settle()
  const first = await bookSince(stage, address, null)
  const theirs = associated(stranger.publicKey)
  await runPast(chain(), stranger, createAccount(stranger.publicKey, account, wallet), [account])
  await runPast(chain(), stranger, [transfer(theirs, account.publicKey, stranger.publicKey, 500n)])
  await runPast(chain(), player.wallet as SvmWallet, [transfer(account.publicKey, theirs, wallet, 500n), close(account.publicKey, wallet)])
  await settle()
  const result = await bookSince(stage, address, first)
  if (result.kind !== 'closed') throw new TypeError('nothing has happened')
  t.equal(result.closing.complete, true)
  const tokens = result.closing.entries.filter(({ asset }) => asset === 'pool_token').map(({ kind, amount }) => `${kind} ${amount}`)
  t.same(tokens, ['transfer_in 500', 'transfer_out 500'])
})

t.test('a record that another answer contradicts is not relied on, nor a list from which one is left out', async (t) => {
  const { player, address } = await holder()
  const first = await book.reading(direct, address)
  await player.act('stake', { amount: 3 })
  await settle()
  const second = await book.reading(direct, address)
  t.match(await book.flows!(direct, address, first, second), { missing: null })
  const changed = (only: string, change: (answer: Answer) => unknown) =>
    toldOtherwise((method, _params, answer) => (method === only && answer !== null ? change(structuredClone(answer) as Answer) : answer))
  const missingBy = async (only: string, change: (answer: Answer) => unknown) =>
    (await book.flows!(changed(only, change), address, first, second)).missing
  const record = 'getTransaction'
  t.equal(await missingBy(record, (answer) => ({ ...answer, slot: answer.slot - 1 })), 'endpoint_disagrees', 'its slot')
  const burnt = (answer: Answer) => ({
    ...answer,
    meta: { ...answer.meta, postBalances: answer.meta.postBalances.with(-1, answer.meta.postBalances.at(-1)! - 1) },
  })
  t.equal(await missingBy(record, burnt), 'endpoint_disagrees', 'a lamport is gone')
  t.equal(await missingBy(record, () => null), 'pruned', 'nobody keeps it')
  const list = 'getSignaturesForAddress'
  const listed = (change: (entries: readonly Entry[]) => readonly Entry[]) => missingBy(list, (answer) => change(answer as never))
  t.equal(await listed((entries) => entries.slice(1)), 'flow_missing', 'the last one is hidden')
  t.equal(await listed(([last, ...rest]) => [{ ...last!, err: 'AccountInUse' }, ...rest]), 'endpoint_disagrees', 'said to have failed')
})

interface Answer {
  readonly slot: number
  readonly meta: { readonly postBalances: readonly number[] }
}
interface Entry {
  readonly err: unknown
}
