import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { eventually } from '@svc/testing/eventually'
import { freePort } from '@svc/testing/free-ports'
import t from 'tap'
import { createRpc } from '../../src/rpc/rpc.ts'

async function server(listener: RequestListener): Promise<{ url: string; server: Server; connections: () => number }> {
  let connections = 0
  const server = createServer(listener).on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, connections: () => connections }
}

async function stop(...servers: Server[]): Promise<void> {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"id":1}' }
const log = { warn: () => undefined }

t.test('connections are kept, a compressed answer arrives decoded, and a refused status leaves its connection usable', async (t) => {
  let calls = 0
  const good = await server((request, response) => {
    request.resume()
    if (++calls === 2) response.writeHead(500).end('x'.repeat(100))
    else response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }).end(gzipSync('{"result":"0x1"}'))
  })
  const rpc = createRpc({ endpoints: [good], name: 'wire', log })
  const reply = await rpc.fetch('http://upstream.invalid/', post)
  t.same(await reply.json(), { result: '0x1' })
  t.notOk(reply.headers.get('content-encoding'))
  await t.rejects(rpc.fetch('http://upstream.invalid/', post), { code: 'UPSTREAM_UNAVAILABLE' })
  for (let call = 0; call < 5; call++) await rpc.fetch('http://upstream.invalid/', post)
  // A connection that a machine which stands still leaves idle for too long is another one.
  t.ok(good.connections() <= 4, `${good.connections()} connections for 7 calls`)
  rpc.close()
  await stop(good.server)
})

t.test('refused, cut, halved and hanging connections lead to the endpoint that works', async (t) => {
  const gone = { url: `http://127.0.0.1:${await freePort()}` }
  const cuts = await server((request) => request.socket.destroy())
  const halves = await server((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{"half":')
    setImmediate(() => response.socket?.destroy())
  })
  const hangs = await server(() => undefined)
  const stalls = await server((_request, response) => void response.writeHead(200).write('{"stalls":'))
  const works = await server((_request, response) => void response.end('{"result":"works"}'))
  const ask = async (endpoints: { url: string }[], timeoutMs: number) => {
    const reasons: string[] = []
    const rpc = createRpc({
      endpoints,
      name: 'wire',
      log: { warn: (line: unknown) => reasons.push((line as { reason: string }).reason) },
      timeoutMs,
      deadlineMs: 600_000,
    })
    const answer = await rpc.fetch('http://upstream.invalid/', post).then(
      (response) => response.json(),
      () => null,
    )
    rpc.close()
    return { answer, reasons }
  }
  const found = await ask([gone, cuts, halves, works], 60_000)
  t.same(found.answer, { result: 'works' })
  t.equal(found.reasons[0], 'network ECONNREFUSED')
  for (const reason of found.reasons.slice(1)) t.match(reason, /^network (UND_ERR_SOCKET|ECONNRESET)$/)
  t.equal(found.reasons.length, 3)
  // On a machine that stands still so short a limit is over for the one that works as well: then all of them are asked once more.
  const late = await eventually(
    'an answer within the limit',
    () => ask([hangs, stalls, works], 100),
    ({ answer }) => answer !== null,
  )
  t.same(late, { answer: { result: 'works' }, reasons: ['timeout', 'timeout'] })
  await stop(cuts.server, halves.server, hangs.server, stalls.server, works.server)
})

t.test('no answer is longer than what may be kept, whatever its endpoint says of its length', async (t) => {
  const whole = `{"result":"${'1'.repeat(4000)}"}`
  const raw = (head: string, body: string | Buffer) =>
    server((request) => void request.socket.end(Buffer.concat([Buffer.from(head), Buffer.from(body)])))
  const says = (length: number) => `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${length}\r\n`
  const zipped = gzipSync(whole)
  const lying = [
    await raw(`${says(whole.length)}\r\n`, whole),
    await raw(`${says(zipped.length)}content-encoding: gzip\r\n\r\n`, zipped),
    await raw(`${says(10)}\r\n`, whole),
    await raw(`${says(10)}transfer-encoding: chunked\r\n\r\n`, `${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n`),
  ]
  const works = await server((_request, response) => void response.end('{"result":"works"}'))
  const reasons: string[] = []
  const rpc = createRpc({
    endpoints: [...lying, works],
    name: 'wire',
    log: { warn: (line: unknown) => reasons.push((line as { reason: string }).reason) },
    mostBytes: 1000,
  })
  t.same(await (await rpc.fetch('http://upstream.invalid/', post)).json(), { result: 'works' })
  t.match(reasons, ['too large', 'too large', /^network /, /^network /])
  await stop(...lying.map(({ server }) => server), works.server)
})

t.test('a redirect is not followed, so that credentials stay where they belong', async (t) => {
  let followed = 0
  const elsewhere = await server((_request, response) => {
    followed++
    response.end('{}')
  })
  const redirects = await server((_request, response) => void response.writeHead(307, { location: elsewhere.url }).end())
  const rpc = createRpc({ endpoints: [{ ...redirects, headers: { 'x-api-key': 'secret' } }], name: 'wire', log })
  await t.rejects(rpc.fetch('http://upstream.invalid/', post), { code: 'UPSTREAM_UNAVAILABLE' })
  t.equal(followed, 0)
  await stop(redirects.server, elsewhere.server)
})

t.test('JSON is sent and read within an exchange, whichever encoding it comes in', async (t) => {
  const seen: { method: string | undefined; path: string | undefined; headers: Record<string, unknown>; body: string }[] = []
  const encodings: Record<string, (text: string) => Buffer> = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    'deflate, gzip': (text) => gzipSync(deflateSync(text)),
    identity: Buffer.from,
  }
  const names = Object.keys(encodings)
  const node = await server(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url, headers } = request
    const encoding = names[seen.length % names.length] ?? ''
    seen.push({ method, path: url, headers, body })
    response.writeHead(200, { 'content-encoding': encoding }).end(encodings[encoding]?.('{"result":"ä1"}'))
  })
  const endpoint = { url: `${node.url}/key/?a=b`, headers: { 'X-Api-Key': ' secret\n' } }
  const rpc = createRpc({ endpoints: [endpoint], name: 'wire', log })
  for (const name of names) {
    const answer = await rpc.exchange(async (send) => send.postJson?.('{"id":"ä"}', JSON.parse))
    t.same(answer, { status: 200, value: { result: 'ä1' } }, name)
  }
  t.match(seen[0], { method: 'POST', path: '/key/?a=b', body: '{"id":"ä"}' })
  t.match(seen[0]?.headers, {
    'content-type': 'application/json',
    'content-length': '11',
    'x-api-key': 'secret',
    accept: '*/*',
    'user-agent': 'node',
  })
  t.ok(node.connections() < names.length, `${node.connections()} connections for ${names.length} calls`)
  rpc.close()
  await t.rejects(
    rpc.exchange(async (send) => send.postJson?.('{}', JSON.parse)),
    { name: 'AbortError' },
  )
  await stop(node.server)
})

