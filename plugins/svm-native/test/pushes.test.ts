import { createRpc } from '@svc/core'
import { resolveNetwork } from '@svc/core/plugins'
import { type PushClient, startFaultProxy } from '@svc/sandbox'
import { startSvmChain } from '@svc/sandbox-svm'
import { PublicKey } from '@svc/solana'
import { eventually } from '@svc/testing/eventually'
import t, { type Test } from 'tap'
import { OFFSET } from '../src/chain/stake-account.ts'
import plugin from '../src/index.ts'
import { requirements } from '../src/requirements.ts'
import { stirrings } from '../src/stirrings.ts'
import { poke } from './chain.ts'

const SOL = 1_000_000_000n
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111'
const NOBODY = async () => []
const keyOf = (byte: number) => new PublicKey(Buffer.alloc(32, byte)).toBase58()
const [OWNER, THIEF] = [keyOf(7), keyOf(66)]

/** Listens for the plugin at endpoints, over the service's own connections. */
function listening(t: Test, urls: readonly string[], validator: string, wait?: (ms: number) => Promise<void>) {
  const rpc = createRpc({
    endpoints: urls.map((url) => ({ url })),
    name: 'svm-native rpc',
    log: SILENT as never,
    ...(wait ? { wait } : {}),
  })
  const network = resolveNetwork(plugin.protocol as never, {
    chainId: 'mainnet-beta',
    name: 'Solana',
    path: 'test',
    settings: { validator },
  })
  const client = plugin.protocol.kit.connect(network as never, { ...rpc, log: SILENT as never, now: () => new Date() })
  const ctx = { client, network, memo: {}, now: () => new Date() } as never
  const said: string[] = []
  const stirred: (readonly string[])[] = []
  const end = stirrings.feed!.listen(
    ctx,
    {
      live: () => void said.push('live'),
      deaf: (reason) => void said.push(`deaf: ${reason}`),
      stirred: (wallets) => void stirred.push(wallets === null ? ['search'] : wallets.map(({ wallet }) => wallet)),
    },
    NOBODY,
  )!
  t.teardown(() => {
    end()
    rpc.close()
  })
  const search = async () => ((await stirrings.search(ctx, null, NOBODY))?.wallets ?? []).map(({ wallet }) => wallet)
  const becomes = (what: string) =>
    eventually(
      what,
      () => said.at(-1),
      (last) => last === what,
    )
  return { end, said, stirred, search, becomes, ctx }
}

/** A chain with a validator, and stake accounts with it. */
async function staking(t: Test, count = 1) {
  const chain = await startSvmChain({ chainId: 'mainnet-beta', time: Date.now() })
  t.teardown(() => chain.close())
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 0, stake: 0n })
  const give = (name: string, wallet = OWNER) => chain.giveStake({ name, wallet, vote, amount: 10n * SOL, cooledDown: false })
  const accounts = Array.from({ length: count }, (_, index) => give(`stake ${index}`))
  const withdrawer = (account: string, byte: number) =>
    poke(chain, account, (data) => data.fill(byte, OFFSET.withdrawer, OFFSET.withdrawer + 32))
  return { chain, vote, accounts, give, withdrawer }
}

t.test(
  'a push names both owners of an account whose withdrawer is another one, and the owner where another power, the state, or less is in it',
  async (t) => {
    const { chain, vote, accounts, withdrawer } = await staking(t)
    const { stirred, search, becomes } = listening(t, [chain.rpcUrl], vote)
    await becomes('live')
    t.same(await search(), [])
    const [account = ''] = accounts
    const pushes = async (change: () => void) => {
      stirred.splice(0)
      change()
      await eventually('a push', () => stirred.length)
      return stirred.flat()
    }
    const set = (offset: number, byte: number) => () => poke(chain, account, (data) => data.fill(byte, offset, offset + 8))
    t.same(await pushes(set(OFFSET.staker, 9)), [OWNER], 'staker')
    t.same(await pushes(set(OFFSET.withdrawer + 32, 9)), [OWNER], 'lockup')
    t.same(await pushes(() => chain.setAccount(account, { lamports: chain.account(account)!.lamports - 1n })), [OWNER], 'less')
    t.same(await pushes(set(OFFSET.deactivationEpochEnd - 8, 0)), [OWNER], 'deactivation')
    t.same(await pushes(() => withdrawer(account, 66)), [OWNER, THIEF], 'withdrawer')
    t.same(await search(), [], 'the search finds nothing of it that was not pushed')
  },
)

