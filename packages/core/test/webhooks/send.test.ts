import { once } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { freePort } from '@svc/testing/free-ports'
import fc from 'fast-check'
import t from 'tap'
import { isPublic } from '../../src/webhooks/addresses.ts'
import { MOST_ATTEMPTS, pauseAfter, readRetryAfter, SCHEDULE_MS } from '../../src/webhooks/schedule.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { readTarget } from '../../src/webhooks/target.ts'
import { receiver } from '../support/receiver.ts'

const open = { allowPrivate: true, ports: [443] }
const strict = { allowPrivate: false, ports: [443] }
const message = { headers: { 'webhook-id': 'msg_1', 'content-type': 'application/json' }, body: '{"a":"ü"}' }

t.test('what is not on the public internet is refused in every spelling', async (t) => {
  const refused = (url: string) => 'refusal' in readTarget(url, strict)
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '１２７.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.100.100.200',
    '0.0.0.0',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
    '[3fff::1]',
    'localhost',
    'localhost.',
    'a.localhost',
    'intranet',
  ]
  for (const host of hosts) t.ok(refused(`https://${host}/`), host)
  for (const url of [
    'http://example.org/',
    'https://u:p@example.org/',
    'https://u@example.org/',
    'ftp://example.org/',
    'https://example.org:22/',
    'x',
    `https://example.org/${'a'.repeat(2_000)}`,
  ])
    t.ok(refused(url), url.slice(0, 60))
  for (const url of ['https://example.org/', 'https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://example.org:443/a?b=c'])
    t.notOk(refused(url), url)
  t.notOk('refusal' in readTarget('http://127.0.0.1:3000/', open))
  t.ok('refusal' in readTarget('http://u:p@127.0.0.1:3000/', open))
  t.notOk('refusal' in readTarget('https://example.org:8443/', { ...strict, ports: [443, 8443] }))
})

t.test('no address that stands for one of IPv4 in IPv6 is public', async (t) => {
  const part = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(part, part, part, part, (a, b, c, d) => {
      const four = `${a}.${b}.${c}.${d}`
      return !isPublic(`::ffff:${four}`) && !isPublic(`::${four}`) && !isPublic(`64:ff9b::${four}`)
    }),
  )
  t.equal(isPublic('no address'), false)
  t.equal(isPublic('fe80::1%eth0'), false)
})