t.test('what is no JSON is asked of the next endpoint, and a refusal by HTTP is handed over', async (t) => {
  const html = await server((_request, response) => void response.end('<html>'))
  const garbled = await server((_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('{"result":1}'))
  const refuses = await server((_request, response) => void response.writeHead(400).end('no batches here'))
  const works = await server((_request, response) => void response.end('{"result":"works"}'))
  const reasons: string[] = []
  const counted = { warn: (line: unknown) => reasons.push((line as { reason: string }).reason) }
  const ask = (...endpoints: { url: string }[]) =>
    createRpc({ endpoints, name: 'wire', log: counted }).exchange(async (send) => send.postJson?.('{}', JSON.parse))
  t.same(await ask(html, garbled, works), { status: 200, value: { result: 'works' } })
  t.match(reasons, ['not json', /^network /])
  t.same(await ask(refuses, works), { status: 400, value: undefined })
  await stop(html.server, garbled.server, refuses.server, works.server)
})

t.test('the body of a refusal is neither waited for nor taken without end', async (t) => {
  const left = Promise.withResolvers<void>()
  const floods = await server((_request, response) => {
    response.writeHead(503).once('close', left.resolve)
    const more = () => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', more)
    }
    more()
  })
  const works = await server((_request, response) => void response.end('{"result":"works"}'))
  const rpc = createRpc({ endpoints: [floods, works], name: 'wire', log, timeoutMs: 60_000, deadlineMs: 60_000 })
  t.same(await (await rpc.fetch('http://upstream.invalid/', post)).json(), { result: 'works' })
  await left.promise
  rpc.close()
  await stop(floods.server, works.server)
})
