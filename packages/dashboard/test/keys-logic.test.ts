import t from 'tap'
import { createClient } from '../src/api/client.ts'
import { type ApiKey, readKeys } from '../src/api/keys.ts'
import { conditionOf, matching, nextName } from '../src/pages/keys/condition.ts'
import { endOf } from '../src/pages/keys/expiry.ts'
import { farewellTo } from '../src/pages/keys/farewell.ts'
import { changesOf, draftOf, emptyDraft, faultsOf, inputOf } from '../src/pages/keys/form.ts'
import { trialOf } from '../src/pages/keys/trial.ts'
import { harmless } from '../src/text/secret.ts'

const NOW = Date.parse('2026-11-22T12:00:00.000Z')
const days = (count: number) => new Date(NOW + count * 86_400_000).toISOString()
const key = (over: Partial<ApiKey> = {}): ApiKey => ({
  ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R',
  name: 'payments',
  description: null,
  expirationDate: null,
  active: true,
  createdAt: days(-10),
  lastUsedAt: null,
  prefix: 'svc_01JD4Z0V9T6E6N',
  ...over,
})

t.test('a key is said to stand as the service treats it', async (t) => {
  t.equal(conditionOf(key(), NOW), 'active')
  t.equal(conditionOf(key({ expirationDate: days(14) }), NOW), 'soon')
  t.equal(conditionOf(key({ expirationDate: days(14.01) }), NOW), 'active')
  t.equal(conditionOf(key({ expirationDate: days(0) }), NOW), 'expired', 'refused from its end on')
  t.equal(conditionOf(key({ active: false, expirationDate: days(1) }), NOW), 'off')
})

t.test('keys are found by name, description, account, and the start of a value, of which the secret is never kept', async (t) => {
  const other = key({
    ulid: '01JD51QKAAAAAAAAAAAAAAAAAA',
    name: 'night-batch',
    description: 'Signs PAYOUTS',
    account: 'globex',
    active: false,
  })
  const found = (text: string, shown: 'all' | 'off' | 'working' = 'all') =>
    matching([key({ account: 'acme' }), other], { text, shown, now: NOW }, (id) => ({ globex: 'Globex AG' })[id] ?? id).map(
      ({ name }) => name,
    )
  t.same(found(' PAY '), ['payments', 'night-batch'])
  t.same(found('globex ag'), ['night-batch'])
  t.same(found('svc_01JD51'), ['night-batch'])
  t.same(found('01jd4'), ['payments'])
  t.same(found('batch', 'working'), [])
  t.same(found('', 'off'), ['night-batch'])
  const value = `svc_${other.ulid}_exampleexampleexampleexampleexample-exampleexample_e`
  t.equal(harmless(` ${value} `), ` svc_${other.ulid} `)
  t.same(found(harmless(value)), ['night-batch'])
  t.equal(harmless('svc_01JD51 a_b'), 'svc_01JD51 a_b')
  t.equal(harmless(`${value.toLowerCase()} ${value}`), `svc_${other.ulid.toLowerCase()} svc_${other.ulid}`, 'in either case, each of them')
})

t.test('a replacement has a name that nobody has', async (t) => {
  t.equal(nextName('payments', new Set(['payments'])), 'payments-2')
  t.equal(nextName('payments-2', new Set(['payments-3'])), 'payments-4')
  t.equal(nextName('x'.repeat(200), new Set()).length, 192)
})

t.test('an end is days from now, or the moment after a whole day of the zone that is shown', async (t) => {
  t.equal(endOf({ life: '90', day: '' }, NOW, false), days(90))
  t.equal(endOf({ life: 'never', day: '2027-01-31' }, NOW, false), null)
  t.equal(endOf({ life: 'date', day: '2027-01-31' }, NOW, true), '2027-02-01T00:00:00.000Z')
  t.equal(endOf({ life: 'date', day: '2027-01-31' }, NOW, false), new Date(2027, 1, 1).toISOString())
  t.equal(endOf({ life: 'date', day: '' }, NOW, true), undefined)
  t.equal(endOf({ life: 'kept', day: '' }, NOW, true, days(3)), days(3))
})

t.test('a form says what is missing, and sends only what was changed', async (t) => {
  const empty = emptyDraft('')
  t.same(Object.keys(faultsOf(empty, NOW, true)), ['account', 'name'])
  t.same(faultsOf({ ...empty, account: null, name: 'a' }, NOW, true), {}, 'a token of an account says whose it is')
  const dated = (day: string) => faultsOf({ ...empty, account: null, name: 'a', expiry: { life: 'date', day } }, NOW, true)
  t.same(
    [dated(''), dated('2026-11-21')].map((each) => each.expiry),
    ['Choose a day.', 'That day is over; choose one that is not.'],
  )
  t.same(dated('2026-11-22'), {}, 'the rest of today')
  t.same(inputOf({ ...empty, name: ' a ', description: ' ' }, NOW, true), { name: 'a', description: null, expirationDate: days(90) })
  const given = key({ description: 'of Ada', expirationDate: days(5) })
  t.equal(changesOf(given, draftOf(given), NOW, true), null)
  t.same(changesOf(given, { ...draftOf(given), description: '', expiry: { life: 'never', day: '' } }, NOW, true), {
    description: null,
    expirationDate: null,
  })
})

t.test('the key that was replaced ends as chosen, and never later than it would have', async (t) => {
  t.same(farewellTo(key(), 'now', NOW), { active: false })
  t.same(farewellTo(key(), '7', NOW), { expirationDate: days(7) })
  t.equal(farewellTo(key({ expirationDate: days(2) }), '7', NOW), null)
  t.equal(farewellTo(key({ active: false }), 'now', NOW), null)
  t.equal(farewellTo(key(), 'stays', NOW), null)
})

t.test('the command that tries a key follows the address of the page', async (t) => {
  const command = trialOf('/api/v1/evm-three', 'https://example.test/a/b/dashboard/')
  t.equal(command, 'read -rs KEY; curl -H "X-API-KEY: $KEY" https://example.test/a/b/api/v1/evm-three/networks')
})

t.test('lists are read to their end, the newest first, and up to 10,000 keys', async (t) => {
  const asked: string[] = []
  const reading = (total: number) => {
    const all = Array.from({ length: total }, (_, place) => key({ ulid: String(place).padStart(26, '0') }))
    const api = createClient({
      base: 'http://stake.test/api/v1/',
      token: () => 'token',
      signal: () => new AbortController().signal,
      unauthorized: () => {},
      fetch: async (address) => {
        const { searchParams } = new URL(String(address))
        asked.push(searchParams.toString())
        const from = all.findIndex(({ ulid }) => ulid === searchParams.get('after')) + 1
        return Response.json(all.slice(from, from + 1000))
      },
    })
    return readKeys(api, 'acme', new AbortController().signal)
  }
  const some = await reading(1204)
  t.same([some.keys.length, some.keys[0]?.ulid, some.complete], [1204, '00000000000000000000001203', true])
  t.same(asked.splice(0), ['account=acme', 'account=acme&after=00000000000000000000000999'])
  const many = await reading(12_000)
  t.same([many.keys.length, many.complete, asked.length], [10_000, false, 10])
})
