import { eventually } from '@svc/testing/eventually'
import t, { type Test } from 'tap'
import { txHash } from '../src/node.ts'
import { bench, celestia } from './support.ts'

/** A client of the WebSocket, Node's own; what it has heard, and its calls. */
async function connected(t: Test, rpcUrl: string, path = '/websocket') {
  const socket = new WebSocket(`${rpcUrl.replace('http', 'ws')}${path}`)
  const heard: Record<string, any>[] = []
  const state = { isOpen: false, isClosed: false }
  socket.onmessage = ({ data }) => void heard.push(JSON.parse(data))
  socket.onopen = () => {
    state.isOpen = true
  }
  socket.onclose = () => {
    state.isClosed = true
  }
  t.teardown(() => socket.close())
  await eventually('it is open or refused', () => state.isOpen || state.isClosed)
  let id = 0
  const call = async (method: string, params: unknown = {}) => {
    const own = ++id
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }))
    const answer = (await eventually(`the answer to ${method}`, () => heard.find((each) => each.id === own)))!
    heard.splice(heard.indexOf(answer), 1)
    return answer
  }
  return { socket, heard, state, call }
}

const leaves = (validator: string) => `tm.event='Tx' AND unbond.validator='${validator}'`

t.test(
  'a transaction is pushed with its block to whoever has subscribed to it, in the form of the node, without an index too',
  async (t) => {
    const { client, chain, delegate, undelegate, sign, validator } = await bench(t, celestia)
    const { call, heard } = await connected(t, chain.rpcUrl)
    t.match((await call('status')).result, { sync_info: { catching_up: false } })
    t.strictSame(await call('subscribe', { query: leaves(validator) }), { jsonrpc: '2.0', id: 2, result: {} })
    await client.broadcastTxSync(await sign(delegate('1000')))
    const bytes = await sign(undelegate('10'))
    await client.broadcastTxSync(bytes)
    await eventually('it is pushed', () => heard.length > 0)
    const [frame] = heard
    t.equal(heard.length, 1, 'what puts stake in is not')
    const { result, ...envelope } = frame!
    t.strictSame(envelope, { jsonrpc: '2.0', id: 2 })
    t.same(Object.keys(result), ['query', 'data', 'events'])
    t.equal(result.query, leaves(validator))
    t.equal(result.data.type, 'tendermint/event/Tx')
    const { TxResult } = result.data.value
    t.same(Object.keys(TxResult), ['height', 'tx', 'result'], 'the first one of a block has no place in it')
    t.match(TxResult, { height: '4', tx: Buffer.from(bytes).toString('base64'), result: { code: 0, events: Array } })
    t.match(result.events, { 'tm.event': ['Tx'], 'tx.hash': [txHash(bytes)], 'tx.height': ['4'], 'unbond.validator': [validator] })
    t.match(await call('unsubscribe', { query: leaves(validator) }), { result: {} })
    await client.broadcastTxSync(await sign(undelegate('10')))
    t.match((await call('status')).result.sync_info.latest_block_height, '5')
    t.equal(heard.length, 1)
  },
)

t.test('of several transactions of a block each has its place', async (t) => {
  const { client, chain, delegate, sign } = await bench(t)
  const { call, heard } = await connected(t, chain.rpcUrl)
  await call('subscribe', { query: "tm.event='Tx'" })
  chain.node!.instant = false
  const sequences = [0, 1, 2]
  for (const sequence of sequences) await client.broadcastTxSync(await sign(delegate('1'), { sequence }))
  await chain.mine()
  await eventually('all are pushed', () => heard.length === 3)
  t.same(
    heard.map(({ result }) => result.data.value.TxResult.index),
    [undefined, 1, 2],
  )
})

t.test('what cannot be subscribed to is refused in the words of the node', async (t) => {
  const { chain, validator } = await bench(t)
  const { call, socket, heard } = await connected(t, chain.rpcUrl)
  const refusal = async (query: string) => (await call('subscribe', { query })).error.data
  t.match(await refusal("tm.event='NewBlock'"), /^failed to parse query: the sandbox pushes transactions alone/)
  t.match(await refusal("tm.event='Tx' AND nonsense"), /got tag, wanted/)
  t.equal(await refusal(`tm.event='Tx' AND a.b='${'x'.repeat(500)}'`), 'maximum query length exceeded')
  for (let count = 1; count <= 5; count++) await call('subscribe', { query: `${leaves(validator)} AND tx.height>${count}` })
  t.equal(await refusal(leaves(validator)), 'max_subscriptions_per_client 5 reached')
  t.match(await call('unsubscribe', { query: 'another' }), { error: { data: 'subscription not found' } })
  t.match(await call('unsubscribe_all'), { result: {} })
  t.equal(await refusal(''), "failed to parse query: the sandbox pushes transactions alone: tm.event='Tx'")
  t.match(await call('unsubscribe_all'), { error: { data: 'subscription not found' } })
  await call('subscribe', { query: leaves(validator) })
  t.equal(await refusal(leaves(validator)), 'already subscribed')
  t.match(await call('unknown'), { error: { code: -32601 } })
  socket.send('{')
  await eventually('it is refused', () => heard.length === 1)
  t.match(heard, [{ error: { code: -32700 } }])
})

t.test('there is no WebSocket elsewhere, a fault breaks what is open and refuses what is new, and all ends with the chain', async (t) => {
  const { chain } = await bench(t)
  t.ok((await connected(t, chain.rpcUrl, '/')).state.isClosed)
  const { state } = await connected(t, chain.rpcUrl)
  t.ok(state.isOpen)
  chain.fault({ kind: 'drop' })
  await eventually('it is broken', () => state.isClosed)
  t.notOk((await connected(t, chain.rpcUrl)).state.isOpen)
  chain.fault({ kind: 'none' })
  const last = await connected(t, chain.rpcUrl)
  t.ok(last.state.isOpen)
  await chain.close()
  await eventually('it ends', () => last.state.isClosed)
})
