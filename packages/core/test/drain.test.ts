import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { eventually } from '@svc/testing/eventually'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createDrain, type Drain } from '../src/http/drain.ts'

/** Milliseconds that a connection without a request is waited for, by the test's own clock. */
const IDLE_MS = 60_000

interface Held {
  readonly app: FastifyInstance
  readonly drain: Drain
  readonly port: number
  readonly entered: Promise<void>
  /** Resolves when the server has begun to stop. */
  stopping(): Promise<void>
  release(): void
}

async function serve(t: Test, idleMs?: number): Promise<Held> {
  const drain = createDrain(idleMs)
  const app = Fastify({ return503OnClosing: false })
  const held = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  drain.watch(app)
  app.get('/fast', async () => 'fast')
  app.get('/slow', async () => {
    entered.resolve()
    await held.promise
    return 'slow'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const stopping = async () => {
    while (app.server.listening) await new Promise((resolve) => setImmediate(resolve))
  }
  return { app, drain, port, entered: entered.promise, stopping, release: held.resolve }
}

function get(port: number, path: string, agent: Agent): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const answered = (response: IncomingMessage) => {
      response.resume().once('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }))
    }
    request({ host: '127.0.0.1', port, path, agent }, answered).once('error', reject).end()
  })
}

const keepAlive = (t: Test) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  return agent
}

t.test('a request under way is answered, with the word that the connection ends, before the server is closed', async (t) => {
  const { app, drain, port, entered, stopping, release } = await serve(t)
  const answer = get(port, '/slow', keepAlive(t))
  await entered
  t.match(drain.underWay(), [{ method: 'GET', route: '/slow', id: /./, ms: Number }])
  let closed = false
  const closing = app.close().then(() => {
    closed = true
  })
  await stopping()
  release()
  t.equal(closed, false)
  t.same(await answer, { status: 200, connection: 'close' })
  await closing
  t.same(drain.underWay(), [])
})

t.test('an idle connection has a last request served while it is waited for', async (t) => {
  const { app, port, stopping } = await serve(t, 60_000)
  const agent = keepAlive(t)
  t.match(await get(port, '/fast', agent), { status: 200, connection: 'keep-alive' })
  const closing = app.close()
  await stopping()
  t.same(await get(port, '/fast', agent), { status: 200, connection: 'close' })
  // Nothing is idle any more, so that nothing is waited for.
  await closing
  await t.rejects(get(port, '/fast', agent), { code: 'ECONNREFUSED' })
})

t.test('an answer that is being signed when the stop begins does not end its connection, on which a last request is served', async (t) => {
  const { app, drain, port, hold, release, stopping } = await signing(t, 60_000)
  const agent = keepAlive(t)
  const first = get(port, '/', agent)
  await hold
  const closing = app.close()
  await stopping()
  release()
  t.same(await first, { status: 200, connection: 'keep-alive' }, 'its head was made before')
  t.same(await get(port, '/', agent), { status: 200, connection: 'close' })
  await closing
  t.same(drain.underWay(), [])
})

t.test('such a connection is waited for as long as any other on which nothing comes', async (t) => {
  const clock = { ms: 0, asked: 0 }
  const { app, port, hold, release, stopping } = await signing(t, IDLE_MS, () => {
    clock.asked++
    return clock.ms
  })
  const first = get(port, '/', keepAlive(t))
  await hold
  let isClosed = false
  const closing = app.close().then(() => {
    isClosed = true
  })
  await stopping()
  // Longer than an idle connection would be waited for.
  clock.ms += 2 * IDLE_MS
  release()
  t.match(await first, { status: 200 })
  clock.ms += IDLE_MS - 1
  const { asked } = clock
  await eventually(
    'the drain looks at it again',
    () => clock.asked,
    (times) => times > asked + 1,
  )
  t.equal(isClosed, false)
  clock.ms += 1
  await closing
})

/** A server whose first answer is held after the hooks of the drain, as a signature does. */
async function signing(t: Test, idleMs: number, now?: () => number): Promise<Omit<Held, 'entered'> & { readonly hold: Promise<void> }> {
  const drain = createDrain(idleMs, now)
  const app = Fastify({ return503OnClosing: false })
  const held = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  drain.watch(app)
  app.addHook('onSend', async () => {
    entered.resolve()
    await held.promise
  })
  app.get('/', async () => 'signed')
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const stopping = async () => {
    while (app.server.listening) await new Promise((resolve) => setImmediate(resolve))
  }
  return { app, drain, port, hold: entered.promise, release: held.resolve, stopping }
}

t.test('connections on which nothing comes keep no server open, not even those on which nothing ever came', async (t) => {
  const { app, port } = await serve(t)
  const accepted = new Promise((resolve) => app.server.once('connection', resolve))
  const silent = connect(port, '127.0.0.1')
  silent.on('error', () => undefined)
  await accepted
  t.match(await get(port, '/fast', keepAlive(t)), { status: 200 })
  await app.close()
  if (!silent.closed) await new Promise((resolve) => silent.once('close', resolve))
  t.equal(silent.closed, true)
})

t.test('requests that were sent together on one connection are all answered', async (t) => {
  const { app, drain, port, entered, stopping, release } = await serve(t)
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.write('GET /slow HTTP/1.1\r\nHost: svc\r\n\r\nGET /fast HTTP/1.1\r\nHost: svc\r\n\r\n')
  await entered
  while (drain.underWay().length < 2) await new Promise((resolve) => setImmediate(resolve))
  const closing = app.close()
  await stopping()
  release()
  await new Promise((resolve) => socket.once('close', resolve))
  await closing
  t.equal(received.match(/HTTP\/1\.1 200 /g)?.length, 2, received)
  t.match(received, /slow.*fast$/s)
})

t.test('a caller who leaves is not waited for', async (t) => {
  const { app, drain, port, entered, release } = await serve(t)
  const socket = connect(port, '127.0.0.1')
  // The second answer waits for the first.
  socket.write('GET /slow HTTP/1.1\r\nHost: svc\r\n\r\n'.repeat(2))
  await entered
  while (drain.underWay().length < 2) await new Promise((resolve) => setImmediate(resolve))
  socket.destroy()
  await eventually(
    'nothing is under way',
    () => drain.underWay(),
    (underWay) => underWay.length === 0,
  )
  await app.close()
  t.equal(app.server.listening, false)
  release()
})