t.test('rewards of an epoch, gifts and other validators’ accounts stir nobody', async (t) => {
  const { chain, vote, accounts, give, withdrawer } = await staking(t, 300)
  const { stirred, search, becomes } = listening(t, [chain.rpcUrl], vote)
  await becomes('live')
  await search()
  const before = chain.account(accounts[0]!)!.lamports
  await chain.advance({ epochs: 2 })
  t.ok(chain.account(accounts[0]!)!.lamports > before, 'they have come')
  chain.setAccount(accounts[1]!, { lamports: 11n * SOL * 10n })
  const { vote: other } = await chain.createValidator({ name: 'other', commissionBps: 0 })
  const foreign = chain.giveStake({ name: 'foreign', wallet: OWNER, vote: other, amount: SOL, cooledDown: false })
  withdrawer(foreign, 66)
  const last = give('new')
  withdrawer(last, 66)
  await eventually('the last push', () => stirred.length === 2)
  t.same(stirred, [['search'], [OWNER, THIEF]], 'but an account that is new since the search: it may hold what was another, which is gone')
})

t.test('of an account that is split off whole to a thief nothing is pushed but what is new, and a search names its owner', async (t) => {
  const { chain, vote, accounts, give } = await staking(t, 2)
  const { stirred, search, becomes } = listening(t, [chain.rpcUrl], vote)
  await becomes('live')
  await search()
  chain.setAccount(accounts[0]!, { lamports: 0n })
  give('new')
  await eventually('the push of the new one', () => stirred.length)
  t.same(stirred, [['search']])
  t.same(await search(), [OWNER])
})

t.test('what was pushed while the node was searching, and what happened while nothing was, is found by the search', async (t) => {
  const { chain, vote, accounts, withdrawer } = await staking(t, 2)
  const { stirred, search, becomes, said } = listening(t, [chain.rpcUrl], vote)
  await becomes('live')
  chain.setAccount(accounts[0]!, {})
  withdrawer(accounts[0]!, 66)
  await eventually('a push', () => stirred.length)
  t.same(stirred, [[OWNER, THIEF]], 'a first push is remembered, and the next one compared')
  t.same(await search(), [])
  await chain.operations.pushes!.run({ on: false })
  await eventually('the end', () => said.find((each) => each.startsWith('deaf')))
  withdrawer(accounts[1]!, 66)
  await chain.operations.pushes!.run({ on: true })
  await becomes('live')
  t.same(await search(), [OWNER, THIEF])
})

/** A node that answers as a test wants over its WebSocket. */
async function lying(t: Test, answer: (client: PushClient, question: { id: number; method: string; params: readonly any[] }) => void) {
  const clients: PushClient[] = []
  const ends: number[] = []
  const questions: { method: string; params: readonly any[] }[] = []
  const proxy = await startFaultProxy({
    target: (request) => void request.socket.destroy(),
    port: 0,
    name: 'a liar',
    push(_path, client) {
      clients.push(client)
      return {
        text(text) {
          const question = JSON.parse(text)
          questions.push(question)
          answer(client, question)
        },
        closed: () => void ends.push(clients.indexOf(client)),
      }
    },
  })
  t.teardown(() => proxy.close())
  return { url: `http://127.0.0.1:${Number(new URL(proxy.url).port) - 1}`, clients, ends, questions }
}

const accept = (client: PushClient, { id }: { id: number }) => client.send(JSON.stringify({ jsonrpc: '2.0', id, result: 7 }))

t.test('it subscribes to the accounts of the validator alone, at the next port, and ends the connection when it is closed', async (t) => {
  const node = await lying(t, accept)
  const { becomes, end } = listening(t, [node.url], keyOf(5))
  await becomes('live')
  t.same(
    node.questions.map(({ method, params }) => ({ method, params })),
    [
      {
        method: 'programSubscribe',
        params: [
          STAKE_PROGRAM,
          {
            encoding: 'base64',
            commitment: 'confirmed',
            filters: [{ dataSize: 200 }, { memcmp: { offset: 0, bytes: '3xyZh' } }, { memcmp: { offset: 124, bytes: keyOf(5) } }],
          },
        ],
      },
    ],
  )
  end()
  await eventually('the end', () => node.ends.length)
})

t.test('an endpoint that makes up accounts fills no more memory than ten thousand of them take', async (t) => {
  const { chain, vote, accounts } = await staking(t)
  const node = await lying(t, accept)
  const { stirred, becomes } = listening(t, [node.url], vote)
  await becomes('live')
  const data = Buffer.from(chain.account(accounts[0]!)!.data)
  const push = (pubkey: string, staker = 1) => {
    data.fill(staker, OFFSET.staker, OFFSET.staker + 32)
    const account = {
      lamports: 1,
      owner: STAKE_PROGRAM,
      data: [data.toString('base64'), 'base64'],
      executable: false,
      rentEpoch: 0,
      space: 200,
    }
    const result = { context: { slot: 1 }, value: { pubkey, account } }
    node.clients[0]!.send(JSON.stringify({ jsonrpc: '2.0', method: 'programNotification', params: { result, subscription: 7 } }))
  }
  const nameOf = (index: number) => new PublicKey(Buffer.from(String(index).padStart(32, '0'))).toBase58()
  for (let index = 0; index < 10_001; index++) push(nameOf(index))
  push(nameOf(10_000), 2)
  push(nameOf(9_999), 2)
  await eventually('the push of one that is remembered', () => stirred.length)
  t.same(stirred, [[OWNER]])
})

