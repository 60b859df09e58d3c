import { createVerify } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { fixed, signatures } from '../../src/signature/plugin.ts'
import { signedServerOptions } from '../../src/signature/refusals.ts'
import { freshSigner } from '../../src/signature/signer.ts'

const signer = await freshSigner()

async function start(routes: (app: FastifyInstance) => void | Promise<void> = () => undefined, by = signer): Promise<FastifyInstance> {
  const app = Fastify({ ...signedServerOptions(signer), bodyLimit: 1000, routerOptions: { maxParamLength: 50 } })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  await app.register(signatures, { signer: by, streamBytes: 100_000 })
  app.get('/json', async () => ({ amount: 1, name: 'ä€' }))
  app.post('/json', async () => ({ ok: true }))
  app.get('/item/:id', async () => ({}))
  await routes(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Writes bytes to a socket and reads the one reply that comes back, until the server closes. */
async function send(app: FastifyInstance, request: string): Promise<Reply> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(request)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const end = bytes.indexOf('\r\n\r\n')
  const [first, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(first?.split(' ')[1]), headers, body: bytes.subarray(end + 4) }
}

const call = (app: FastifyInstance, line: string, headers = '', body = '') =>
  send(
    app,
    `${line} HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n${headers}${body && `Content-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`,
  )

const json = 'Content-Type: application/json\r\n'

function signed(t: Test, { headers, body }: Reply, name?: string): void {
  t.notOk(headers['transfer-encoding'], 'the body is the bytes on the wire')
  t.equal(headers['x-content-type-options'], 'nosniff')
  t.ok(
    createVerify('RSA-SHA256')
      .update(body)
      .verify(signer.publicKeyPem, headers['x-signature'] ?? '', 'base64'),
    name ?? 'the signature verifies',
  )
  t.ok(headers['x-request-id'], 'the request has an id')
}

t.test('replies of routes are signed: objects, strings, buffers, nothing, streams', async (t) => {
  const text = `${'x'.repeat(50_000)}ä`
  const app = await start((app) => {
    app.get('/text', async () => text)
    app.get('/buffer', async () => Buffer.from([0, 255, 1, 254]))
    app.get('/empty', (_request, reply) => void reply.send())
    app.get('/null', async () => null)
    app.get('/204', (_request, reply) => void reply.code(204).send())
    app.get('/204-with-body', (_request, reply) => void reply.code(204).send('dropped'))
    app.get('/304', (_request, reply) => void reply.code(304).send('dropped'))
    app.get('/stream', async (_request, reply) =>
      reply.type('text/plain').send(Readable.from([text.slice(0, 10), Buffer.from(text.slice(10))])),
    )
    app.get('/web-stream', async () => new Blob([text]).stream())
    app.get('/response', async () => new Response(text, { status: 201, headers: { 'x-own': 'kept' } }))
    app.get('/empty-response', async () => new Response(null, { status: 202 }))
  })
  for (const [path, status, body] of [
    ['/json', 200, '{"amount":1,"name":"ä€"}'],
    ['/text', 200, text],
    ['/buffer', 200, Buffer.from([0, 255, 1, 254])],
    ['/empty', 200, ''],
    ['/null', 200, 'null'],
    ['/204', 204, ''],
    ['/204-with-body', 204, ''],
    ['/304', 304, ''],
    ['/stream', 200, text],
    ['/web-stream', 200, text],
    ['/response', 201, text],
    ['/empty-response', 202, ''],
  ] as const) {
    const reply = await call(app, `GET ${path}`)
    t.equal(reply.status, status, path)
    t.ok(reply.body.equals(Buffer.from(body)), `the body of ${path} is what the route sent`)
    signed(t, reply, `${path} is signed`)
    const head = await call(app, `HEAD ${path}`)
    t.equal(head.status, status, `HEAD ${path}`)
    t.equal(head.body.length, 0)
    signed(t, head, `HEAD ${path} signs the empty string`)
    if (path === '/response') t.equal(reply.headers['x-own'], 'kept')
  }
  await app.close()
})

t.test('refusals on the way to a route and in it are signed', async (t) => {
  const app = await start((app) => {
    app.get('/fault', async () => {
      throw new TypeError('a fault')
    })
    app.get('/broken-stream', async () =>
      Readable.from(
        (async function* () {
          yield 'begins'
          throw new TypeError('and breaks')
        })(),
      ),
    )
    app.get('/endless-stream', async () => Readable.from(Array.from({ length: 200 }, () => 'x'.repeat(1000))))
  })
  for (const [line, headers, body, status] of [
    ['GET /nowhere', '', '', 404],
    ['HEAD /nowhere', '', '', 404],
    ['DELETE /json', '', '', 404],
    ['POST /json', json, '{"a":', 400],
    ['POST /json', json, JSON.stringify('x'.repeat(2000)), 413],
    ['POST /json', 'Content-Type: text/csv\r\n', 'a,b', 415],
    ['GET /fault', '', '', 500],
    ['GET /broken-stream', '', '', 500],
    ['GET /endless-stream', '', '', 500],
  ] as const) {
    const reply = await call(app, line, headers, body)
    t.equal(reply.status, status, line)
    signed(t, reply, `${line} ${status} is signed`)
  }
  await app.close()
})

t.test('refusals that run no hook are signed and have the same body as any other', async (t) => {
  const app = await start()
  const many = Array.from({ length: 300 }, (_, index) => `X-Header-${index}: ${'x'.repeat(100)}\r\n`).join('')
  for (const [name, request, statusCode, message, code] of [
    ['bad percent-encoding', 'GET /item/%zz HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n\r\n', 400, 'Bad Request', 'URL_INVALID'],
    [
      'a long parameter',
      `GET /item/${'x'.repeat(99)} HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n\r\n`,
      414,
      'URI Too Long',
      'URL_TOO_LONG',
    ],
    ['garbage', 'these are no headers\r\n\r\n', 400, 'Bad Request', 'REQUEST_MALFORMED'],
    [
      'garbage after a request',
      'POST /json HTTP/1.1\r\nHost: svc\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'Bad Request',
      'REQUEST_MALFORMED',
    ],
    [
      'two lengths',
      'POST /json HTTP/1.1\r\nHost: svc\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'Bad Request',
      'REQUEST_MALFORMED',
    ],
    ['large headers', `GET /json HTTP/1.1\r\nHost: svc\r\n${many}\r\n`, 431, 'Request Header Fields Too Large', 'HEADERS_TOO_LARGE'],
    [
      'an unknown expectation',
      'GET /json HTTP/1.1\r\nHost: svc\r\nConnection: close\r\nExpect: a-miracle\r\n\r\n',
      417,
      'Expectation Failed',
      'EXPECTATION_UNKNOWN',
    ],
  ] as const) {
    const reply = await send(app, request)
    t.equal(reply.status, statusCode, name)
    signed(t, reply, `${name} is signed`)
    t.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
    t.match(JSON.parse(reply.body.toString()), { statusCode, message, code, error: /^[A-Z].*\.$/ }, name)
    t.same(Object.keys(JSON.parse(reply.body.toString())), ['statusCode', 'message', 'error', 'code'])
  }
  for (const [request, status] of [
    ['HEAD /item/%zz HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n\r\n', 400],
    ['HEAD /json HTTP/1.1\r\nHost: svc\r\nConnection: close\r\nExpect: a-miracle\r\n\r\n', 417],
    [`HEAD /json HTTP/1.1\r\nHost: svc\r\n${many}\r\n`, 431],
    ['HEAD /json HTTP/1.1\r\nno header\r\n\r\n', 400],
  ] as const) {
    const head = await send(app, request)
    t.equal(head.status, status)
    t.equal(head.body.length, 0)
    signed(t, head, `a HEAD signs the empty string here too, ${status}`)
  }
  await app.close()
})

t.test('a request without Host is refused with a signed body, and HTTP/1.0 needs none', async (t) => {
  const app = await start()
  for (const path of ['/json', '/nowhere']) {
    const reply = await send(app, `GET ${path} HTTP/1.1\r\n\r\n`)
    t.equal(reply.status, 400)
    signed(t, reply)
    t.match(JSON.parse(reply.body.toString()), { code: 'HOST_MISSING' })
  }
  const old = await send(app, 'GET /json HTTP/1.0\r\n\r\n')
  t.equal(old.status, 200)
  signed(t, old)
  await app.close()
})

t.test('a request with two Hosts is refused, whatever they say and however they are written', async (t) => {
  const app = await start()
  for (const hosts of ['Host: svc\r\nHost: svc', 'Host: svc\r\nHOST: other']) {
    const reply = await send(app, `GET /json HTTP/1.1\r\n${hosts}\r\n\r\n`)
    t.equal(reply.status, 400)
    signed(t, reply)
    t.match(JSON.parse(reply.body.toString()), { code: 'HOST_REPEATED' })
  }
  t.equal((await send(app, 'GET /json HTTP/1.1\r\nHost: svc\r\nHosts: a\r\nConnection: close\r\n\r\n')).status, 200)
  await app.close()
})

t.test('a CONNECT is refused with a signed body, and the connection closed', async (t) => {
  const app = await start()
  const reply = await send(app, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n')
  t.equal(reply.status, 400)
  t.equal(reply.headers.connection, 'close')
  signed(t, reply)
  t.match(JSON.parse(reply.body.toString()), { code: 'REQUEST_REFUSED', error: 'CONNECT asks for a tunnel; this service is no proxy.' })
  await app.close()
})

t.test('a call that arrives on an open connection while the server closes is still served and signed', async (t) => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let began: () => void = () => undefined
  const closing = new Promise<void>((resolve) => {
    began = resolve
  })
  const app = await start((app) => {
    app.addHook('preClose', async () => began())
    app.get('/slow', async () => {
      await held
      return 'done'
    })
  })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const received: string[] = []
  socket.on('data', (chunk) => received.push(String(chunk)))
  const entered = new Promise<void>((resolve) => app.server.once('request', () => resolve()))
  socket.write('GET /slow HTTP/1.1\r\nHost: svc\r\n\r\n')
  await entered
  const closed = app.close()
  await closing
  const second = new Promise<void>((resolve) => app.server.once('request', () => resolve()))
  socket.write('GET /json HTTP/1.1\r\nHost: svc\r\n\r\n')
  await second
  release()
  await new Promise((resolve) => socket.once('close', resolve))
  await closed
  const replies = received.join('').split(/(?=HTTP\/1\.1 )/)
  t.equal(replies.length, 2)
  t.match(replies[0], /^HTTP\/1\.1 200/)
  t.match(replies[1], /^HTTP\/1\.1 200/)
  t.match(replies[1], /\r\nconnection: close\r\n/i)
  const [head = '', body = ''] = replies[1]!.split('\r\n\r\n')
  const signature = /x-signature: (\S+)/.exec(head)?.[1] ?? ''
  t.ok(createVerify('RSA-SHA256').update(body).verify(signer.publicKeyPem, signature, 'base64'))
})

t.test('what a scope or a route changes on the way out is what is signed', async (t) => {
  const app = await start(async (app) => {
    await app.register(async (scope) => {
      scope.addHook('onSend', async (_request, _reply, payload) => `${payload}, changed by the scope`)
      scope.get('/scoped', async () => 'text')
      scope.get('/routed', { onSend: async (_request, _reply, payload) => `${payload} and by the route` }, async () => 'text')
    })
  })
  for (const [path, body] of [
    ['/scoped', 'text, changed by the scope'],
    ['/routed', 'text, changed by the scope and by the route'],
  ] as const) {
    const reply = await call(app, `GET ${path}`)
    t.equal(reply.body.toString(), body)
    signed(t, reply)
  }
  await app.close()
})

t.test('a response is signed once, however many scopes it leaves', async (t) => {
  const bodies: string[] = []
  const counting = { ...signer, sign: (body: string | Buffer) => signer.sign(body).finally(() => bodies.push(String(body))) }
  const app = await start(async (app) => {
    await app.register(async (scope) => {
      scope.addHook('onSend', async (_request, _reply, payload) => `${payload}, changed`)
      scope.get('/scoped', async () => 'text')
    })
  }, counting)
  await call(app, 'GET /scoped')
  t.same(bodies, ['text, changed'])
  await app.close()
})

t.test('bytes that never change are signed once, and sent as they are', async (t) => {
  let signatures = 0
  const counting = { ...signer, sign: (body: string | Buffer) => signer.sign(body).finally(() => signatures++) }
  const file = fixed(Buffer.alloc(100_000, 'a file'))
  const app = await start((app) => {
    app.get('/file', async (_request, reply) => reply.send(file))
    app.get('/304', async (_request, reply) => reply.code(304).send(file))
  }, counting)
  const left: unknown[] = []
  app.server.prependListener('request', (_request, response) => {
    const { end } = response
    response.end = ((body: unknown, ...more: unknown[]) => {
      left.push(body)
      return Reflect.apply(end, response, [body, ...more])
    }) as typeof end
  })
  for (let time = 0; time < 3; time++) {
    const reply = await call(app, 'GET /file')
    t.ok(reply.body.equals(file))
    signed(t, reply)
  }
  t.equal(signatures, 1)
  t.ok(
    left.every((body) => body === file),
    'the same bytes, not a copy',
  )
  signed(t, await call(app, 'HEAD /file'), 'a HEAD signs nothing')
  signed(t, await call(app, 'GET /304'), 'and so does a 304')
  await app.close()
})
