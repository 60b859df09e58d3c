import fc from 'fast-check'
import t from 'tap'
import { Recent } from '../../src/keys/recent.ts'

await t.test('it never holds more than its capacity, and always the last half of what was used', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), fc.array(fc.nat({ max: 40 }), { maxLength: 200 }), (capacity, keys) => {
      const recent = new Recent<number, number>(capacity)
      const uses: number[] = []
      for (const key of keys) {
        recent.set(key, key * 2)
        uses.push(key)
        t.ok(recent.size <= capacity)
        const last = [...new Set(uses.toReversed())].slice(0, Math.floor(capacity / 2))
        for (const known of last.toReversed()) {
          t.equal(recent.get(known), known * 2)
          uses.push(known)
        }
      }
    }),
  )
})

await t.test('what was deleted or cleared is gone', async (t) => {
  const recent = new Recent<string, number>(4)
  for (const key of ['a', 'b', 'c']) recent.set(key, 1)
  recent.delete('a')
  recent.delete('c')
  t.same([recent.get('a'), recent.get('b'), recent.get('c')], [undefined, 1, undefined])
  recent.clear()
  t.equal(recent.size, 0)
})
