import { toBech32 } from '@cosmjs/encoding'
import type { Stirring } from '@svc/contract/control'
import type { Feed } from '@svc/contract/host'
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'
import { hubTwo, nodeOf, now } from '../support/node.ts'
import { stakingOn } from '../support/staking.ts'
import { one } from '../support/vectors.ts'

const address = (byte: number) => toBech32('cosmos', new Uint8Array(20).fill(byte))
const [OWNER, OTHER, GRANTEE] = [address(1), address(2), address(3)] as const
const status = (changes: { readonly network?: string; readonly at?: string; readonly catchingUp?: boolean } = {}) => ({
  node_info: { network: changes.network ?? one.chainId },
  sync_info: { catching_up: changes.catchingUp ?? false, latest_block_time: changes.at ?? now.toISOString(), latest_block_height: '5' },
})

type Message = { readonly typeUrl: string; readonly value: Uint8Array }
const undelegate = (delegatorAddress: string): Message => ({
  typeUrl: MsgUndelegate.typeUrl,
  value: MsgUndelegate.encode(MsgUndelegate.fromPartial({ delegatorAddress, validatorAddress: one.validator })).finish(),
})
const txOf = (...messages: readonly Message[]) =>
  Buffer.from(
    TxRaw.encode(TxRaw.fromPartial({ bodyBytes: TxBody.encode(TxBody.fromPartial({ messages: [...messages] })).finish() })).finish(),
  ).toString('base64')
const frame = (query: string, txResult: object, type = 'tendermint/event/Tx') =>
  JSON.stringify({ jsonrpc: '2.0', id: 2, result: { query, data: { type, value: { TxResult: txResult } }, events: {} } })

/** Listens over connections that a test drives: each has what was sent, and takes what a node says. */
function listening(settings = {}, chain?: Parameters<typeof stakingOn>[2]) {
  const { ctx, protocol } = stakingOn(nodeOf({}), settings, chain)
  const feeds: Feed[] = []
  const heard: (readonly Stirring[] | string | null)[] = []
  let ended = 0
  const listen = (feed: Feed) => {
    feeds.push(feed)
    return () => void ended++
  }
  const listener = {
    live: () => void heard.push('live'),
    stirred: (wallets: readonly Stirring[] | null) => void heard.push(wallets),
    deaf: (reason: string) => void heard.push(`deaf: ${reason}`),
  }
  const { feed } = protocol.stirrings!
  const end = feed!.listen({ ...ctx, client: { ...ctx.client, listen } } as never, listener, async () => [])
  /** Opens the connection of one of the feeds, and answers as a node that takes all conditions. */
  async function opened(index = 0, answer: unknown = status()) {
    const sent: { id: number; method: string; params: { query?: string } }[] = []
    const conversation = feeds[index]!.open((text) => void sent.push(JSON.parse(text)))
    const begun = conversation.begin()
    begun.catch(() => undefined)
    conversation.read(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answer }))
    await new Promise((done) => setImmediate(done))
    for (const { id, method } of sent) if (method === 'subscribe') conversation.read(JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
    await begun
    return { conversation, sent, queries: sent.flatMap(({ params }) => params.query ?? []) }
  }
  return { feeds, heard, end, opened, ended: () => ended, protocol, ctx, listener }
}

t.test('what is searched for is subscribed to, at a node that is on the chain and at its head', async (t) => {
  const { feeds, opened } = listening()
  t.equal(feeds.length, 1)
  t.match(feeds[0], { path: '/websocket' })
  const { sent, queries } = await opened()
  t.equal(sent[0]?.method, 'status')
  t.same(queries, [
    `tm.event='Tx' AND withdraw_rewards.validator='${one.validator}'`,
    "tm.event='Tx' AND set_withdraw_address.withdraw_address EXISTS",
    "tm.event='Tx' AND cosmos.authz.v1beta1.EventGrant.granter EXISTS",
  ])
  for (const [bad, reason] of [
    [status({ network: 'another' }), 'other chain'],
    [status({ catchingUp: true }), 'behind'],
    [status({ at: '2020-01-01T00:00:00Z' }), 'behind'],
    [{}, 'malformed'],
  ] as const)
    await t.rejects(opened(0, bad), { reason } as never)
})

