import t from 'tap'
import { listenUrl } from '../src/index.ts'
import { serve, serveStored } from './support/serve.ts'
import { listening } from './support/wire.ts'

const GIVE = '/api/v1/paper/native/action/give'

t.test('a body with bytes that are no UTF-8 is 400, and one in UTF-8 is read as it was written', async (t) => {
  const { app, key, records } = await serve(t)
  const headers = { 'x-api-key': (await key()).value, 'content-type': 'application/json' }
  const send = (body: string, coding: 'latin1' | 'utf8') =>
    app.inject({ method: 'POST', url: GIVE, headers, payload: Buffer.from(body, coding) })
  const body = '{"address":"pü","amount":1}'
  t.match((await send(body, 'latin1')).json(), { statusCode: 400, code: 'BODY_NOT_JSON', error: /no UTF-8/ })
  t.match((await send(body, 'utf8')).json(), { statusCode: 400, code: 'ADDRESS_INVALID', error: /"pü"/ })
  for (const { reason } of await records(2)) t.notMatch(reason, /\ufffd/, 'nothing is kept as another sign')
  t.match((await send('\u{feff}{}', 'utf8')).json(), { code: 'BODY_NOT_JSON' }, 'a byte order mark is no JSON')
})

t.test('X-IDENTITY in UTF-8 is kept as it was written and found by it; other bytes are refused and kept nowhere', async (t) => {
  const { app, key, token, records } = await serveStored(t)
  const { value } = await key()
  const identified = (identity: string) =>
    app.inject({ url: '/api/v1/paper/native/networks', headers: { 'x-api-key': value, 'x-identity': identity } })
  t.equal((await identified(Buffer.from('Jürgen 汉字').toString('latin1'))).statusCode, 200)
  t.match((await identified('J\xfcrgen')).json(), { statusCode: 400, code: 'REQUEST_INVALID', error: /^X-IDENTITY has bytes/ })
  t.match((await identified('')).json(), { statusCode: 400, error: /^X-IDENTITY is there and empty/ })
  t.equal((await identified(Buffer.from('ä'.repeat(4_000)).toString('latin1'))).statusCode, 200, 'a long one is cut')
  t.same(
    (await records(4)).map(({ identity }) => identity),
    ['Jürgen 汉字', null, null, 'ä'.repeat(256)],
  )
  const found = await app.inject({
    url: `/api/v1/audit?identity=${encodeURIComponent('Jürgen 汉字')}`,
    headers: { token: (await token()).value },
  })
  t.equal(found.json().records.length, 1)
})

t.test('a number beyond every double is named as it was written', async (t) => {
  const { call } = await serve(t)
  for (const [amount, shown] of [
    ['1e9999', /^amount is 1e9999, which is beyond 1\.8e308/],
    ['-2E+400', /^amount is -2E\+400, which is beyond/],
    [`1${'0'.repeat(400)}`, /^amount is 10{39}…, which is beyond/],
  ] as const)
    t.match((await call('POST', 'action/give', `{"address":"p001","amount":${amount}}`)).json(), { statusCode: 400, error: shown })
})

t.test('who waits with a body is told to go on once it is wanted, and else what is wrong', async (t) => {
  const { app, key } = await serve(t, { config: { limits: { body_bytes: 1024 } } })
  const { value } = await key()
  const connect = await listening(t, app)
  /** Sends the head of a request that waits, and its body only when it is asked for. @returns all that came back */
  const ask = async (headers: string, body: string, length = Buffer.byteLength(body)) => {
    const socket = connect()
    let came = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (text.startsWith('HTTP/1.1 100')) socket.write(body)
      came += text
    })
    socket.write(
      `POST ${GIVE} HTTP/1.1\r\nHost: svc\r\nConnection: close\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${headers}Content-Length: ${length}\r\n\r\n`,
    )
    await new Promise((done) => socket.once('close', done))
    return came
  }
  const mine = `X-API-KEY: ${value}\r\n`
  const body = '{"address":"p001","amount":1}'
  t.match(await ask(mine, body), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  t.match(await ask('', body), /^HTTP\/1\.1 401 Unauthorized\r\n/, 'a stranger')
  t.match(await ask(mine, '', 5_000_000), /^HTTP\/1\.1 413 Payload Too Large\r\n/, 'too long')
  t.match(await ask(`${mine}Content-Encoding: gzip\r\n`, body), /^HTTP\/1\.1 415 Unsupported Media Type\r\n/, 'compressed')
  t.match(await ask(`${mine}X-NETWORK:\r\n`, body), /^HTTP\/1\.1 400 Bad Request\r\n/, 'an empty header')
})

t.test('the address that is shown is one that can be opened', async (t) => {
  t.same(
    ['127.0.0.1', '0.0.0.0', '::', '::1', 'svc.example'].map((host) => listenUrl(host, 3000)),
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://[::1]:3000', 'http://svc.example:3000'],
  )
})