t.test('a name is looked at when it is resolved, and what was looked at is what is connected to', async (t) => {
  const secret = await receiver(t)
  const answers = [
    [
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
    [{ address: '::ffff:127.0.0.1', family: 6 }],
    [{ address: '169.254.169.254', family: 4 }],
    [],
  ]
  let asked = 0
  const send = createSender({ rules: { ...strict, ports: [secret.port] }, resolve: async () => answers[asked++] ?? [] })
  const url = `https://rebinding.example:${secret.port}/`
  for (const failure of ['ADDRESS_REFUSED', 'ADDRESS_REFUSED', 'ADDRESS_REFUSED', 'NAME_UNKNOWN'])
    t.match(await send({ ...message, url }), { failure, status: null })
  t.equal(asked, 4, 'each attempt resolves once')
  t.match(
    await send({ ...message, url: `https://127.0.0.1:${secret.port}/` }),
    { failure: 'ADDRESS_REFUSED' },
    'a literal is not resolved at all',
  )
  t.equal(asked, 4)
  t.same(secret.received, [])

  const names: string[] = []
  const local = createSender({
    rules: open,
    resolve: async (name) => {
      names.push(name)
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  t.match(await local({ ...message, url: `http://anything.example:${secret.port}/` }), { failure: null, status: 200, answer: 'ok' })
  t.same(names, ['anything.example'])
  t.match(secret.received, [
    { body: message.body, headers: { 'webhook-id': 'msg_1', host: `anything.example:${secret.port}`, connection: 'close' } },
  ])
})

t.test('a redirect is not followed, and a proxy of the environment is not asked', async (t) => {
  const proxy = await receiver(t)
  const target = await receiver(t, (response) => response.writeHead(302, { location: proxy.url }).end())
  const before = { ...process.env }
  Object.assign(process.env, { HTTP_PROXY: proxy.url, http_proxy: proxy.url, HTTPS_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' })
  t.teardown(() => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  })
  t.match(await createSender({ rules: open })({ ...message, url: target.url }), { failure: 'REDIRECT', status: 302 })
  t.same([target.received.length, proxy.received.length], [1, 0])
})

t.test('little of an answer is read, and less is kept', async (t) => {
  let written = 0
  const huge = await receiver(t, (response) => {
    response.writeHead(500)
    const write = () => {
      while (response.writable && !response.destroyed && written < 50_000_000 && response.write(`\u0000${'x'.repeat(65_535)}`))
        written += 65_536
    }
    response.on('drain', write)
    write()
  })
  const attempt = await createSender({ rules: open })({ ...message, url: huge.url })
  t.match(attempt, { failure: 'STATUS', status: 500 })
  t.equal(attempt.answer, `\ufffd${'x'.repeat(255)}`)
  t.ok(written < 10_000_000, 'the rest is not taken')
})

t.test('what takes too long is given up: to connect, to answer, to end an answer', async (t) => {
  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const send = createSender({ rules: open, timeoutMs: 60, connectMs: 30 })
  t.match(await send({ ...message, url: `http://127.0.0.1:${port}/` }), { failure: 'TIMEOUT', status: null })
  // By the limit of a connection: that of the whole attempt would outlast the test.
  const connects = createSender({ rules: open, timeoutMs: 3_600_000, connectMs: 30 })
  const noTls = await connects({ ...message, url: `https://127.0.0.1:${port}/` })
  t.match(noTls, { failure: 'TIMEOUT', status: null }, 'TLS that does not come, as a connection that is not made')
  const resolve = () => new Promise<never>(() => {})
  t.match(await createSender({ rules: open, resolve, connectMs: 30 })({ ...message, url: 'http://slow.example/' }), { failure: 'TIMEOUT' })
  const trickling = await receiver(t, (response) => {
    response.writeHead(200)
    response.write('a')
  })
  t.match(await send({ ...message, url: trickling.url }), { failure: 'TIMEOUT' })
  t.match(await createSender({ rules: open })({ ...message, url: trickling.url }), { failure: null, status: 200, answer: 'a' })
})

t.test('a connection that is refused, lost or not to be trusted is a failure of its own kind', async (t) => {
  const port = await freePort()
  const send = createSender({ rules: open })
  t.match(await send({ ...message, url: `http://127.0.0.1:${port}/` }), { failure: 'CONNECT_FAILED' })
  const cut = await receiver(t, (response) => response.destroy())
  t.match(await send({ ...message, url: cut.url }), { failure: 'CONNECTION_LOST' })
  const talkative = (bytes: number) => receiver(t, (response) => response.writeHead(200, { 'x-much': 'x'.repeat(bytes) }).end('ok'))
  t.match(await send({ ...message, url: (await talkative(20_000)).url }), { failure: null, status: 200 }, 'much is read')
  t.match(await send({ ...message, url: (await talkative(70_000)).url }), { failure: 'ANSWER_UNREADABLE', status: null }, 'not everything')
  const mail = await receiver(t, (response) => response.socket?.end('220 mail.example ESMTP\r\n'))
  t.match(await send({ ...message, url: mail.url }), { failure: 'ANSWER_UNREADABLE', status: null }, 'no HTTP')
  for (const [status, failure] of [
    [300, 'STATUS'],
    [304, 'STATUS'],
    [307, 'REDIRECT'],
    [308, 'REDIRECT'],
  ] as const) {
    const other = await receiver(t, (response) => response.writeHead(status).end())
    t.match(await send({ ...message, url: other.url }), { failure, status }, String(status))
  }
  const plain = await receiver(t)
  t.match(await send({ ...message, url: plain.url.replace('http:', 'https:') }), { failure: 'TLS_FAILED' })
  const secure = createSecureServer(SELF_SIGNED, (_, response) => response.end('ok'))
  secure.listen(0, '127.0.0.1')
  await once(secure, 'listening')
  t.teardown(() => secure.close())
  const { port: securePort } = secure.address() as AddressInfo
  t.match(await send({ ...message, url: `https://127.0.0.1:${securePort}/` }), { failure: 'TLS_FAILED' })
})

t.test('the schedule is ten attempts within three days, each pause within a fifth of it', async (t) => {
  t.equal(MOST_ATTEMPTS, 10)
  t.equal(
    SCHEDULE_MS.reduce((sum: number, ms) => sum + ms, 0),
    236_165_000,
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (attempts, random, retryAfter) => {
      const planned = SCHEDULE_MS[attempts] ?? Number.NaN
      const pause = pauseAfter(attempts, random) ?? Number.NaN
      const asked = pauseAfter(attempts, random, retryAfter) ?? Number.NaN
      return (
        pause >= planned * 0.799 &&
        pause <= planned * 1.201 &&
        asked >= Math.min(retryAfter, 86_400_000) &&
        (asked === pause || asked <= 86_400_000)
      )
    }),
  )
  t.equal(pauseAfter(10, 0.5), null)
  const at = new Date('2026-11-22T12:00:00Z')
  t.equal(readRetryAfter('120', at), 120_000)
  t.equal(readRetryAfter('Sun, 22 Nov 2026 12:01:00 GMT', at), 60_000)
  t.equal(readRetryAfter('Sun, 22 Nov 2026 11:00:00 GMT', at), 0)
  for (const bad of [undefined, '', '-1', '1.5', 'soon', '2026-11-22', '+9', '0x9']) t.equal(readRetryAfter(bad, at), null)
  for (const long of ['86400', '86401', '9'.repeat(12), '9'.repeat(400)]) t.equal(readRetryAfter(long, at), 86_400_000, long)
})

/** For 127.0.0.1, by nobody that anybody trusts; until 2126. */
const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcViAyjQb2seQ9MrT
QGs7SRd/1ztaomXZWzPYXACRW4ahRANCAAT3sZ+JrN2qxk0i/QOJGfLChqJGOrVl
iIVctjdpebdOnWO1pt3FQJqtOsE3y/KMyzO9aW/Tvi2etRhX0671TMur
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUEBOYQ/rx57n9C1dVkYchfTjkmJcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMjE1NTMwM1oYDzIxMjYxMDI5
MTU1MzAzWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT3sZ+JrN2qxk0i/QOJGfLChqJGOrVliIVctjdpebdOnWO1pt3FQJqt
OsE3y/KMyzO9aW/Tvi2etRhX0671TMuro1MwUTAdBgNVHQ4EFgQUgVWBZR42DIrG
w5VFQ41lvpVA6vMwHwYDVR0jBBgwFoAUgVWBZR42DIrGw5VFQ41lvpVA6vMwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAZfza657GuJAovQtGsNB6L
eO1POqG+fg/L5gRfTqj9iwIhALQ83hr2XikH5g6o5L7ezL/39q9rrx6lOm3X7QcW
PyK4
-----END CERTIFICATE-----`,
}
