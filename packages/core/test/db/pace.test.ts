import t from 'tap'
import { createPause } from '../../src/db/pace.ts'

/** Keeps the process busy. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** Numbers the turns of the event loop until it is stopped. */
function turns(): { readonly now: () => number; stop(): void } {
  let number = 0
  let on = true
  const turn = () => {
    number++
    if (on) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    now: () => number,
    stop() {
      on = false
    },
  }
}

t.test('what takes no time waits for no turn of the loop', async (t) => {
  const pause = createPause(600_000)
  await pause()
  const { now, stop } = turns()
  for (let n = 0; n < 50; n++) await pause()
  t.equal(now(), 0)
  stop()
})

t.test('each of many at once has a turn of its own', async (t) => {
  const pause = createPause(1)
  const { now, stop } = turns()
  const slices: number[] = []
  const search = async () => {
    for (let n = 0; n < 3; n++) {
      await pause()
      slices.push(now())
      work(2)
    }
  }
  await Promise.all([search(), search(), search(), search()])
  stop()
  t.equal(slices.length, 12)
  t.equal(new Set(slices).size, 12, `the slices ran in turns ${slices.join(', ')}`)
})
