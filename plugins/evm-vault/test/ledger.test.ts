import { bookSince } from '@svc/conformance'
import { resolveNetwork } from '@svc/core/plugins'
import t from 'tap'
import { claimDelay, operator, putAnotherVault, vaultContract } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { book } from '../src/ledger/book.ts'
import { isOf, type VaultEvent } from '../src/ledger/events.ts'
import { walk } from '../src/ledger/walk.ts'
import type { VaultNetwork } from '../src/network.ts'
import { answering, payQueue, startObserved } from './support.ts'
import { exitsWorth } from './wealth.ts'

const { stage, world } = await startObserved()
t.teardown(() => stage.close())
const { chain } = world

const ETH = 10n ** 18n
/** Another vault of the operator's. */
const ANOTHER = '0x00000000000000000000000000000000000a0744'
const settle = () => stage.world.operate('mine', { blocks: 12 })
const vault = world.vault.toLowerCase()

type Looked = Awaited<ReturnType<typeof bookSince>>

/** A wallet with 100 ETH in the vault, whose book was opened. */
async function opened() {
  const { wallet, advance } = await stage.player()
  await world.act(wallet.address, 'deposit', [wallet.address, operator], 100n * ETH)
  await settle()
  return { address: wallet.address, advance, first: await bookSince(stage, wallet.address, null) }
}

async function closed(address: string, since: Looked, of: typeof stage = stage) {
  await settle()
  const result = await bookSince(of, address, since)
  if (result.kind !== 'closed') throw new TypeError('nothing has happened')
  return result
}

/** Entries of an interval without amounts. */
const lines = ({ closing }: Awaited<ReturnType<typeof closed>>) => closing.entries.map(({ kind, from, to }) => `${kind} ${from} ${to}`)

/** The same chain with other settings. */
function after(settings: Readonly<Record<string, unknown>>): typeof stage {
  const { chainId } = stage.world
  const place = { chainId, name: 'after', path: 'networks', settings: { ...stage.world.settings, ...settings } }
  // What is stored is stored by settings.
  const store = { ...stage.direct.store, get: async () => undefined, put: async () => undefined }
  return { ...stage, direct: { ...stage.direct, memo: {}, store, network: resolveNetwork<VaultNetwork>(plugin.protocol, place) } }
}

t.test('an exit goes on earning in the queue, is paid in parts, and keeps the bucket of its request', async (t) => {
  const { address, first } = await opened()
  const receipt = await world.act(address, 'enterExitQueue', [40n * ETH, address])
  const { positionTicket: ticket } = vaultContract.abi.parseLog(receipt.logs[0] as never)!.args
  const { timestamp } = await chain.latest()
  const key = `${vault}:${ticket}`
  const entered = await closed(address, first)
  t.same([entered.closing.complete, entered.reading.amounts[`exit:${key}`]], [true, 40n * ETH])
  t.equal(entered.closing.entries.find(({ to }) => to === `exit_worth:${key}`)?.amount, entered.reading.amounts[`exit_worth:${key}`])
  t.same(lines(entered).slice(0, 2), [`exit_requested shares:${vault} exit:${key}`, `exit_requested worth:${vault} exit_worth:${key}`])

  // Without free ETH, so that nothing of the queue is paid.
  await world.control('vault', 'sweep')
  await world.publish((world.report?.reward ?? 0n) + 50n * ETH)
  await world.harvest()
  const grown = await closed(address, entered)
  t.same(lines(grown), [`revaluation chain exit_worth:${key}`, `revaluation chain worth:${vault}`], 'what waits grows with what stays')

  await payQueue(world, 10n * ETH)
  const partly = await closed(address, grown)
  t.equal(partly.reading.amounts[`exit:${key}`], 40n * ETH, 'what is paid is the exit’s until it is claimed')
  t.equal(partly.reading.amounts[`exit_worth:${key}`], await exitsWorth(world, address))

  await chain.moveTime(claimDelay)
  const index = await world.read<bigint>('getExitQueueIndex', [ticket])
  await world.act(address, 'claimExitedAssets', [ticket, timestamp, index])
  const claimed = await closed(address, partly)
  t.same(lines(claimed).slice(0, 2), [`withdrawal exit:${key} chain`, `withdrawal exit_worth:${key} wallet`])
  const left = claimed.reading.amounts[`exit:${key}`] ?? 0n
  t.ok(left > 0n && left < 40n * ETH, `${left} tickets wait in the bucket of the request`)
  const [moved] = Object.entries(claimed.reading.keep)
  t.equal(moved?.[0], `exit:${key}`, 'with the ticket that they have now')
  t.equal(BigInt(moved?.[1] ?? 0), ticket + 40n * ETH - left)

  await payQueue(world, 100n * ETH)
  const rest = BigInt(moved?.[1] ?? 0)
  await world.act(address, 'claimExitedAssets', [rest, timestamp, await world.read('getExitQueueIndex', [rest])])
  const paid = await closed(address, claimed)
  t.same(
    [paid.closing.complete, paid.reading.amounts[`exit:${key}`], paid.reading.amounts[`exit_worth:${key}`]],
    [true, undefined, undefined],
  )
  for (const each of [entered, grown, partly, claimed, paid]) t.same(each.closing.reasons, [])
})

