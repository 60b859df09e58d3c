import { bookSince } from '@svc/conformance'
import t from 'tap'
import { claimDelay, operator, vaultContract } from '../sandbox/index.ts'
import { readLatestBlock } from '../src/chain/blocks.ts'
import { readExitsAt } from '../src/events/exit-events.ts'
import type { VaultContext } from '../src/network.ts'
import { payQueue, startObserved } from './support.ts'

const { stage, world } = await startObserved()
t.teardown(() => stage.close())
t.afterEach(() => stage.upstream.interfere(null))
const { chain } = world

const ETH = 10n ** 18n
const settle = () => stage.world.operate('mine', { blocks: 12 })
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const topic = (name: string) => vaultContract.abi.getEvent(name)?.topicHash ?? ''
const vault = world.vault.toLowerCase()

interface Log {
  readonly topics: readonly string[]
  readonly data: string
}
interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly { readonly topics?: readonly (readonly string[])[] }[]
}

/** Makes the chain's node change its answers to one method. @param change of what was asked and what is answered */
function lying(method: string, change: (call: Call, result: unknown) => unknown): void {
  stage.upstream.interfere(async ({ body, url }, pass) => {
    if (url.includes('subgraph')) return pass()
    const calls = [JSON.parse(body) as Call | Call[]].flat()
    const answers = [(await (await pass()).json()) as object | object[]].flat() as { id: number; result: unknown }[]
    const changed = answers.map((answer) => {
      const call = calls.find(({ id }) => id === answer.id)
      return call?.method === method ? { ...answer, result: change(call, answer.result) } : answer
    })
    return Response.json(body.startsWith('[') ? changed : changed[0])
  })
}
/** One word of what contracts answer is another. */
const saying = (...words: readonly (readonly [bigint, bigint])[]) =>
  lying('eth_call', (_call, result) => words.reduce((text, [own, other]) => text.replaceAll(word(own), word(other)), String(result)))
/** Logs of an event are left out of the index of exits, or of the list of flows, which asks for more events. */
const hiding = (name: string, from: 'index' | 'flows') =>
  lying('eth_getLogs', ({ params }, result) => {
    const isIndex = (params[0]?.topics?.[0]?.length ?? 0) < 6
    return isIndex === (from === 'index') ? (result as Log[]).filter(({ topics }) => topics[0] !== topic(name)) : result
  })

/** The status with which a look is refused; 200 where it is not. */
const statusOf = (look: Promise<unknown>): Promise<number> =>
  look.then(
    () => 200,
    ({ statusCode }: { statusCode: number }) => statusCode,
  )

/** A wallet whose exit of 40 shares was paid in part, and whose book was opened. */
async function opened() {
  const { wallet } = await stage.player()
  const { address } = wallet
  // What others have left in the queue is paid first.
  await payQueue(world, 1_000n * ETH)
  await world.act(address, 'deposit', [address, operator], 100n * ETH)
  const receipt = await world.act(address, 'enterExitQueue', [40n * ETH, address])
  const { positionTicket: ticket } = vaultContract.abi.parseLog(receipt.logs[0] as never)!.args as unknown as { positionTicket: bigint }
  const { timestamp } = await chain.latest()
  await world.control('vault', 'sweep')
  await payQueue(world, 10n * ETH)
  await settle()
  const index = await world.read<bigint>('getExitQueueIndex', [ticket])
  const [left, exited, assets] = await world.read<readonly [bigint, bigint, bigint]>('calculateExitedAssets', [
    address,
    ticket,
    timestamp,
    index,
  ])
  return { address, ticket, timestamp, index, left, exited, assets, first: await bookSince(stage, address, null) }
}

t.test('a node that changes a word of what an exit has come to, or of a worth, is believed nothing: the book waits', async (t) => {
  const { address, left, exited, assets, first } = await opened()
  const shares = await world.read<bigint>('getShares', [address])
  const [totalAssets, totalShares] = [await world.read<bigint>('totalAssets'), await world.read<bigint>('totalShares')]
  const worths = [await world.read<bigint>('convertToAssets', [shares]), await world.read<bigint>('convertToAssets', [left])]
  const more = (value: bigint) => [value, value + 1n] as const
  for (const [name, ...words] of [
    ['the ETH of an exit', more(assets)],
    ['the tickets that wait', more(left)],
    ['the tickets that were paid', more(exited)],
    ['both of them', more(left), [exited, exited - 1n]],
    ['the worth of the shares', more(worths[0]!)],
    ['the worth of what waits', more(worths[1]!)],
    ['all assets', [totalAssets, totalAssets + ETH]],
    ['all shares', [totalShares, totalShares - ETH]],
  ] as const) {
    saying(...words)
    t.equal(await statusOf(bookSince(stage, address, first)), 502, name)
  }
  stage.upstream.interfere(null)
  await settle()
  t.equal((await bookSince(stage, address, first)).kind, 'closed')
})

