import { type Sampling, takeSample } from '@svc/contract'
import { memoryLog } from '@svc/testing/paper'
import fc from 'fast-check'
import t from 'tap'
import { createKeyStore, memoryRecords } from '../../src/plugins/network/key-store.ts'

interface Reading {
  readonly seconds: number
  readonly height: bigint
}

const sampling: Sampling<Reading> = {
  key: 'samples',
  every: 100,
  keep: 1_000,
  read: ({ seconds, height }) => (typeof height === 'bigint' ? { seconds: Number(seconds), height } : null),
  precedes: (before, after) => before.height <= after.height,
}
const open = (records = memoryRecords()) => createKeyStore(records, 'place', memoryLog())

t.test('samples outlast the process, thinned out, for as long as they are to be kept', async (t) => {
  const records = memoryRecords()
  const seen: (readonly number[])[] = []
  for (let seconds = 0; seconds <= 1_200; seconds += 50) {
    // A store of its own each time, as after a restart or in another replica.
    const before = await takeSample(open(records), { seconds, height: BigInt(seconds) }, sampling)
    seen.push(before.map((each) => each.seconds))
  }
  t.same(seen[0], [])
  t.same(seen[3], [0, 100])
  t.same(seen.at(-1), [200, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_100])
})

t.test('what cannot have come before is left out, and so is what is no sample', async (t) => {
  const store = open()
  const height = 50n
  const kept = [
    { seconds: 10, height: 51n },
    { seconds: 20, height },
    { seconds: 900, height },
    { seconds: 30, height: 5 },
    { height },
    null,
    7,
    { seconds: 'x', height },
  ]
  await store.put('samples', kept)
  t.same(await takeSample(store, { seconds: 300, height }, sampling), [{ seconds: 20, height }])
  for (const odd of ['text', 5, null, { seconds: 1 }]) {
    await store.put('samples', odd)
    t.same(await takeSample(store, { seconds: 400, height }, sampling), [])
  }
})

t.test('however often it is asked, little is kept, and the oldest is as old as can be', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 60 }), async (steps) => {
      const store = open()
      let seconds = 0
      for (const step of steps) {
        seconds += step
        const before = await takeSample(store, { seconds, height: 1n }, sampling)
        for (const [index, each] of before.entries()) {
          if (each.seconds < seconds - 1_000 || (index > 0 && each.seconds - before[index - 1]!.seconds < 100)) return false
        }
        if (before.length > 11) return false
      }
      return true
    }),
  )
  t.pass()
})