t.test('a loss is a revaluation from the position to the chain, of what waits too', async (t) => {
  const { address, first } = await opened()
  await world.act(address, 'enterExitQueue', [ETH, address])
  const entered = await closed(address, first)
  await world.publish((world.report?.reward ?? 0n) - 300n * ETH)
  await world.harvest()
  const lost = await closed(address, entered)
  t.match(lost.closing.complete, true)
  t.same(
    lost.closing.entries.map(({ kind, to, asset, tx }) => [kind, to, asset, tx]),
    [
      ['revaluation', 'chain', 'native', null],
      ['revaluation', 'chain', 'native', null],
    ],
  )
})

t.test('a single ticket that is left waits before version 5, and goes with the rest in it', async (t) => {
  const { address, first } = await opened()
  // A share is worth more than a wei, so that what the queue is paid is worth a share less than the queue.
  await world.publish((world.report?.reward ?? 0n) + 1_000n * ETH)
  await payQueue(world, 1_000n * ETH)
  t.ok((await world.read<bigint>('convertToAssets', [ETH])) > ETH)
  const receipt = await world.act(address, 'enterExitQueue', [40n * ETH + 1n, address])
  const { positionTicket: ticket } = vaultContract.abi.parseLog(receipt.logs[0] as never)!.args
  const { timestamp } = await chain.latest()
  await payQueue(world, 1_000n * ETH)
  const left = async () => {
    const index = await world.read<bigint>('getExitQueueIndex', [ticket])
    const [waiting] = await world.read<readonly bigint[]>('calculateExitedAssets', [address, ticket, timestamp, index])
    return waiting
  }
  const inFive = await closed(address, first)
  t.same([await left(), inFive.closing.complete], [0n, true])
  await world.control('vault', 'setVersion', 4, 86_400)
  t.teardown(() => world.control('vault', 'setVersion', 5, claimDelay))
  const inFour = await closed(address, inFive)
  t.same([await left(), inFour.closing.complete], [1n, true])
  t.equal(inFour.reading.amounts[`exit_worth:${vault}:${ticket}`], await exitsWorth(world, address))
})

