import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { bookSince, type Player, startStage } from '@svc/conformance'
import { moveFamily } from '@svc/conformance/move'
import { exactNumber, parseAmount } from '@svc/contract'
import t from 'tap'
import { scenarios } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'
import { keyOf } from './wealth.ts'

const { scenario, chain } = onChain(scenarios[0]!)
const stage = await startStage({ plugin, scenario, family: moveFamily })
t.teardown(() => stage.close())

const SUI = 1_000_000_000n
const STRANGER = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(9))

/** A wallet with a stake that has earned, and whose book was opened. */
async function opened() {
  const player = await stage.player()
  await player.act('stake', { amount: exactNumber('500.000000001') })
  await player.advance({ epochs: 4 })
  return { player, address: player.wallet.address, first: await bookSince(stage, player.wallet.address, null) }
}

async function closed({ address, first }: Pick<Awaited<ReturnType<typeof opened>>, 'address' | 'first'>) {
  await chain().move.advance({ seconds: 1 })
  const result = await bookSince(stage, address, first)
  if (result.kind !== 'closed') throw new TypeError('nothing was closed')
  return result
}

const kindsOf = ({ closing }: Awaited<ReturnType<typeof closed>>) => closing.entries.map(({ kind }) => kind)
const idOf = async (player: Player) => (await player.position()).objects![0]!.id
const forced = async (code: string, method: string, times: number) =>
  void (await stage.world.operate('status', { code, message: `0x5 ${method}`, method, times }))

t.test('a node without the list of transactions leaves the interval open, and says why', async (t) => {
  const book = await opened()
  await book.player.advance({ epochs: 1 })
  await forced('UNIMPLEMENTED', 'ListTransactions', 100)
  const open = await closed(book)
  await stage.world.operate('status', { code: 'OK' })
  t.same([open.closing.complete, open.closing.reasons.includes('no_index')], [false, true])
  t.notOk(kindsOf(open).includes('reward'))
  t.same((await closed(book)).closing.complete, true, 'once it has it again all is explained')
})

t.test('a node that has forgotten the transactions leaves the interval open, and says why', async (t) => {
  const book = await opened()
  await book.player.act('stake', { amount: 1 })
  await stage.world.operate('prune')
  const open = await closed(book)
  t.same([open.closing.complete, open.closing.reasons.includes('pruned')], [false, true])
  t.ok(kindsOf(open).includes('unexplained'), 'the new stake has no flow')
})

t.test('what the wallet has given away has gone to others, and its rewards with it', async (t) => {
  const book = await opened()
  const id = await idOf(book.player)
  const { rewards } = await book.player.position()
  await chain().run(keyOf(book), (tx) => tx.transferObjects([tx.object(id)], STRANGER.toSuiAddress()))
  const { closing, reading } = await closed(book)
  t.same(
    closing.entries.map(({ kind, amount, to }) => [kind, amount, to]),
    [
      ['transfer_out', 500_000_000_001n, 'others'],
      ['transfer_out', parseAmount(rewards ?? '0', 9), 'others'],
    ],
  )
  t.same([closing.complete, reading.amounts], [true, {}])
})

t.test('an object that moved without a transaction is not explained', async (t) => {
  const book = await opened()
  await stage.world.operate('put-into', { object: await idOf(book.player), into: `0x${'5'.padStart(64, '0')}` })
  const { closing } = await closed(book)
  t.same([closing.complete, closing.reasons.includes('flow_missing')], [false, true])
})

t.test('what comes and goes between two readings is in the book with what it has earned meanwhile', async (t) => {
  const player = await stage.player()
  const address = player.wallet.address
  const first = await bookSince(stage, address, null)
  const given = await chain().move.giveStake(STRANGER.toSuiAddress(), 'halley', 700n * SUI)
  await chain().move.fund(STRANGER.toSuiAddress(), '5')
  await player.advance({ epochs: 2 })
  await chain().run(STRANGER, (tx) => tx.transferObjects([tx.object(given)], address))
  await player.advance({ epochs: 3 })
  await chain().run(keyOf({ player }), (tx) => tx.transferObjects([tx.object(given)], STRANGER.toSuiAddress()))
  const result = await closed({ address, first })
  t.same([result.closing.complete, result.reading.amounts], [true, {}])
  t.same(kindsOf(result), ['transfer_in', 'transfer_in', 'transfer_out', 'transfer_out', 'reward'])
  const amounts = result.closing.entries.map(({ amount }) => amount)
  t.equal(amounts[3], (amounts[1] ?? 0n) + (amounts[4] ?? 0n), 'its rewards go with it')
})

t.test('stake with a validator that has left is in the book, and earns nothing more', async (t) => {
  const player = await stage.player()
  const address = player.wallet.address
  const id = await chain().move.giveStake(address, 'galileo', 900n * SUI)
  await player.advance({ epochs: 3 })
  const first = await bookSince(stage, address, null)
  chain().leaves('galileo')
  await player.advance({ epochs: 2 })
  const left = await closed({ address, first })
  t.same([left.closing.complete, kindsOf(left)], [true, ['reward']])
  await player.advance({ epochs: 2 })
  const idle = await closed({ address, first: left })
  t.same([idle.closing.complete, kindsOf(idle)], [true, []])
  await player.act('unstake', { staked_sui_object_id: id })
  const end = await closed({ address, first: idle })
  t.same([end.closing.complete, kindsOf(end), end.reading.amounts], [true, ['withdrawal', 'claim'], {}])
})
