import { malformedAnswer } from '@svc/contract'
import type { Feed } from '@svc/contract/host'
import { conversationsOf } from '@svc/contract/rpc'
import { eventually } from '@svc/testing/eventually'
import { freePort } from '@svc/testing/free-ports'
import t, { type Test } from 'tap'
import { createRpc } from '../../src/rpc/rpc.ts'
import { type Caller, pushing, serverFrame } from '../support/websocket.ts'

/** A wait that ends when the test says so, and the milliseconds of those that are under way. */
function waits() {
  const open: { readonly ms: number; readonly end: () => void }[] = []
  return {
    open,
    wait: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const entry = {
          ms,
          end() {
            open.splice(open.indexOf(entry), 1)
            resolve()
          },
        }
        open.push(entry)
        signal.addEventListener('abort', () => {
          if (open.includes(entry)) open.splice(open.indexOf(entry), 1)
          reject(signal.reason)
        })
      }),
  }
}

/** Listens to endpoints as a chain's plugin does: one call subscribes, one asks whether the node is well. */
function listening(t: Test, endpoints: readonly { readonly url: string; readonly headers?: Record<string, string> }[], settings = {}) {
  const logs: object[] = []
  const said: string[] = []
  const clock = { ms: 0 }
  const { open, wait } = waits()
  const feed: Feed = {
    path: '/websocket',
    mostBytes: 1_000,
    open: conversationsOf(({ call }) => ({
      begin: () => call('subscribe', { to: 'all' }, (result) => void said.push(`began ${JSON.stringify(result)}`)),
      probe: () =>
        call('status', {}, (result) => {
          if (result !== 'well') throw malformedAnswer(result)
        }),
      pushed({ params, method }) {
        if (method !== 'news') throw malformedAnswer()
        said.push(`news ${params}`)
      },
    })),
    live: () => void said.push('live'),
    deaf: (reason) => void said.push(`deaf: ${reason}`),
    ...settings,
  }
  const log = { warn: (entry: object) => void logs.push(entry) }
  const rpc = createRpc({ endpoints, name: 'chain rpc', log: log as never, wait, now: () => clock.ms, timeoutMs: 2_000 })
  const close = rpc.listen!(feed)
  t.teardown(() => rpc.close())
  return { said, logs, open, clock, rpc, close }
}

/** Answers the subscription of a caller, when it has come. */
async function subscribed(callers: readonly Caller[], index: number): Promise<Caller> {
  await eventually(`caller ${index} subscribes`, () => (callers[index]?.frames.length ?? 0) > 0)
  const caller = callers[index]!
  caller.text('{"jsonrpc":"2.0","id":1,"result":{}}')
  return caller
}

