import { eventually } from '@svc/testing/eventually'
import { desk } from '@svc/testing/paper'
import t, { type Test } from 'tap'
import { type ServedApp, type ServeOptions, serve, signer } from './support/serve.ts'
import { exchange, get, isSigned, listening } from './support/wire.ts'

const BUNDLE = '/docs/static/swagger-ui-bundle.js'
const HEALTH = '/api/v1/health'

/** The server on a port, and what it signed. */
async function start(t: Test, options: ServeOptions = {}) {
  const signed: number[] = []
  const counting = {
    ...signer,
    sign(body: string | Buffer) {
      signed.push(body.length)
      return signer.sign(body)
    },
  }
  const served = await serve(t, { ...options, signer: counting })
  return { ...served, signed, connect: await listening(t, served.app) }
}

/** Requests that the framework has seen. */
const answered = ({ log }: Pick<ServedApp, 'log'>) => log.filter(({ msg }) => msg === 'answered').length

t.test('of 1,000 requests sent at once on one connection 16 are answered, then a signed 503 ends it', async (t) => {
  for (const [path, status] of [
    [BUNDLE, 200],
    ['/docs', 200],
    ['/openapi.json', 200],
    ['/api/v1/public-key', 200],
    [HEALTH, 200],
    ['/nowhere', 404],
    ['/docs/static/../nowhere', 404],
    ['/api/v1/paper/native/networks', 401],
    ['/%zz', 400],
  ] as const) {
    const { connect, log, signed } = await start(t)
    const replies = await exchange(connect(), get(path).repeat(1000))
    t.same(replies.map((reply) => reply.status).toSorted(), [...Array(16).fill(status), 503].toSorted(), path)
    t.ok(
      replies.every((reply) => isSigned(reply, signer.publicKeyPem)),
      `${path}: each is signed`,
    )
    t.match(replies.at(-1), {
      headers: { connection: 'close', 'retry-after': '1', 'x-request-id': /./, 'cache-control': 'no-store, no-transform' },
    })
    t.match(JSON.parse(String(replies.at(-1)?.body)), { statusCode: 503, code: 'CONNECTION_OVERLOADED' })
    t.ok(answered({ log }) <= 16, 'and nothing was run for the others')
    t.ok(signed.filter((length) => length > 10_000).length <= 1, `${path}: a file is hashed and signed once`)
  }
})

t.test('requests that are refused by an unknown expectation count as well', async (t) => {
  const { connect } = await start(t)
  const replies = await exchange(connect(), get('/', 'Expect: a-miracle\r\n').repeat(1000))
  t.same(
    replies.map(({ status }) => status),
    [...Array(16).fill(417), 503],
  )
})

t.test('HEAD beyond the bound is refused with a signature over nothing', async (t) => {
  const { connect } = await start(t, { config: { limits: { in_flight_per_connection: 2 } } })
  const replies = await exchange(connect(), get(BUNDLE, '', 'HEAD').repeat(5), undefined, 'HEAD')
  t.same(
    replies.map(({ status }) => status),
    [200, 200, 503],
  )
  for (const reply of replies) t.ok(isSigned(reply, signer.publicKeyPem))
})

t.test('a request that does not come whole is not waited for longer than half a minute', async (t) => {
  const { app } = await serve(t)
  t.match(app.server, { requestTimeout: 30_000, headersTimeout: 30_000, keepAliveTimeout: 72_000 })
})

t.test('requests one after the other on a connection are never too many', async (t) => {
  const { connect } = await start(t, { config: { limits: { in_flight_per_connection: 1 } } })
  const socket = connect()
  for (let time = 0; time < 5; time++) t.match(await exchange(socket, get('/docs'), 1), [{ status: 200 }])
})

/** A desk whose answers wait until they are released. */
function slowDesk() {
  const gate = Promise.withResolvers<void>()
  let asked = 0
  const answers = desk()
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked++
    await gate.promise
    return answers(url, init)
  }
  return { fetch, asked: () => asked, release: () => gate.resolve() }
}

const craft = (key: string) => {
  const body = '{"address":"p001","amount":1}'
  return `POST /api/v1/paper/native/action/give HTTP/1.1\r\nHost: svc\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

t.test('more requests in all than the bound are 503, while health is answered', async (t) => {
  const slow = slowDesk()
  const { connect, key } = await start(t, { fetch: slow.fetch, config: { limits: { in_flight: 2 } } })
  const { value } = await key()
  const held = [exchange(connect(), craft(value), 1), exchange(connect(), craft(value), 1)]
  await eventually('two crafts under way', () => slow.asked() >= 2)
  const socket = connect()
  const [refused] = await exchange(socket, get('/docs'), 1)
  t.match(refused, { status: 503, headers: { 'retry-after': '1' } })
  t.notOk(refused!.headers.connection === 'close', 'and the connection stays open')
  t.match(JSON.parse(String(refused!.body)), { code: 'OVERLOADED' })
  t.ok(isSigned(refused!, signer.publicKeyPem))
  for (const path of [HEALTH, `${HEALTH}/`, `${HEALTH}?probe=1`]) t.match(await exchange(socket, get(path), 1), [{ status: 200 }], path)
  slow.release()
  t.match((await Promise.all(held)).flat(), [{ status: 200 }, { status: 200 }])
  t.match(await exchange(socket, get('/docs'), 1), [{ status: 200 }])
})

t.test('a caller who leaves frees his place when the work for him has ended, and not before', async (t) => {
  const slow = slowDesk()
  const limits = { in_flight: 2, write_timeout_ms: 100 }
  const { connect, key } = await start(t, { fetch: slow.fetch, config: { limits } })
  const { value } = await key()
  const leaving = connect()
  leaving.write(craft(value).repeat(2))
  await eventually('both crafts under way', () => slow.asked() >= 2)
  await new Promise((resolve) => leaving.destroy().once('close', resolve))
  const socket = connect()
  t.match(await exchange(socket, get('/docs'), 1), [{ status: 503 }])
  slow.release()
  let status = 0
  await eventually('a free place', async () => {
    status = (await exchange(socket, get('/docs'), 1))[0]!.status
    return status === 200
  })
  t.equal(status, 200)
})

t.test('a caller who does not read, or too little at a time, is cut', async (t) => {
  const { app, connect } = await start(t, { config: { limits: { write_timeout_ms: 200 } } })
  const open = () => new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  for (const reads of [false, true]) {
    const accepted = new Promise((resolve) => app.server.once('connection', resolve))
    const socket = connect()
    socket.write(get(BUNDLE).repeat(16))
    // A little, again and again: always something, never enough.
    socket.pause()
    const sip = setInterval(() => reads && socket.read(1024), 20)
    await accepted
    t.equal(await eventually('no connection', open, (count) => count === 0), 0)
    clearInterval(sip)
    socket.destroy()
  }
})
