import { writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { blame, type Folders } from './blame.ts'
import { stopMainThread } from './main-stack.ts'
import { createStallJudge, isStuck, type Sign } from './stall-judge.ts'
import { BEAT_MS, BEATS, DEBUGGED, type Order, type Stall, stallWords } from './words.ts'

const beats = new Int32Array(workerData as SharedArrayBuffer)
const host = hostname()
/** For how long after the deadline the main thread must give no sign, in milliseconds: one that gives signs ends the load itself. */
const SILENT_MS = 4 * BEAT_MS
/** Looks for the line in which a thread stalls: a second, so that the stall is told while it lasts. */
const STALL_LOOKS = 10
/** Looks for the line in which a package has no end: ten seconds, since the process does nothing else, and may get little time of a busy machine. */
const LOADING_LOOKS = 100

let folders: Folders = {}
let logs: readonly number[] = []
let watching: NodeJS.Timeout | undefined
let loading: NodeJS.Timeout | undefined

parentPort?.on('message', (order: Order) => {
  if (order.kind === 'loading') {
    clearTimeout(loading)
    loading = setTimeout(endLoading, order.ms, order, Atomics.load(beats, BEATS) - 1)
  } else if (order.kind === 'loaded') clearTimeout(loading)
  else {
    folders = order.folders
    logs = order.logs
    clearInterval(watching)
    watching = order.stallMs === null ? undefined : watch(order.stallMs)
  }
})

/** Ends the process of a package whose code does not come to an end: only another thread can say so. */
function endLoading(order: Extract<Order, { kind: 'loading' }>, last: number): void {
  const position = sign()
  if (!isStuck(last, position)) {
    loading = setTimeout(endLoading, SILENT_MS, order, position.beat)
    return
  }
  const { name, folder, ms } = order
  stopMainThread(LOADING_LOOKS, (moment) => {
    const where = blame(moment?.places ?? [], { [name]: folder })
    const at = where ? ` at ${where.at}` : ''
    writeSync(
      2,
      `svc: plugins.${name}: its package was still computing after ${ms / 1000} s${at}, while it was loaded: a loop has no end.\n`,
    )
    // Where no line of JavaScript is come to, nothing but the system ends it.
    if (moment) moment.exit(1)
    else process.kill(process.pid, 'SIGKILL')
  })
}

/** Looks for the heartbeat, and tells stalls. */
function watch(stallMs: number): NodeJS.Timeout {
  const judge = createStallJudge(stallMs, sign())
  let stall: Stall | undefined
  return setInterval(() => {
    const { ms, goesOn, isForgotten, isDue } = judge.see(sign())
    if (stall && goesOn) parentPort?.postMessage({ ...stall, ms } satisfies Stall)
    if (isForgotten) stall = undefined
    if (!isDue) return
    stopMainThread(STALL_LOOKS, (moment) => {
      judge.sampled()
      moment?.resume()
      const where = blame(moment?.places ?? [], folders)
      stall = { ms, plugin: where?.plugin ?? null, at: where?.at ?? moment?.places.find((place) => !place.startsWith('node:')) ?? null }
      const line = { level: 50, time: Date.now(), pid: process.pid, hostname: host, ...stall, msg: stallWords(stall, false) }
      for (const log of logs) write(log, `${JSON.stringify(line)}\n`)
    })
  }, BEAT_MS)
}

function sign(): Sign {
  return { now: performance.now(), beat: Atomics.load(beats, BEATS), isDebugged: Atomics.load(beats, DEBUGGED) === 1 }
}

/** Writes a line to the log; one that is full or closed must not end this thread. */
function write(log: number, line: string): void {
  try {
    writeSync(log, line)
  } catch {
    // The main thread tells it once more when it goes on.
  }
}
