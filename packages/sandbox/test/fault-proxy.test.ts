import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FaultProxy, startFaultProxy } from '@svc/sandbox'
import { eventually } from '@svc/testing/eventually'
import t, { type Test } from 'tap'

/** A chain that answers with what it was sent, and counts. */
async function startEcho(t: Test): Promise<{ proxy: FaultProxy; seen: string[]; stop: () => Promise<void> }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['x-test'] ?? ''}`.trim())
    response.writeHead(201, { 'content-type': 'text/plain', 'x-from': 'chain' })
    request.pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxy = await startFaultProxy({ target, port: 0, name: 'the echo chain' })
  t.teardown(async () => {
    await proxy.close()
    await stop()
  })
  return { proxy, seen, stop }
}

const send = (url: string, body: string) => fetch(url, { method: 'POST', body, headers: { 'x-test': 'kept' } })

t.test('without a fault a request and its answer pass unchanged', async (t) => {
  const { proxy, seen } = await startEcho(t)
  const body = 'x'.repeat(200_000)
  const answer = await send(`${proxy.url}/path?query=1`, body)
  t.equal(answer.status, 201)
  t.equal(answer.headers.get('x-from'), 'chain')
  t.equal(await answer.text(), body)
  t.same(seen, ['POST /path?query=1 kept'])
})

t.test('error answers HTTP 500 as often as it was told to, and the chain sees nothing', async (t) => {
  const { proxy, seen } = await startEcho(t)
  proxy.fault({ kind: 'error', times: 2 })
  for (const expected of [500, 500, 201]) t.equal((await send(proxy.url, '{}')).status, expected)
  t.equal(seen.length, 1)
})

t.test('drop breaks the connection, and goes on until it is switched off', async (t) => {
  const { proxy, seen } = await startEcho(t)
  proxy.fault({ kind: 'drop' })
  for (let i = 0; i < 3; i++) await t.rejects(send(proxy.url, '{}'), TypeError)
  t.equal(seen.length, 0)
  proxy.fault({ kind: 'none' })
  t.equal((await send(proxy.url, '{}')).status, 201)
})

t.test('delay holds back one request only', async (t) => {
  const { proxy } = await startEcho(t)
  proxy.fault({ kind: 'delay', ms: 600_000, times: 1 })
  const held = t.rejects(send(proxy.url, 'slow'), TypeError)
  // The switch is taken by the request that arrives first.
  await eventually(
    'the proxy holds it',
    () => proxy.faulted(),
    (fault) => fault === null,
  )
  t.equal(await (await send(proxy.url, 'quick')).text(), 'quick')
  await proxy.close()
  await held
})

t.test('a proxy closes while a delayed request waits', async (t) => {
  const { proxy, seen } = await startEcho(t)
  proxy.fault({ kind: 'delay', ms: 60_000 })
  const waiting = send(proxy.url, '{}')
  const rejected = t.rejects(waiting, TypeError)
  await new Promise((resolve) => setTimeout(resolve, 20))
  await proxy.close()
  await rejected
  t.equal(seen.length, 0)
})

t.test('a chain that has ended is an HTTP 502 that names it', async (t) => {
  const { proxy, stop } = await startEcho(t)
  await stop()
  const answer = await send(proxy.url, '{}')
  t.equal(answer.status, 502)
  t.same(await answer.json(), { error: 'the echo chain does not answer: its engine has ended' })
})

t.test('a fault that is not one is refused', async (t) => {
  const { proxy } = await startEcho(t)
  const wrong = [
    {},
    { kind: 'explode' },
    { kind: 'error', ms: 5 },
    { kind: 'delay', ms: -1 },
    { kind: 'drop', times: 0 },
    { kind: 'none', times: 1 },
  ]
  for (const fault of wrong) t.throws(() => proxy.fault(fault as never), { code: 'INVALID_INPUT' }, JSON.stringify(fault))
})

t.test('a chain that ends in the middle of its answer breaks the connection of its client', async (t) => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxy = await startFaultProxy({ target, port: 0, name: 'the echo chain' })
  t.teardown(async () => {
    await proxy.close()
    await new Promise((resolve) => server.close(resolve))
  })
  await t.rejects(send(proxy.url, '{}').then((answer) => answer.text()))
})

t.test('a client that leaves early does not disturb the next one', async (t) => {
  const { proxy } = await startEcho(t)
  for (let i = 0; i < 20; i++) {
    const leaving = new AbortController()
    const sent = fetch(proxy.url, { method: 'POST', body: 'x'.repeat(100_000), signal: leaving.signal })
    setImmediate(() => leaving.abort())
    await sent.then((answer) => answer.text()).catch(() => {})
  }
  t.equal((await send(proxy.url, '{}')).status, 201)
})
