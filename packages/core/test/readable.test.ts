import fc from 'fast-check'
import t from 'tap'
import { quoted, readable } from '../src/base/readable-text.ts'
import { serve } from './support/serve.ts'

/** Signs that no reader sees as what they are: C0, C1, direction, no width, separators, a tag of another plane. */
const UNSEEN = [
  '\u0007',
  '\u001b',
  '\u0085',
  '\u009b',
  '\u061c',
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2066',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u{e0041}',
]

t.test('no name of a key, description or address of a receiver holds what cannot be seen', async (t) => {
  const { call, token } = await serve(t)
  const headers = { token: (await token()).value }
  const ask = async (method: string, path: string, body: unknown) => (await call(method, `/api/v1/${path}`, body, headers)).statusCode
  const { ulid } = (await call('POST', '/api/v1/apikeys', { name: 'plain' }, headers)).json()
  const url = 'https://example.org/hooks'
  for (const sign of UNSEEN) {
    const text = `to${sign}day`
    const name = `U+${sign.codePointAt(0)?.toString(16)}`
    t.equal(await ask('POST', 'apikeys', { name: text }), 400, name)
    t.equal(await ask('PATCH', `apikeys/${ulid}`, { name: text }), 400, name)
    t.equal(await ask('POST', 'apikeys', { name: 'n', description: text }), 400, name)
    t.equal(await ask('POST', 'webhooks', { url, description: text }), 400, name)
    t.equal(await ask('POST', 'webhooks', { url: `${url}/${text}` }), 400, name)
    t.equal(await ask('POST', 'webhooks', { url: `https://ex${sign}ample.org/` }), 400, name)
  }
  for (const name of ['', ' ', '\u200b', '\u0301'])
    t.equal(await ask('POST', 'apikeys', { name }), 400, `${encodeURIComponent(name)} shows nothing`)
  for (const name of ['日本の鍵', 'Schlüssel №1', 'é', '🔑', 'payouts (EU) – nightly'])
    t.equal(await ask('POST', 'apikeys', { name, description: 'two\nlines\tand a tab' }), 201, name)
})

t.test('the address of a receiver is kept as it is called, and its host is a name', async (t) => {
  const { call, token } = await serve(t)
  const headers = { token: (await token()).value }
  const made = await call('POST', '/api/v1/webhooks', { url: 'HTTPS://Example.ORG:443/a/../hooks' }, headers)
  t.equal(made.json().url, 'https://example.org/hooks')
  const changed = await call('PATCH', `/api/v1/webhooks/${made.json().ulid}`, { url: 'https://Example.org' }, headers)
  t.equal(changed.json().url, 'https://example.org/')
  for (const host of [
    'a_b.example.org',
    'a!b.example.org',
    '-a.example.org',
    'a-.example.org',
    `${'a'.repeat(64)}.example.org`,
    'a..example.org',
  ]) {
    const reply = await call('POST', '/api/v1/webhooks', { url: `https://${host}/` }, headers)
    t.match(reply.json(), { code: 'WEBHOOK_URL_REFUSED' }, host)
  }
  for (const host of ['xn--bcher-kva.example', 'bücher.example', '1.example.org', 'example.org.', `${'a'.repeat(63)}.example.org`])
    t.equal((await call('POST', '/api/v1/webhooks', { url: `https://${host}/` }, headers)).statusCode, 201, host)
})

t.test('what a header says is kept with signs that can be seen', async (t) => {
  const { call, records, key } = await serve(t)
  await call('GET', 'networks', undefined, {
    'x-api-key': (await key()).value,
    'x-identity': Buffer.from('user\u009b31m').toString('latin1'),
  })
  const [record] = await records(1)
  t.equal(record?.identity, 'user\ufffd31m')
})

t.test('a quoted value can be seen, whatever it is, and is cut off at its bound', async (t) => {
  fc.assert(
    fc.property(fc.anything(), fc.integer({ min: 1, max: 80 }), (value, most) => {
      const text = quoted(value, most)
      return text === readable(text) && text.length <= most + 1
    }),
  )
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readable(text) === readable(readable(text))))
  t.equal(quoted('a\u202eb'), '"a\ufffdb"')
  t.equal(quoted('abcdef', 4), '"abc…')
})
