import t from 'tap'
import { createStallJudge, isStuck } from '../src/watchdog/stall-judge.ts'

const STALL_MS = 1_000
const BEAT_MS = 250

/** A judge that looks each 250 ms, at a main thread that gives a sign as it is told to. */
function rig() {
  const judge = createStallJudge(STALL_MS, { now: 0, beat: 0 })
  let now = 0
  let beat = 0
  return {
    judge,
    /** @returns the moments, in milliseconds of this rig, at which it is to be found out what keeps the thread */
    pass(ms: number, { beats = false, isDebugged = false, sampled = true } = {}): readonly number[] {
      const due: number[] = []
      for (const end = now + ms; now < end; ) {
        now += BEAT_MS
        if (beats) beat++
        if (!judge.see({ now, beat, isDebugged }).isDue) continue
        due.push(now)
        if (sampled) judge.sampled()
      }
      return due
    },
    /** The watchdog itself did not run for so long. */
    sleep: (ms: number) => {
      now += ms
      return judge.see({ now, beat, isDebugged: false })
    },
    goOn: () => {
      now += BEAT_MS
      return judge.see({ now, beat: ++beat, isDebugged: false })
    },
  }
}

t.test('a thread that gives signs is well, and one that gives none is told at the bound and whenever that has doubled', async (t) => {
  const { pass, goOn } = rig()
  t.same(pass(10_000, { beats: true }), [])
  t.same(pass(9_000), [11_000, 12_000, 14_000, 18_000])
  t.same(goOn(), { ms: 9_250, goesOn: true, isForgotten: true, isDue: false }, 'how long it was, from the last sign')
  t.same(pass(1_000), [20_250], 'from then on anew')
})

t.test('nothing is told at less than the bound', async (t) => {
  const { pass, goOn } = rig()
  t.same(pass(750), [])
  goOn()
  t.same(pass(750), [])
})

t.test('while it is being found out what keeps the thread nobody else finds out', async (t) => {
  const { pass, judge } = rig()
  t.same(pass(5_000, { sampled: false }), [1_000])
  judge.sampled()
  t.same(pass(BEAT_MS), [5_250], 'and it is due again at once when it has lasted twice as long')
})

t.test('a watchdog that did not run itself knows nothing of the thread', async (t) => {
  const { pass, sleep, goOn } = rig()
  pass(1_500)
  t.same(sleep(60_000), { ms: 61_500, goesOn: false, isForgotten: true, isDue: false }, 'as under a SIGSTOP of both')
  t.same(pass(750), [], 'it counts from then on')
  t.same(pass(250), [62_500])
  goOn()
  const bound = BEAT_MS * 2 + STALL_MS / 2
  t.same(pass(750), [])
  t.equal(sleep(bound).isDue, true, 'a watchdog that is late by less looks on')
  t.equal(sleep(bound + 1).isForgotten, true)
})

t.test('a thread that somebody may have stopped in a debugger is no stall, from when it is attached until it is detached', async (t) => {
  const { pass, goOn, judge } = rig()
  t.same(pass(60_000, { isDebugged: true }), [])
  t.same(pass(750), [], 'it counts from then on')
  t.same(pass(250), [61_000])
  t.equal(judge.see({ now: 61_250, beat: 0, isDebugged: true }).isForgotten, false, 'what was told before is told to be over')
  t.equal(goOn().goesOn, true)
})

t.test('a package that is loaded is stuck when its thread gives no sign and nobody debugs it', async (t) => {
  t.equal(isStuck(7, { beat: 7, isDebugged: false }), true)
  t.equal(isStuck(7, { beat: 8, isDebugged: false }), false)
  t.equal(isStuck(7, { beat: 7, isDebugged: true }), false)
})
