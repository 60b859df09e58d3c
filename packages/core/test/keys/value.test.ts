import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { decodeTime, ulid } from 'ulid'
import { mintValue, readValue, splitValue } from '../../src/credentials/value.ts'

const NOW = new Date('2026-11-21T10:00:00Z')
const kinds = ['key', 'token'] as const
const pepper = fc.string({ minLength: 1 })

await t.test('a minted value is read back by the peppers it was minted with', async (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), pepper, (kind, pepper) => {
      const { value, ulid, secret } = mintValue(kind, [pepper], NOW)
      t.same(readValue(value, kind, [pepper]), { ulid, secret })
    }),
  )
})

await t.test('a value with any one character changed is refused', async (t) => {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghijklmnopqrstuvwxyz_-ILOU .'
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.nat(), fc.constantFrom(...alphabet), (kind, place, letter) => {
      const { value } = mintValue(kind, ['pepper'], NOW)
      const at = place % value.length
      fc.pre(value[at] !== letter)
      t.equal(readValue(value.slice(0, at) + letter + value.slice(at + 1), kind, ['pepper']), null)
    }),
    { numRuns: 500 },
  )
})

await t.test('no other text is accepted', async (t) => {
  const { value } = mintValue('key', ['pepper'], NOW)
  for (const text of [
    '',
    'svc_',
    `${value} `,
    ` ${value}`,
    `${value}\n`,
    value.slice(0, -1),
    value + value,
    value.toLowerCase(),
    'x'.repeat(1e6),
  ]) {
    t.equal(splitValue(text, 'key'), null)
    t.equal(readValue(text, 'key', ['pepper']), null)
  }
  fc.assert(fc.property(fc.string(), (text) => t.equal(readValue(text, 'key', ['pepper']), null)))
})

await t.test('an API key is not a management token, nor the other way round', async (t) => {
  const [key, token] = kinds.map((kind) => mintValue(kind, ['pepper'], NOW).value) as [string, string]
  t.match(key, /^svc_/)
  t.match(token, /^svcm_/)
  t.equal(readValue(key, 'token', ['pepper']), null)
  t.equal(readValue(token, 'key', ['pepper']), null)
  t.equal(readValue(token.replace('svcm_', 'svc_'), 'key', ['pepper']), null)
})

await t.test('the first pepper mints, every listed pepper is accepted, and no other', async (t) => {
  const { value } = mintValue('key', ['new', 'old'], NOW)
  t.ok(readValue(value, 'key', ['new']))
  t.ok(readValue(value, 'key', ['newer', 'new']))
  t.equal(readValue(value, 'key', ['old']), null)
})

await t.test('the tag is the first 48 bits of HMAC-SHA-256 over all that precedes it', async (t) => {
  // RFC 4231 fixes HMAC-SHA-256 itself; this fixes what of it is used.
  const untagged = `svc_01M7Z20PGDH5HV46J3EJKF72EY_${'A'.repeat(43)}`
  const tag = createHmac('sha256', 'pepper').update(untagged).digest('base64url').slice(0, 8)
  t.same(readValue(untagged + tag, 'key', ['pepper']), { ulid: '01M7Z20PGDH5HV46J3EJKF72EY', secret: 'A'.repeat(43) })
})

await t.test('values differ in 256 random bits, and sort by the time they were made', async (t) => {
  const minted = Array.from({ length: 50 }, (_, n) => mintValue('key', ['pepper'], new Date(Date.now() + Math.floor(n / 10))))
  t.equal(new Set(minted.map(({ secret }) => secret)).size, 50)
  t.ok(minted.every(({ secret }) => Buffer.from(secret, 'base64url').length === 32))
  const ids = minted.map(({ ulid }) => ulid)
  t.same(ids, [...ids].sort())
})

await t.test('the ULID carries the time that was given', async (t) => {
  // Later than whatever this process has made before, for another test's clock too: each ULID sorts behind the last one.
  const last = decodeTime(mintValue('key', ['pepper'], new Date()).ulid)
  const later = new Date(last + 3_600_000)
  t.equal(decodeTime(mintValue('key', ['pepper'], later).ulid), later.getTime())
})

await t.test('the prefix is the start of the value and has nothing of the secret', async (t) => {
  for (const kind of kinds) {
    const { value, prefix, ulid: id } = mintValue(kind, ['pepper'], NOW)
    t.ok(value.startsWith(prefix))
    t.ok(prefix.endsWith(id.slice(0, 14)))
    t.ok(prefix.length < value.length - 51)
  }
})

await t.test('a ULID in lower case, or past the largest, is no part of a value', async (t) => {
  const { value, ulid: id } = mintValue('key', ['pepper'], NOW)
  t.equal(splitValue(value.replace(id, ulid().toLowerCase()), 'key'), null)
  t.equal(splitValue(value.replace(id, '8ZZZZZZZZZZZZZZZZZZZZZZZZZ'), 'key'), null)
})
