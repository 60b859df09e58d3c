import { memoryLog } from '@svc/testing/paper'
import fc from 'fast-check'
import t from 'tap'
import { ulid } from 'ulid'
import { type Peppers, readValue } from '../../src/credentials/value.ts'
import { openStore } from '../../src/db/open.ts'
import { readExpirationDate } from '../../src/keys/expiration.ts'
import { createCredential, listCredentials, readCredential, removeCredential, updateCredential } from '../../src/keys/manage.ts'

const peppers: Peppers = ['pepper']
const NOW = new Date('2026-11-21T10:00:00Z')
const store = await openStore({ dataDir: ':memory:', log: memoryLog() })
const create = (changes = {}) => createCredential(store, peppers, NOW, { kind: 'key', account: 'acme', name: 'nightly', ...changes })

await t.test('a created credential has a record and a value, and the value is not in the record', async (t) => {
  const { record, value } = await create({ name: '  nightly  ', description: 'two\nlines', expirationDate: '2027-01-01' })
  const parts = readValue(value, 'key', peppers)
  t.match(record, {
    ulid: parts?.ulid,
    kind: 'key',
    account: 'acme',
    name: 'nightly',
    description: 'two\nlines',
    active: true,
    expirationDate: new Date('2027-01-01T00:00:00Z'),
    createdAt: NOW,
    lastUsedAt: null,
  })
  t.match(record.hash, /^\$argon2id\$/)
  t.notOk(JSON.stringify(record).includes(parts?.secret as string))
  t.same(await store.findCredential(record.ulid), record)
})

await t.test('credentials made in one moment are listed in the order they were made', async (t) => {
  const account = ulid()
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.push((await create({ account })).record.ulid)
  t.same(
    (await listCredentials(store, account, 'key')).map((row) => row.ulid),
    made,
  )
})

await t.test('a name must be one line of text', async (t) => {
  for (const name of ['', '   ', 'x'.repeat(201), 'a\nb', 'a\u0000', '\ud800', 7, null]) {
    await t.rejects(create({ name }), { statusCode: 400, code: 'INVALID_NAME' })
  }
  t.ok(await create({ name: 'x'.repeat(200) }))
})

await t.test('a description must be text of bounded length', async (t) => {
  for (const description of ['x'.repeat(2_001), 'a\u0000', '\udfff', 7]) {
    await t.rejects(create({ description }), { statusCode: 400, code: 'INVALID_DESCRIPTION' })
  }
})

await t.test('an update changes what it names, and null clears', async (t) => {
  const { record } = await create({ description: 'old', expirationDate: '2030-01-01T00:00:00Z' })
  t.same(await updateCredential(store, NOW, record, { active: false }), { ...record, active: false })
  t.same(await updateCredential(store, NOW, record, { name: 'new', description: null, expirationDate: null, active: true }), {
    ...record,
    name: 'new',
    description: null,
    expirationDate: null,
  })
  t.match(await updateCredential(store, NOW, record, {}), { name: 'new' })
})

await t.test('an update that is wrong in one thing changes nothing', async (t) => {
  const { record } = await create()
  await t.rejects(updateCredential(store, NOW, record, { name: 'new', active: 'no' as unknown as boolean }), {
    statusCode: 400,
    code: 'INVALID_ACTIVE',
  })
  await t.rejects(updateCredential(store, NOW, record, { name: 'new', expirationDate: NOW }), {
    statusCode: 400,
    code: 'INVALID_EXPIRATION_DATE',
  })
  t.same(await readCredential(store, record), record)
})

await t.test("another account's credential, another kind and an unknown one are equally not there", async (t) => {
  const { record } = await create()
  const scopes = [
    { ...record, account: 'other' },
    { ...record, ulid: ulid() },
    { ...record, ulid: 'nonsense\u0007' },
  ]
  for (const scope of scopes) {
    const missing = { statusCode: 404, code: 'KEY_NOT_FOUND' }
    await t.rejects(readCredential(store, scope), missing)
    await t.rejects(updateCredential(store, NOW, scope, { active: false }), missing)
    await t.rejects(removeCredential(store, scope), missing)
  }
  await t.rejects(removeCredential(store, { ...record, kind: 'token' }), { statusCode: 404, code: 'TOKEN_NOT_FOUND' })
  t.same(await readCredential(store, record), record)
})

await t.test('a removed credential is gone', async (t) => {
  const { record } = await create()
  await removeCredential(store, record)
  await t.rejects(readCredential(store, record), { statusCode: 404, code: 'KEY_NOT_FOUND' })
})

await t.test('dates in any ISO-8601 form with a zone are read as that moment', async (t) => {
  const read = (text: string) => readExpirationDate(text, NOW)?.toISOString()
  t.equal(read('2027-01-01'), '2027-01-01T00:00:00.000Z')
  t.equal(read('2027-01-01T02:00+02:00'), '2027-01-01T00:00:00.000Z')
  t.equal(read('2027-01-01t00:00:00.5z'), '2027-01-01T00:00:00.500Z')
  t.equal(read('2028-02-29T23:59:59.999Z'), '2028-02-29T23:59:59.999Z')
  t.equal(readExpirationDate(null, NOW), null)
  t.equal(readExpirationDate(undefined, NOW), null)
  fc.assert(
    fc.property(fc.date({ min: new Date(NOW.getTime() + 1), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }), (date) => {
      t.same(readExpirationDate(date.toISOString(), NOW), date)
      t.same(readExpirationDate(date, NOW), date)
    }),
  )
})

await t.test('no date, a date without a zone, and one that is not in the future are refused', async (t) => {
  const refused = [
    ...[
      '',
      'soon',
      '2027',
      '2027-13-01',
      '2027-02-29',
      '2027-02-30T00:00:00Z',
      '2027-01-01T00:00:00',
      '2027-01-01T25:00:00Z',
      '1893456000',
    ],
    ...[
      '2027-01-01 00:00:00Z',
      '2027-01-01T00:00:00+99:99',
      '+012027-01-01T00:00:00Z',
      '2026-11-21T10:00:00Z',
      '2020-01-01',
      'x'.repeat(1e6),
    ],
    ...[new Date(Number.NaN), new Date('+012027-01-01T00:00:00Z'), 7 as unknown as string, NOW],
  ]
  for (const value of refused)
    t.throws(() => readExpirationDate(value, NOW), { statusCode: 400, code: 'INVALID_EXPIRATION_DATE' }, String(value).slice(0, 40))
})

await store.close()