t.test('a node is asked again whether it is well', async (t) => {
  const { opened } = listening()
  const { conversation } = await opened()
  const well = conversation.probe()
  conversation.read(JSON.stringify({ jsonrpc: '2.0', id: 5, result: status() }))
  await t.resolves(well)
  const behind = conversation.probe()
  behind.catch(() => undefined)
  conversation.read(JSON.stringify({ jsonrpc: '2.0', id: 6, result: status({ catchingUp: true }) }))
  await t.rejects(behind, { reason: 'behind' } as never)
})

t.test(
  'where rewards are parked each way out is subscribed to, and of many validators several connections have five conditions at most',
  async (t) => {
    const parked = listening({}, { ...hubTwo, prefix: 'cosmos', denom: 'uatom' })
    t.match((await parked.opened()).queries, [/unbond\.validator=/, /redelegate\.source_validator=/, /set_/, /cosmos\./])
    const former = [4, 5, 6, 7].map((byte) => toBech32('cosmosvaloper', new Uint8Array(20).fill(byte)))
    const { feeds, opened, heard, end, ended } = listening({ former_validators: former })
    t.equal(feeds.length, 2)
    const queries = [...(await opened(0)).queries, ...(await opened(1)).queries]
    t.equal((await opened(0)).queries.length, 5)
    t.equal(new Set(queries).size, 7)
    feeds[0]?.live()
    t.same(heard, [], 'one of two hears a part')
    feeds[1]?.live()
    feeds[0]?.deaf('timeout')
    feeds[1]?.deaf('timeout')
    feeds[1]?.live()
    feeds[0]?.live()
    t.same(heard, ['live', 'deaf: timeout', 'deaf: timeout', 'live'])
    end?.()
    t.equal(ended(), 2)
  },
)

t.test('whoever takes stake away is named by the message, and others are not', async (t) => {
  const { opened, heard } = listening()
  const { conversation, queries } = await opened()
  const [query = ''] = queries
  const exec: Message = {
    typeUrl: MsgExec.typeUrl,
    value: MsgExec.encode(MsgExec.fromPartial({ grantee: GRANTEE, msgs: [undelegate(OTHER)] })).finish(),
  }
  const stakes: Message = {
    typeUrl: MsgDelegate.typeUrl,
    value: MsgDelegate.encode(MsgDelegate.fromPartial({ delegatorAddress: GRANTEE })).finish(),
  }
  conversation.read(frame(query, { height: '91', tx: txOf(undelegate(OWNER), exec), result: {} }))
  conversation.read(frame(query, { height: '92', tx: txOf(stakes, undelegate('cosmos1nobody')), result: {} }))
  t.same(heard, [
    [
      { wallet: OWNER, height: 91n },
      { wallet: OTHER, height: 91n },
    ],
  ])
})

t.test('what no node pushes ends the conversation, and tells nothing', async (t) => {
  const { opened, heard } = listening()
  const tx = txOf(undelegate(OWNER))
  const bad: readonly ((query: string) => string)[] = [
    () => frame("tm.event='Tx'", { height: '91', tx }),
    (query) => frame(query, { height: '91', tx }, 'tendermint/event/NewBlock'),
    (query) => frame(query, { height: '0', tx }),
    (query) => frame(query, { height: 91, tx }),
    (query) => frame(query, { height: '91', tx: 'not base64' }),
    (query) => frame(query, { height: '91', tx: Buffer.from('no transaction').toString('base64') }),
    (query) => frame(query, {}),
    () => '{"jsonrpc":"2.0","id":2,"result":{}}',
    () =>
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Server error","data":"subscription was canceled (reason: slow client)"}}',
    () => '[]',
    () => 'x',
  ]
  for (const make of bad) {
    const { conversation, queries } = await opened()
    const text = make(queries[0] ?? '')
    t.throws(() => conversation.read(text), { name: 'EndpointError' }, text.slice(0, 80))
  }
  t.same(heard, [])
})

t.test('a node that refuses a condition is left, and a host that does not listen has the search alone', async (t) => {
  const { feeds, protocol, ctx, listener } = listening()
  const sent: { id: number }[] = []
  const conversation = feeds[0]!.open((text) => void sent.push(JSON.parse(text)))
  const begun = conversation.begin()
  begun.catch(() => undefined)
  conversation.read(JSON.stringify({ jsonrpc: '2.0', id: 1, result: status() }))
  await new Promise((done) => setImmediate(done))
  conversation.read(
    '{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Internal error","data":"max_subscription_clients 100 reached"}}',
  )
  await t.rejects(begun, { reason: 'no answer' } as never)
  t.equal(
    protocol.stirrings!.feed!.listen(ctx as never, listener, async () => []),
    null,
  )
})