t.test('an endpoint that does not know the question whether it is well has answered, and is listened to all the same', async (t) => {
  const node = await lying(t, (client, { id, method }) =>
    client.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        ...(method === 'programSubscribe' ? { result: 7 } : { error: { code: -32_601, message: 'Method not found' } }),
      }),
    ),
  )
  const waits: (() => void)[] = []
  const { said, becomes } = listening(t, [node.url], keyOf(5), () => new Promise((resolve) => void waits.push(resolve)))
  await becomes('live')
  for (let count = 1; count <= 2; count++) {
    await eventually(
      'a pause',
      () => waits.length,
      (length) => length === count,
    )
    waits[count - 1]!()
  }
  await eventually(
    'a pause after two questions',
    () => waits.length,
    (length) => length === 3,
  )
  t.same(
    node.questions.map(({ method }) => method),
    ['programSubscribe', 'getVersion', 'getVersion'],
  )
  t.same(said, ['live'])
})

t.test('what no node pushes ends the connection and stirs nobody, and the next endpoint is listened to', async (t) => {
  const { chain, vote, accounts } = await staking(t)
  const account = chain.account(accounts[0]!)!
  const data = Buffer.from(account.data)
  const value = (change: object = {}, pubkey: unknown = accounts[0]) => ({
    pubkey,
    account: {
      lamports: 1,
      owner: account.owner,
      executable: false,
      rentEpoch: 0,
      space: 200,
      data: [data.toString('base64'), 'base64'],
      ...change,
    },
  })
  const push = (change: { subscription?: unknown; method?: string; context?: unknown; value?: unknown }) => {
    const { subscription = 7, method = 'programNotification', context = { slot: 1 }, ...more } = change
    return JSON.stringify({ jsonrpc: '2.0', method, params: { result: { context, value: value(), ...more }, subscription } })
  }
  const foreign = Buffer.from(data).fill(3, OFFSET.voter, OFFSET.voter + 32)
  const lies: Readonly<Record<string, string>> = {
    garbage: '{"jsonrpc":',
    'a list': '[]',
    'another subscription': push({ subscription: 8 }),
    'another method': push({ method: 'accountNotification' }),
    'no slot': push({ context: {} }),
    'a slot that is none': push({ context: { slot: -1 } }),
    'no account': push({ value: null }),
    'another program': push({ value: value({ owner: keyOf(1) }) }),
    'another validator': push({ value: value({ data: [foreign.toString('base64'), 'base64'] }) }),
    'a part of the data': push({ value: value({ data: [data.subarray(0, 100).toString('base64'), 'base64'] }) }),
    'more data than an account has': push({ value: value({ data: [Buffer.concat([data, data]).toString('base64'), 'base64'] }) }),
    'data that is none': push({ value: value({ data: ['…', 'base64'] }) }),
    'another encoding': push({ value: value({ data: [data.toString('base64'), 'base58'] }) }),
    'lamports that are none': push({ value: value({ lamports: -1 }) }),
    'an address that is none': push({ value: value({}, 'nobody') }),
    'a text that is too long': push({ value: value({ more: 'x'.repeat(20_000) }) }),
  }
  for (const [name, lie] of Object.entries(lies)) {
    const liar = await lying(t, accept)
    const { said, stirred, search, becomes, end } = listening(t, [liar.url, chain.rpcUrl], vote)
    await becomes('live')
    await search()
    liar.clients[0]!.send(lie)
    await eventually(
      `the end of the first endpoint after ${name}`,
      () => said.length,
      (count) => count === 3,
    )
    t.match(said, ['live', /^deaf: /, 'live'], name)
    t.same(stirred, [], name)
    end()
  }
})

t.test('the check of a node learns by a subscription to nothing whether an endpoint pushes, refuses, or cannot be reached', async (t) => {
  const { chain, vote } = await staking(t)
  const { probe } = requirements.find(({ calls }) => calls.includes('programSubscribe'))!
  const of = (url: string) => {
    const upstream = createRpc({ endpoints: [{ url }], name: 'svm-native rpc', log: SILENT as never })
    t.teardown(() => upstream.close())
    return probe({ upstream, network: { validator: vote } } as never)
  }
  t.equal(await of(chain.rpcUrl), null)
  const refusing = await lying(t, (client, { id }) =>
    client.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } })),
  )
  t.match(await of(refusing.url), /^the WebSocket: /)
  await chain.operations.pushes!.run({ on: false })
  await t.rejects(of(chain.rpcUrl), /^the WebSocket: network/)
})