t.test('a book goes on in another vault: each has buckets of its own, and tickets of its own', async (t) => {
  const { address, first } = await opened()
  await putAnotherVault(world, ANOTHER)
  const changed = after({ vault: ANOTHER, former_validators: [world.vault] })
  const there = (method: string, args: readonly unknown[], value = 0n) =>
    chain.send({ from: address, to: ANOTHER, data: vaultContract.abi.encodeFunctionData(method, args), value })
  await world.act(address, 'enterExitQueue', [5n * ETH, address])
  await there('deposit', [address, operator], 10n * ETH)
  await there('enterExitQueue', [3n * ETH, address])
  const second = await closed(address, first, changed)
  t.same(second.closing.reasons, [])
  t.equal(second.reading.amounts[`shares:${ANOTHER}`], 7n * ETH)
  t.ok((second.reading.amounts[`shares:${vault}`] ?? 0n) > 90n * ETH, 'what was the present vault’s is the former one’s')
  t.match(lines(second), [
    new RegExp(`^exit_requested shares:${vault} exit:${vault}:`),
    new RegExp(`^exit_requested worth:${vault} exit_worth:${vault}:`),
    `deposit chain shares:${ANOTHER}`,
    `deposit wallet worth:${ANOTHER}`,
    `withdrawal shares:${ANOTHER} chain`,
    `withdrawal worth:${ANOTHER} wallet`,
  ])
  const left = await closed(address, second, after({ vault: ANOTHER }))
  t.equal(left.closing.complete, false, 'a vault that no setting names is out of the book, and said to be')

  // Accounts with vaults of their own have one client.
  await world.control('keeper', 'collateralize', ANOTHER)
  await there('enterExitQueue', [ETH, address])
  await settle()
  await book.reading(after({}).direct as never, address)
  const { amounts } = await book.reading(after({ vault: ANOTHER }).direct as never, address)
  t.equal(amounts[`exit:${ANOTHER}:0`], ETH, 'what is known of the events of one vault is not taken for those of another')
})

t.test('a vault of version 2, whose exits follow other rules, is not declared, and neither are its exits after an upgrade', async (t) => {
  const { address, first } = await opened()
  await world.control('vault', 'setVersion', 2, 86_400)
  t.teardown(() => world.control('vault', 'setVersion', 5, claimDelay))
  const second = await closed(address, first)
  t.same([second.closing.complete, second.reading.amounts], [false, {}])
  t.ok(second.closing.reasons.includes('not_declared'))
  const third = await closed(address, second)
  t.same(third.closing.reasons, ['not_declared'], 'nothing else is missing, so that no endpoint is asked again')
  await world.control('vault', 'setVersion', 5, claimDelay)
  const upgraded = await closed(address, third)
  t.ok(upgraded.closing.reasons.includes('not_declared'), 'what was there before is not known')
  await world.act(address, 'deposit', [address, operator], ETH)
  t.same((await closed(address, upgraded)).closing.reasons, [], 'from then on it is')
  await world.control('vault', 'setVersion', 2, 86_400)
  await world.act(address, 'enterExitQueue', [ETH, address])
  await world.control('vault', 'setVersion', 5, claimDelay)
  t.ok((await closed(address, upgraded)).closing.reasons.includes('not_declared'), 'with an exit that is left from it')
})

t.test('a reading takes three round trips of five calls, or of seven with exits, and the subgraph is not asked', async (t) => {
  const { address } = await opened()
  t.teardown(() => stage.upstream.interfere(null))
  let calls = 0
  stage.upstream.interfere(({ url, body }) => {
    if (url.includes('subgraph')) return Promise.reject(new TypeError('the subgraph is asked'))
    // Which chain it is, and how recent its head, is asked in every round trip.
    calls += [JSON.parse(body) as unknown].flat().length - 2
    return null
  })
  const read = async () => {
    calls = 0
    // A book asks with an empty memory, and what is known of a vault's events is known by the client.
    const { usage, result } = await stage.upstream.measure(() => book.reading({ ...stage.direct, memo: {} } as never, address))
    return { usage, calls, buckets: Object.keys(result.amounts).length }
  }
  await read()
  const usage = { waves: 3, calls: 3 }
  t.same(await read(), { usage, calls: 5, buckets: 2 })
  await world.act(address, 'enterExitQueue', [ETH, address])
  await world.act(address, 'enterExitQueue', [2n * ETH, address])
  await settle()
  t.same(await read(), { usage, calls: 7, buckets: 6 })
})

