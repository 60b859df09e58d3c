import { url } from 'node:inspector'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Folders } from './blame.ts'
import { BEAT_MS, BEATS, DEBUGGED, type Order, type Stall } from './words.ts'

/** Subjects that a service wants watched. */
interface Watched {
  readonly folders: Folders
  /** File descriptor of its log, written to while the main thread cannot; undefined where it has none. */
  readonly log: number | undefined
  /** Shortest time that counts as a stall, in milliseconds. */
  readonly stallMs: number
  /** Hears of a stall when it is over. */
  onStall(stall: Stall): void
}

/** Time that the main thread may do one thing before it is reported, in milliseconds: ten times the slowest step of a request. */
export const STALL_MS = 1_000

const shared = new Int32Array(new SharedArrayBuffer(8))
const watches = new Set<Watched>()
let thread: Worker | undefined
let heart: NodeJS.Timeout | undefined
/** Number of those who want its signs. */
let hearts = 0

/**
 * Watches the main thread from a second thread, which finds out where the main one is when it gives no sign. A request costs nothing more: the main thread increments a
 * number four times a second.
 *
 * @returns what ends the watch
 */
export function watchMainThread(watched: Watched): () => void {
  watches.add(watched)
  const still = beatOn()
  orderWatch()
  return () => {
    if (!watches.delete(watched)) return
    still()
    orderWatch()
  }
}

/** Ends the process, with a sentence on stderr, when the code of a package is still running after `ms` milliseconds. @returns what says that it is not */
export function boundLoading(name: string, folder: string, ms: number): () => void {
  const still = beatOn()
  order({ kind: 'loading', name, folder, ms })
  return () => {
    still()
    order({ kind: 'loaded' })
  }
}

/** Gives signs from now on. @returns what ends it, when nobody else wants them */
function beatOn(): () => void {
  hearts++
  heart ??= setInterval(beat, BEAT_MS).unref()
  beat()
  return () => {
    hearts--
    if (hearts > 0) return
    clearInterval(heart)
    heart = undefined
  }
}

function beat(): void {
  Atomics.add(shared, BEATS, 1)
  Atomics.store(shared, DEBUGGED, url() === undefined ? 0 : 1)
}

function orderWatch(): void {
  const all = [...watches]
  order({
    kind: 'watch',
    folders: Object.assign({}, ...all.map(({ folders }) => folders)) as Folders,
    logs: [...new Set(all.flatMap(({ log }) => (log === undefined ? [] : [log])))],
    stallMs: all.length === 0 ? null : Math.min(...all.map(({ stallMs }) => stallMs)),
  })
}

function order(what: Order): void {
  thread ??= startThread()
  thread.postMessage(what)
}

/** Starts the one thread of the process, which it does not keep from ending. It is small, since it holds next to nothing. */
function startThread(): Worker {
  const worker = new Worker(new URL(`./worker${extname(import.meta.filename)}`, import.meta.url), {
    workerData: shared.buffer,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
  })
  worker.on('message', (stall: Stall) => {
    for (const { onStall } of watches) onStall(stall)
  })
  // A watchdog that fails, such as for want of memory, is no reason to end what it watches.
  worker.on('error', () => {
    thread = undefined
  })
  // After the listeners, which would keep the process.
  worker.unref()
  return worker
}
