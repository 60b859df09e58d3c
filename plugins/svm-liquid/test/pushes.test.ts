import { createRpc } from '@svc/core'
import { resolveNetwork } from '@svc/core/plugins'
import { startSvmChain } from '@svc/sandbox-svm'
import { PublicKey } from '@svc/solana'
import { eventually } from '@svc/testing/eventually'
import t, { type Test } from 'tap'
import { tokenAccountOf } from '../src/chain/derived-addresses.ts'
import plugin from '../src/index.ts'
import { stirrings } from '../src/stirrings.ts'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const keyOf = (byte: number) => new PublicKey(Buffer.alloc(32, byte)).toBase58()
const [OWNER, OTHER, NOBODY] = [keyOf(7), keyOf(8), keyOf(9)]
const MINUTE_MS = 60_000

/** A pool whose token several wallets hold, some of which are watched, and the plugin that listens to its node. */
async function holding(t: Test, watched: readonly string[] = [OWNER, OTHER]) {
  const chain = await startSvmChain({ chainId: 'mainnet-beta', time: Date.now() })
  t.teardown(() => chain.close())
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 0 })
  const { pool, mint, program } = await chain.createStakePool({ name: 'pool', validators: [vote] })
  for (const wallet of [OWNER, OTHER, NOBODY]) chain.mintTo(mint, wallet, 1_000n)
  const rpc = createRpc({ endpoints: [{ url: chain.rpcUrl }], name: 'svm-liquid rpc', log: SILENT as never })
  const settings = { pool, mint, program }
  const network = resolveNetwork(plugin.protocol as never, { chainId: 'mainnet-beta', name: 'Solana', path: 'test', settings })
  const clock = { now: new Date() }
  const calls: string[] = []
  const client = plugin.protocol.kit.connect(network as never, { ...rpc, log: SILENT as never, now: () => clock.now })
  const counting = Object.assign((method: string, ...rest: unknown[]) => {
    calls.push(method)
    return (client.rpc as (...all: unknown[]) => Promise<unknown>)(method, ...rest)
  })
  const ctx = { client: { ...client, rpc: counting }, network, memo: {}, now: () => clock.now } as never
  const wallets = [...watched]
  const lists = { count: 0, fails: false, wait: async () => {} }
  const list = async () => {
    lists.count++
    await lists.wait()
    if (lists.fails) throw new Error('the database does not answer')
    return wallets
  }
  const said: string[] = []
  const stirred: string[] = []
  const end = stirrings.feed!.listen(
    ctx,
    {
      live: () => void said.push('live'),
      deaf: (reason) => void said.push(`deaf: ${reason}`),
      stirred: (names) => void stirred.push(...(names ?? []).map(({ wallet }) => wallet)),
    },
    list,
  )!
  t.teardown(() => {
    end()
    rpc.close()
  })
  const search = async () => ((await stirrings.search(ctx, null, list))?.wallets ?? []).map(({ wallet }) => wallet)
  const becomes = (what: string) =>
    eventually(
      what,
      () => said.at(-1),
      (last) => last === what,
    )
  const accountOf = (wallet: string) => tokenAccountOf(wallet, { mint, tokenProgram: TOKEN_PROGRAM }).toBase58()
  const poke = (wallet: string, change: (data: Buffer) => void) => {
    const data = Buffer.from(chain.account(accountOf(wallet))!.data)
    change(data)
    chain.setAccount(accountOf(wallet), { data })
  }
  await becomes('live')
  return { chain, mint, stirred, search, becomes, said, poke, accountOf, wallets, lists, clock, calls, ctx, end }
}

/** Changes of a token account, by the fields of its data. */
const changes: Readonly<Record<string, (data: Buffer) => void>> = {
  owner: (data) => data.fill(66, 32, 64),
  'fewer tokens': (data) => data.writeBigUInt64LE(999n, 64),
  delegate: (data) => {
    data.writeUInt32LE(1, 72)
    data.fill(66, 76, 108)
    data.writeBigUInt64LE(5n, 121)
  },
  'a frozen account': (data) => data.writeUInt8(2, 108),
  'who may close it': (data) => {
    data.writeUInt32LE(1, 129)
    data.fill(66, 133, 165)
  },
}

t.test('a push names the watched wallet of an account over which somebody has another power, or in which fewer tokens are', async (t) => {
  for (const [name, change] of Object.entries(changes)) {
    const { poke, stirred, search } = await holding(t)
    t.same(await search(), [])
    poke(NOBODY, change)
    poke(OWNER, change)
    await eventually(name, () => stirred.length)
    t.same(stirred, [OWNER], name)
    t.same(await search(), [])
  }
})