t.test('a checkpoint that is hidden makes the book wait: the vault has turned tickets into ETH that nobody tells of', async (t) => {
  const { address, first } = await opened()
  hiding('CheckpointCreated', 'index')
  t.equal(await statusOf(bookSince(stage, address, first)), 502)
})

t.test('a claim that is hidden leaves an exit that the vault does not know, and hidden from the flows it is missing', async (t) => {
  const { address, ticket, timestamp, index, first } = await opened()
  await payQueue(world, 100n * ETH)
  await chain.moveTime(claimDelay)
  await world.act(address, 'claimExitedAssets', [ticket, timestamp, index])
  await settle()
  hiding('ExitedAssetsClaimed', 'index')
  t.match(await bookSince(stage, address, first), { kind: 'closed', closing: { complete: true } })
  hiding('ExitedAssetsClaimed', 'flows')
  t.match(await bookSince(stage, address, first), { kind: 'closed', closing: { complete: false, reasons: ['flow_missing'] } })
})

t.test('an exit that is hidden is missing where it was, and its request where it comes', async (t) => {
  const { address, first } = await opened()
  await settle()
  hiding('ExitQueueEntered', 'index')
  t.match(await bookSince(stage, address, first), { closing: { complete: false, reasons: ['flow_missing'] } })
})

t.test('a log that its receipt has otherwise is told by nobody', async (t) => {
  const { address, first } = await opened()
  await world.act(address, 'deposit', [address, operator], 7n * ETH)
  await settle()
  lying('eth_getLogs', (_call, result) => JSON.parse(JSON.stringify(result).replaceAll(word(7n * ETH), word(8n * ETH))))
  const changed = await bookSince(stage, address, first)
  t.match(changed, { closing: { complete: false } })
  t.ok(changed.kind === 'closed' && changed.closing.reasons.includes('endpoint_disagrees'))
})

t.test('the price of a block is believed where the vault and its totals say the same, and is else not known', async (t) => {
  const { address, first } = await opened()
  await world.act(address, 'enterExitQueue', [ETH, address])
  const { hash } = (await chain.rpc('eth_getBlockByNumber', ['latest', false])) as { hash: string }
  const worth = await world.read<bigint>('convertToAssets', [ETH])
  await settle()
  lying('eth_call', (call, result) =>
    JSON.stringify(call.params).includes(hash) ? String(result).replace(word(worth), word(worth + 1n)) : result,
  )
  const changed = await bookSince(stage, address, first)
  t.ok(changed.kind === 'closed' && changed.closing.reasons.includes('pruned'))
})

t.test('what happened after the last final block is of the next reading', async (t) => {
  const { address, first } = await opened()
  await settle()
  await payQueue(world, 5n * ETH)
  const result = await bookSince(stage, address, first)
  t.match(result, { kind: 'closed', closing: { complete: true } })
  await settle()
  t.match(await bookSince(stage, address, result), { closing: { complete: true } })
  t.equal(Object.keys(result.kind === 'closed' ? result.reading.amounts : {}).filter((key) => key.includes(vault)).length, 4)
})

t.test('what comes from the database has nothing of exits that were claimed by then, so that an earlier block waits', async (t) => {
  const { block: last } = await chain.latest()
  const { hash } = (await chain.rpc('eth_getBlockByNumber', [`0x${last.toString(16)}`, false])) as { hash: string }
  const header = { form: 2, next: last + 1, hash, readAt: stage.direct.now().getTime(), parts: 0 }
  const store = { ...stage.direct.store, get: async (key: string) => (key === 'exits' ? header : undefined) }
  const ctx = { ...stage.direct, memo: {}, store } as unknown as VaultContext
  const exitsAt = await readExitsAt(ctx, readLatestBlock(ctx))
  const { address } = (await stage.player()).wallet
  t.equal(await statusOf(exitsAt(address, BigInt(last) - 1n)), 503)
  t.same(await exitsAt(address, BigInt(last)), { exits: [], checkpoints: [] })
})

t.test('of more than two hundred exits in a vault no book is kept, since strangers can make them', async (t) => {
  const { address, first } = await opened()
  const dust = vaultContract.abi.encodeFunctionData('enterExitQueue', [1n, address])
  const exits = (count: number) => world.act(address, 'multicall', [Array.from({ length: count }, () => dust)])
  await exits(100)
  await exits(99)
  await settle()
  const second = await bookSince(stage, address, first)
  t.match(second, { closing: { complete: true } })
  await exits(1)
  await settle()
  const third = await bookSince(stage, address, second)
  t.ok(third.kind === 'closed' && third.closing.reasons.includes('not_declared'))
})