t.test('it is subscribed below the path of the endpoint with its credentials, and hears what is pushed, in pieces too', async (t) => {
  const { callers, port } = await pushing(t)
  const { said, close, logs } = listening(t, [{ url: `http://user:p%40ss@127.0.0.1:${port}/key/?token=7`, headers: { 'x-key': 'k' } }])
  const caller = await subscribed(callers, 0)
  t.equal(caller.path, '/key/websocket?token=7')
  t.match(caller.headers, { authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}`, 'x-key': 'k' })
  t.notOk(caller.headers['sec-websocket-extensions'])
  t.strictSame(caller.frames, [{ opcode: 1, text: '{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"to":"all"}}', isMasked: true }])
  await eventually('it is live', () => said.at(-1) === 'live')
  caller.text('{"method":"news","params":"one"}')
  const long = serverFrame(`{"method":"news","params":"${'ä'.repeat(300)}"}`)
  for (const byte of long) caller.raw(Uint8Array.of(byte))
  caller.raw(serverFrame('{"method":"news",', 1, false))
  caller.raw(serverFrame('between', 9))
  caller.raw(serverFrame('', 0, false))
  caller.raw(serverFrame('"params":"parts"}', 0))
  await eventually('all is heard', () => said.length === 5)
  t.same(said, ['began {}', 'live', 'news one', `news ${'ä'.repeat(300)}`, 'news parts'])
  await eventually('the ping is answered', () => caller.frames.some(({ opcode, text }) => opcode === 10 && text === 'between'))
  close()
  await eventually('the connection ends, though the endpoint says no goodbye', () => caller.isClosed())
  t.equal(caller.frames.at(-1)?.opcode, 8)
  t.equal(said.length, 5, 'and nothing is heard of the end that was wanted')
  t.same(logs, [])
})

t.test('what comes with the handshake is heard too', async (t) => {
  const { callers, port } = await pushing(t, { along: serverFrame('{"method":"news","params":"early"}') })
  const { said } = listening(t, [{ url: `http://127.0.0.1:${port}` }])
  await subscribed(callers, 0)
  await eventually('all is heard', () => said.length === 3)
  t.same(said, ['news early', 'began {}', 'live'])
})

t.test('an endpoint that ends is followed by the next one, and by itself again after pauses that double', async (t) => {
  const [one, two] = [await pushing(t), await pushing(t)]
  const { said, open, clock, logs } = listening(
    t,
    [one, two].map(({ port }) => ({ url: `http://127.0.0.1:${port}` })),
  )
  const first = await subscribed(one.callers, 0)
  await eventually('it is live', () => said.at(-1) === 'live')
  first.cut()
  await eventually('it ends', () => said.at(-1) === 'deaf: network closed')
  const second = await subscribed(two.callers, 0)
  await eventually('the next one is live', () => said.at(-1) === 'live')
  second.cut()
  const pauses: number[] = []
  for (let round = 1; round <= 4; round++) {
    await eventually('it pauses', () => open.length === 1 && open[0]?.ms !== 300_000)
    pauses.push(open[0]?.ms ?? 0)
    open[0]?.end()
    ;(await subscribed(one.callers, round)).cut()
    ;(await subscribed(two.callers, round)).cut()
  }
  t.same(pauses, [1_000, 2_000, 4_000, 8_000])
  open[0]?.end()
  await eventually('it pauses', () => open.length === 1 && open[0]?.ms !== 300_000)
  open[0]?.end()
  const steady = await subscribed(one.callers, 5)
  await eventually('it is live', () => open.length === 1 && open[0]?.ms === 300_000)
  clock.ms += 60_000
  steady.cut()
  await eventually('the pauses begin anew', () => open.length === 1 && open[0]?.ms === 1_000)
  t.same(logs[0], { upstream: 'chain rpc', endpoint: 1, reason: 'network closed' })
  t.notMatch(JSON.stringify(logs), /127\.0\.0\.1/)
})

const REASONS = ['http 403', 'http 302', 'malformed', 'malformed', 'network ECONNREFUSED', 'no answer']

t.test('one that cannot be listened to is passed over, and said once', async (t) => {
  const silent = await pushing(t)
  const refusing = await pushing(t, { greeting: () => ['HTTP/1.1 403 Forbidden', 'Content-Length: 0'] })
  const redirecting = await pushing(t, { greeting: () => ['HTTP/1.1 302 Found', 'Location: http://127.0.0.1:1/', 'Content-Length: 0'] })
  const foreign = await pushing(t, { greeting: (lines) => lines.map((line) => line.replace(/Accept: .*/, 'Accept: another')) })
  const packing = await pushing(t, { greeting: (lines) => [...lines, 'Sec-WebSocket-Extensions: permessage-deflate'] })
  const gone = await freePort()
  const works = await pushing(t)
  const ports = [refusing.port, redirecting.port, foreign.port, packing.port, gone, silent.port, works.port]
  const { said, logs } = listening(
    t,
    ports.map((port) => ({ url: `http://127.0.0.1:${port}` })),
  )
  await eventually('the silent one is asked', () => (silent.callers[0]?.frames.length ?? 0) > 0)
  silent.callers[0]?.text('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"max_subscription_clients 100 reached"}}')
  await subscribed(works.callers, 0)
  await eventually('the last one is live', () => said.at(-1) === 'live')
  t.same(
    logs.map((entry) => (entry as { reason: string }).reason),
    REASONS,
  )
  t.same(said, [...REASONS.map((reason) => `deaf: ${reason}`), 'began {}', 'live'])
})

t.test('one that stays away is said once, and tried after pauses of an hour at most', async (t) => {
  const { logs, open, said } = listening(t, [{ url: `http://127.0.0.1:${await freePort()}` }])
  const pauses: number[] = []
  for (let round = 1; round <= 14; round++) {
    await eventually('it pauses', () => open.length === 1 && said.length === round)
    pauses.push(open[0]?.ms ?? 0)
    open[0]?.end()
  }
  t.same(pauses.slice(0, 3), [1_000, 2_000, 4_000])
  t.same(pauses.slice(-2), [3_600_000, 3_600_000])
  t.same(logs, [{ upstream: 'chain rpc', endpoint: 1, reason: 'network ECONNREFUSED' }])
})

const NEWS = '{"method":"news","params":"x"}'
/** The frame of a message with another head. */
const withHead = (...head: readonly number[]) => Buffer.concat([Buffer.from(head), Buffer.from(NEWS)])

t.test('an answer without a result is none', async (t) => {
  const { callers, port } = await pushing(t)
  const { said } = listening(t, [{ url: `http://127.0.0.1:${port}` }])
  await eventually('it is asked', () => (callers[0]?.frames.length ?? 0) > 0)
  callers[0]?.text('{"jsonrpc":"2.0","id":1}')
  await eventually('it is left', () => said.length > 0)
  t.same(said, ['deaf: malformed'])
})

t.test('what no node sends ends the conversation, and memory has a bound', async (t) => {
  const bad: readonly (readonly [string, Uint8Array, string])[] = [
    ['no JSON', serverFrame('not json'), 'malformed'],
    ['a list', serverFrame('[]'), 'malformed'],
    ['an answer that nobody asked for', serverFrame('{"jsonrpc":"2.0","id":9,"result":{}}'), 'malformed'],
    ['bytes that are no text', serverFrame(Buffer.from(NEWS.replace('x', '\xc3('), 'latin1')), 'malformed'],
    ['a binary frame', serverFrame(NEWS, 2), 'malformed'],
    ['a continuation of nothing', serverFrame(NEWS, 0), 'malformed'],
    ['a text within a text', Buffer.concat([serverFrame(' ', 1, false), serverFrame(NEWS)]), 'malformed'],
    ['a long ping', serverFrame('x'.repeat(126), 9), 'malformed'],
    ['a ping in pieces', serverFrame('x', 9, false), 'malformed'],
    ['a masked frame', withHead(0x81, 0x80 | NEWS.length), 'malformed'],
    ['a packed frame', withHead(0xc1, NEWS.length), 'malformed'],
    [
      'the head of a frame that is too long',
      Buffer.concat([Uint8Array.of(0x81, 127), Buffer.alloc(6), Uint8Array.of(0xff, 0xff)]),
      'too large',
    ],
    [
      'pieces that are too long together',
      Buffer.concat([serverFrame('x'.repeat(600), 1, false), serverFrame('x'.repeat(600), 0)]),
      'too large',
    ],
    [
      'endless pieces of nothing',
      Buffer.concat([serverFrame('', 1, false), ...Array.from({ length: 16_384 }, () => serverFrame('', 0, false))]),
      'malformed',
    ],
    ['a goodbye', serverFrame('', 8), 'network closed'],
  ]
  for (const [name, bytes, reason] of bad) {
    const { callers, port } = await pushing(t)
    const { said, close } = listening(t, [{ url: `http://127.0.0.1:${port}` }])
    const caller = await subscribed(callers, 0)
    await eventually('it is live', () => said.at(-1) === 'live')
    caller.raw(bytes)
    await eventually(`${name} ends it`, () => caller.isClosed())
    t.same(said, ['began {}', 'live', `deaf: ${reason}`], name)
    close()
  }
})

t.test('an endpoint is asked whether it is well, and left where it is not or says nothing', async (t) => {
  for (const [answer, reason] of [
    ['{"jsonrpc":"2.0","id":3,"result":"ill"}', 'malformed'],
    ['', 'timeout'],
  ] as const) {
    const { callers, port } = await pushing(t)
    const { said, open } = listening(t, [{ url: `http://127.0.0.1:${port}` }])
    const caller = await subscribed(callers, 0)
    for (const id of [2, 3]) {
      await eventually('the next question waits', () => open.length === 1)
      t.equal(open[0]?.ms, 300_000)
      open[0]?.end()
      await eventually('it is asked', () => caller.frames.length === id)
      t.match(caller.frames.at(-1)?.text, `"id":${id},"method":"status"`)
      if (id === 2) caller.text('{"jsonrpc":"2.0","id":2,"result":"well"}')
    }
    if (answer !== '') caller.text(answer)
    await eventually('it is left', () => caller.isClosed())
    t.equal(said.at(-1), `deaf: ${reason}`)
  }
})

t.test('a port that the address names may be another one for the WebSocket', async (t) => {
  const { callers, port } = await pushing(t)
  const { said } = listening(t, [{ url: `http://127.0.0.1:${port - 1}` }], { portOffset: 1 })
  const caller = await subscribed(callers, 0)
  await eventually('it is live', () => said.at(-1) === 'live')
  t.equal(caller.path, '/websocket')
})

t.test('a group that is closed ends all that listen, and begins nothing more', async (t) => {
  const { callers, port } = await pushing(t)
  const { rpc, said } = listening(t, [{ url: `http://127.0.0.1:${port}` }])
  const caller = await subscribed(callers, 0)
  await eventually('it is live', () => said.at(-1) === 'live')
  rpc.close()
  await eventually('the connection ends', () => caller.isClosed())
  rpc.listen!({ path: '/', mostBytes: 1, open: () => t.fail('nothing is opened') as never, live() {}, deaf() {} })()
  t.equal(callers.length, 1)
  t.same(said, ['began {}', 'live'])
})
