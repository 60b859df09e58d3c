import { memoryLog } from '@svc/testing/paper'
import fc from 'fast-check'
import t from 'tap'
import { createKeyStore, memoryRecords, placeOf } from '../../src/plugins/network/key-store.ts'

t.test('every value that can be kept comes back as it went, amounts to the unit', async (t) => {
  const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt())
  const name = fc.string().filter((each) => each !== '__proto__' && each !== '$bigint')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }))
  const store = createKeyStore(memoryRecords(), 'place', memoryLog())
  await fc.assert(
    fc.asyncProperty(value, async (given) => {
      await store.put('key', given)
      // JSON has one zero.
      t.equal(textOf(await store.get('key')), textOf(given))
    }),
    { numRuns: 300 },
  )
})

t.test('what would not come back, is too long, or is one key too many is refused', async (t) => {
  const store = createKeyStore(memoryRecords(), 'place', memoryLog())
  for (const value of [
    undefined,
    Number.NaN,
    Infinity,
    new Date(),
    new Map(),
    () => 1,
    Symbol('s'),
    { $bigint: '1' },
    [{ a: undefined, b: [Number.NaN] }],
  ])
    await t.rejects(store.put('key', value), { name: 'TypeError', message: /cannot be kept/ })
  await store.put('key', 'x'.repeat(65_534))
  await t.rejects(store.put('key', 'x'.repeat(65_535)), /65537 characters/)
  await t.rejects(store.put('', 1), /not of 1 to 64/)
  await t.rejects(store.put('k'.repeat(65), 1), /not of 1 to 64/)
  for (let index = 0; index < 31; index++) await store.put(`k${index}`, index)
  await t.rejects(store.put('more', 1), /more than the 32/)
  await store.put('k3', 'still')
  t.equal(await store.get('k3'), 'still')
})

t.test('while the database is away a process goes by what it knows; what cannot be understood is none', async (t) => {
  const records = memoryRecords()
  const log = memoryLog()
  let away = false
  const real = { ...records }
  const flaky = {
    read: (place: string, key: string) => (away ? Promise.reject(new Error('away')) : real.read(place, key)),
    write: (place: string, key: string, text: string) => (away ? Promise.reject(new Error('away')) : real.write(place, key, text)),
  }
  const store = createKeyStore(flaky, 'place', log)
  t.equal(await store.get('count'), undefined)
  await store.put('count', 5n)
  away = true
  t.equal(await store.get('count'), 5n)
  await store.put('count', 6n)
  t.equal(await store.get('count'), 6n)
  t.equal(log.lines.length, 3)
  away = false
  await createKeyStore(flaky, 'place', log).put('count', 7n)
  t.equal(await store.get('count'), 7n, "and by another replica's when it is back")
  for (const text of ['{', '{"$bigint":"x"}']) {
    await real.write('place', 'odd', text)
    t.equal(await store.get('odd'), undefined)
  }
})

t.test('a place is of a plugin, a chain and the settings that values follow from', (t) => {
  const network = { name: 'main', chainId: '1', decimals: 0, maxFee: 5n, validator: 7, cap: 3n }
  const place = placeOf('p', network)
  t.match(place, /^p 1 [0-9a-f]{16}$/)
  const { validator, ...rest } = network
  t.equal(
    placeOf('p', { ...rest, name: 'other', maxFee: 6n, max_fee: '6', validator } as never),
    place,
    'not of their order, nor of label and fee',
  )
  for (const changed of [{ validator: 8 }, { cap: 4n }, { more: null }]) t.not(placeOf('p', { ...network, ...changed } as never), place)
  t.end()
})

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? `bigint ${each}` : each))
}