t.test('another delegate of as many tokens, and another one who may close it, stir as well', async (t) => {
  for (const [name, at] of [
    ['delegate', 76],
    ['who may close it', 133],
  ] as const) {
    const { poke, stirred, search } = await holding(t)
    poke(OWNER, changes[name]!)
    await eventually('the first push', () => stirred.length)
    await search()
    stirred.splice(0)
    poke(OWNER, (data) => data.fill(67, at, at + 32))
    await eventually(name, () => stirred.length)
    t.same(stirred, [OWNER], name)
  }
})

t.test('who listens no more hears nothing of what waited for the list of wallets', async (t) => {
  const { poke, stirred, search, lists, end } = await holding(t)
  const released: (() => void)[] = []
  lists.wait = () => new Promise<void>((resolve) => void released.push(resolve))
  poke(OWNER, changes.owner!)
  await eventually('a list that is waited for', () => released.length)
  end()
  lists.wait = async () => {}
  for (const release of released) release()
  await search()
  t.same(stirred, [])
})

t.test('tokens that come, other holders and other tokens stir nobody', async (t) => {
  const { chain, mint, poke, stirred, search } = await holding(t)
  await search()
  const { mint: foreign } = await chain.createStakePool({ name: 'other pool' })
  chain.mintTo(foreign, OWNER, 5n)
  chain.mintTo(mint, OWNER, 5n)
  chain.mintTo(mint, NOBODY, 5n)
  await chain.advance({ epochs: 1 })
  poke(NOBODY, (data) => data.fill(66, 32, 64))
  poke(OTHER, (data) => data.fill(66, 32, 64))
  await eventually('the last push', () => stirred.length)
  t.same(stirred, [OTHER])
})

t.test('the accounts are read once after pushes have begun, and tell what happened before', async (t) => {
  const { chain, poke, search, said, becomes, calls, stirred } = await holding(t)
  const readings = () => calls.splice(0).filter((method) => method === 'getMultipleAccounts').length
  t.same(await search(), [])
  t.equal(readings(), 1)
  t.same(await search(), [])
  t.equal(readings(), 0, 'nothing is asked again while they go on')
  await chain.operations.pushes!.run({ on: false })
  await eventually('the end', () => said.find((each) => each.startsWith('deaf')))
  poke(OTHER, changes.delegate!)
  await chain.operations.pushes!.run({ on: true })
  await becomes('live')
  t.same(await search(), [OTHER])
  t.equal(readings(), 1)
  t.same(stirred, [])
})

t.test('an account that closes is not pushed, and one that is new has stirred when it was not shown before', async (t) => {
  const { chain, mint, poke, stirred, search, accountOf, wallets, clock, lists } = await holding(t, [OWNER])
  await search()
  chain.setAccount(accountOf(OWNER), { lamports: 0n })
  const asked = lists.count
  wallets.push(OTHER)
  poke(OTHER, changes.owner!)
  chain.mintTo(mint, NOBODY, 1n)
  chain.mintTo(mint, OWNER, 1_000n)
  poke(OWNER, changes['who may close it']!)
  await eventually('a push', () => stirred.length)
  t.same(stirred, [OWNER], 'whoever is watched since a moment ago is not on the list yet')
  t.equal(lists.count, asked, 'which is read once a minute at most')
  clock.now = new Date(clock.now.getTime() + MINUTE_MS)
  poke(OTHER, changes.delegate!)
  await eventually('a push', () => stirred[1])
  t.same(stirred, [OWNER, OTHER])
  t.equal(lists.count, asked + 1)
  lists.fails = true
  clock.now = new Date(clock.now.getTime() + MINUTE_MS)
  chain.mintTo(mint, NOBODY, 1n)
  poke(OTHER, changes['fewer tokens']!)
  poke(OTHER, changes['a frozen account']!)
  poke(OWNER, changes['a frozen account']!)
  await eventually('pushes', () => stirred[2])
  t.same(stirred.slice(2), [OWNER], 'without the database the earlier list goes on')
})

t.test('where the operator wants no pushes nothing is listened to, and no account is read for it', async (t) => {
  const { ctx } = await holding(t)
  const { network } = ctx as unknown as { network: object }
  const quiet = { ...(ctx as object), memo: {}, network: { ...network, pushes: false } } as never
  const listener = { live() {}, deaf() {}, stirred() {} }
  t.equal(
    stirrings.feed!.listen(quiet, listener, async () => [OWNER]),
    null,
  )
  t.same(await stirrings.search(quiet, null, async () => [OWNER]), { wallets: [] })
})