t.test('a node whose head is before the last final block cannot have the exits of these blocks, and the book waits', async (t) => {
  const { address, first } = await opened()
  t.teardown(() => stage.upstream.interfere(null))
  const block = (await chain.rpc('eth_getBlockByNumber', ['latest', false])) as Readonly<Record<string, string>>
  const earlier = `0x${(Number(block.number) - 9).toString(16)}`
  const isLatest = (method: string, [at]: readonly unknown[]) => method === 'eth_getBlockByNumber' && at === 'latest'
  answering(stage, ({ method, params }) => (isLatest(method, params) ? { result: { ...block, number: earlier } } : undefined))
  await t.rejects(bookSince(stage, address, first), { statusCode: 503, code: 'UPSTREAM_BEHIND' })
})

const log = { address: vault, topics: [], data: '0x', block: 9n, blockHash: '0x', tx: '0xaa', index: 0 }
const holder = `0x${'11'.repeat(20)}`
const [nobody, other] = [`0x${'00'.repeat(20)}`, `0x${'22'.repeat(20)}`]
const V = `0x${'33'.repeat(20)}`
const transfer = (from: string, to: string): VaultEvent => ({ name: 'Transfer', from, to, shares: 5n, log })
const entered = (owner: string, receiver: string): VaultEvent => ({
  name: 'ExitQueueEntered',
  owner,
  receiver,
  ticket: 0n,
  shares: 5n,
  log,
})
const claim = (ticket: bigint, newTicket: bigint): VaultEvent => ({ name: 'ExitedAssetsClaimed', ticket, newTicket, assets: 6n, log })
/** What a walk says, where a block says a worth. */
function told(worth: bigint | 'pruned', ...events: VaultEvent[]) {
  const { moves, missing } = walk(holder, V, new Map([[100n, { first: 90n, tickets: 8n }]]), events, () => worth)
  return [missing, ...moves.map(({ kind, amount, from, to }) => `${kind} ${amount} ${from} ${to}`.replaceAll(`:${V}`, ''))]
}

t.test('who pays, owns and receives is told apart', (t) => {
  const deposit: VaultEvent = { name: 'Deposited', caller: holder, assets: 6n, shares: 5n, log }
  t.same(told(7n, deposit), [null, 'deposit 5 chain shares', 'deposit 6 wallet worth'])
  t.same(told(7n, { ...deposit, caller: other }), [null, 'transfer_in 5 chain shares', 'transfer_in 6 others worth'])
  const redeemed: VaultEvent = { name: 'Redeemed', receiver: holder, assets: 6n, shares: 5n, log }
  t.same(told(7n, redeemed), [null, 'withdrawal 5 shares chain', 'withdrawal 6 worth wallet'])
  t.same(told(7n, { ...redeemed, receiver: other }), [null, 'withdrawal 5 shares chain', 'withdrawal 6 worth others'])
  t.same(told(7n, { ...redeemed, name: 'OsTokenTaken' }), [null, 'withdrawal 5 shares chain', 'withdrawal 6 worth wallet'])
  t.same(told(7n, { ...redeemed, name: 'OsTokenTaken', receiver: other }), [
    null,
    'transfer_out 5 shares chain',
    'transfer_out 6 worth others',
  ])
  t.same(told(7n, { name: 'Migrated', assets: 6n, shares: 5n, log }), [null, 'transfer_in 5 chain shares', 'transfer_in 6 others worth'])
  t.same(told(7n, { name: 'FeeSharesMinted', assets: 6n, shares: 5n, log }), [null, 'reward 5 chain shares', 'reward 6 chain worth'])
  t.same(told(7n, entered(holder, holder)), [null, 'exit_requested 5 shares exit:0', 'exit_requested 7 worth exit_worth:0'])
  t.same(told(7n, entered(holder, other)), [null, 'exit_requested 5 shares others', 'exit_requested 7 worth others'])
  t.same(told(7n, entered(other, holder)), [null, 'transfer_in 5 others exit:0', 'transfer_in 7 others exit_worth:0'])
  t.same(told(7n, transfer(holder, other)), [null, 'transfer_out 5 shares others', 'transfer_out 7 worth others'])
  t.same(told(7n, transfer(other, holder)), [null, 'transfer_in 5 others shares', 'transfer_in 7 others worth'])
  t.end()
})

