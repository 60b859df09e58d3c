import fc from 'fast-check'
import t from 'tap'
import { createWindow } from '../../src/limit/window.ts'

const windowMs = 60_000

t.test('a burst on both sides of a minute passes once, where a fixed window lets it pass twice', async (t) => {
  let time = 59_900
  const window = createWindow({ windowMs, now: () => time })
  const accepted = () => Array.from({ length: 200 }, () => window.hit('k:a', 200)).filter((hit) => hit.current <= 200).length
  t.equal(accepted(), 200)
  time = 60_100
  t.equal(accepted(), 0)
  time = 59_900 + windowMs - 1
  t.equal(accepted(), 0)
  time = 59_900 + windowMs
  t.equal(accepted(), 200)
})

t.test('a refused call is not counted, and its ttl is the exact wait until one is accepted', async (t) => {
  let time = 0
  const window = createWindow({ windowMs, now: () => time })
  t.same(window.hit('a', 2), { current: 1, ttl: windowMs })
  time = 10_000
  t.same(window.hit('a', 2), { current: 2, ttl: 50_000 })
  time = 30_000
  for (let call = 0; call < 100; call++) window.hit('a', 2)
  t.same(window.hit('a', 2), { current: 3, ttl: 30_000 })
  time = 59_999
  t.equal(window.hit('a', 2).current, 3)
  time = 60_000
  t.same(window.hit('a', 2), { current: 2, ttl: 10_000 })
})

t.test('a maximum that became smaller waits for as many calls to leave as it takes', async (t) => {
  let time = 0
  const window = createWindow({ windowMs, now: () => time })
  for (time = 0; time < 5; time++) window.hit('a', 5)
  time = 10
  t.same(window.hit('a', 2), { current: 3, ttl: 3 + windowMs - 10 })
  t.same(window.hit('a', 0), { current: 1, ttl: windowMs })
})

t.test('a look does not count, and a call accepted elsewhere does', async (t) => {
  const window = createWindow({ windowMs, now: () => 5 })
  t.equal(window.peek('a', 1).current, 1)
  t.equal(window.peek('a', 1).current, 1)
  window.record('a', 4, 1)
  t.same(window.peek('a', 1), { current: 2, ttl: windowMs - 1 })
})

t.test('agrees with a list that is counted anew for every call', async (t) => {
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 40 }),
    caller: fc.constantFrom('a', 'b', 'c'),
    max: fc.constantFrom(3, 3, 3, 5),
  })
  const agree = () =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 400 }), (steps) => {
        let time = 0
        const window = createWindow({ windowMs: 100, now: () => time })
        const accepted: { caller: string; at: number }[] = []
        for (const { wait, caller, max } of steps) {
          time += wait
          const live = accepted.filter((call) => call.caller === caller && time - call.at < 100)
          const hit = window.hit(caller, max)
          const expected = live.length < max
          if (hit.current <= max !== expected) return false
          if (expected && hit.current !== live.length + 1) return false
          const freeing = expected ? (live[0]?.at ?? time) : live[live.length - max]!.at
          if (hit.ttl !== freeing + 100 - time) return false
          if (expected) accepted.push({ caller, at: time })
        }
        return true
      }),
      { numRuns: 300 },
    )
  t.doesNotThrow(agree)
})

t.test('a flood of callers stays within the capacity, and a caller heard meanwhile keeps its count', async (t) => {
  const window = createWindow({ windowMs, capacity: 100, now: () => 0 })
  let passed = 0
  for (let caller = 0; caller < 10_000; caller++) {
    if (caller % 40 === 0 && window.hit('regular', 1).current === 1) passed++
    window.hit(`flood ${caller}`, 1)
  }
  t.equal(passed, 1)
  t.ok(window.size <= 100, `${window.size} callers are remembered`)
})

t.test('callers that fell silent are forgotten after two windows', async (t) => {
  let time = 1
  const window = createWindow({ windowMs, now: () => time })
  for (let caller = 0; caller < 100; caller++) window.hit(`${caller}`, 1)
  time += windowMs
  window.hit('x', 1)
  time += windowMs
  window.hit('x', 1)
  t.equal(window.size, 1)
})