t.test('claims empty the bucket of the request, in part and in full, and what cannot be leaves the interval open', (t) => {
  const full = ['withdrawal 5 exit:0 chain', 'withdrawal 6 exit_worth:0 wallet']
  t.same(told(7n, entered(holder, holder), claim(0n, 0n)).slice(3), full)
  t.same(told(7n, claim(100n, 103n), claim(103n, 0n)), [
    null,
    'withdrawal 3 exit:90 chain',
    'withdrawal 6 exit_worth:90 wallet',
    'withdrawal 5 exit:90 chain',
    'withdrawal 6 exit_worth:90 wallet',
  ])
  t.same(told(7n, claim(90n, 0n)), ['flow_missing'], 'a ticket that the exit has no more')
  t.same(told(7n, claim(100n, 109n)), ['flow_missing'], 'more than it had')
  t.same(told(7n, claim(100n, 100n)), ['flow_missing'], 'nothing')
  t.same(told('pruned', entered(holder, holder)), ['pruned', 'exit_requested 5 shares exit:0'])
  t.same(told('pruned', transfer(holder, other)), ['pruned', 'transfer_out 5 shares others'])
  t.same(told(7n, { name: 'V2ExitQueueEntered', log }), ['not_declared'])
  t.end()
})

t.test('a transfer that belongs to another event moves nothing of its own', (t) => {
  for (const each of [transfer(nobody, holder), transfer(holder, nobody), transfer(holder, holder)]) t.same(told(7n, each), [null])
  t.equal(told(7n, entered(holder, holder), transfer(holder, V)).length, 3)
  t.equal(told(7n, { name: 'Redeemed', receiver: holder, assets: 6n, shares: 5n, log }, transfer(holder, V)).length, 3)
  const gift = [null, 'transfer_out 5 shares others', 'transfer_out 7 worth others']
  t.same(told(7n, transfer(holder, V)), gift, 'to the vault, without an exit')
  t.same(told(7n, entered(holder, holder), transfer(holder, other)).slice(3), gift.slice(1))
  t.same(told(7n, { ...entered(holder, holder), log: { ...log, tx: '0xbb' } } as VaultEvent, transfer(holder, V)).slice(3), gift.slice(1))
  t.same(told(7n, { ...entered(holder, holder), shares: 4n } as VaultEvent, transfer(holder, V)).slice(3), gift.slice(1))
  t.end()
})

t.test('a log is about whom its topics name, or the first word of its data where none of them does', (t) => {
  const word = `0x${holder.slice(2).padStart(64, '0')}`
  const isOwn = isOf(holder.toUpperCase().replace('0X', '0x'), { vault: world.vault } as VaultNetwork)
  const topic = (name: string) => vaultContract.abi.getEvent(name)?.topicHash ?? ''
  const of = (topics: readonly string[], data = '0x', address = vault) => isOwn({ address, topics, data })
  t.ok(of([topic('Deposited'), nobody, word]))
  t.notOk(of([topic('Deposited'), word, nobody]), 'who pays for somebody else')
  t.notOk(of([topic('Redeemed'), nobody, word]), 'who is paid for somebody else’s shares')
  t.ok(of([topic('ExitQueueEntered'), nobody, word]))
  t.ok(of([topic('FeeSharesMinted')], `${word}00`))
  t.notOk(of([topic('FeeSharesMinted')], `0x${'00'.repeat(32)}${word.slice(2)}`))
  t.notOk(of([topic('CheckpointCreated'), word, word]))
  t.notOk(of([topic('Deposited'), nobody, word], '0x', other), 'of another contract')
  t.end()
})
