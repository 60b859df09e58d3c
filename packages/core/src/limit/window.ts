import { lastUsed } from '../base/last-used.ts'

/** Result of counting one call. */
export interface Hit {
  /** Calls accepted within the window, this one included; above the maximum when this one is refused. */
  readonly current: number
  /** Milliseconds until the oldest accepted call leaves the window, which is when the next place becomes free. */
  readonly ttl: number
}

/** An exact sliding window: within any stretch of its length no caller has more calls accepted than its maximum. */
interface Window {
  /** Judges a call and records it if it is accepted. A refused call is not recorded, so that waiting always helps. */
  hit(caller: string, max: number): Hit
  /** Judges a call without recording it. */
  peek(caller: string, max: number): Hit
  /** Records a call that was accepted elsewhere, at a time of this window's clock. */
  record(caller: string, at: number, max: number): void
  /** Returns the time of this window's clock, in milliseconds. */
  now(): number
  /** Number of callers that are remembered. */
  readonly size: number
}

interface WindowOptions {
  /** Length of the window, in milliseconds. */
  readonly windowMs: number
  /**
   * Most callers remembered. A caller is forgotten early only when as many others were heard since.
   *
   * @default 50_000, about 41 MB when every one of them has used 60 calls (measured 2026-11-21)
   */
  readonly capacity?: number
  /** Milliseconds of a clock that never runs backwards. @default performance.now */
  readonly now?: () => number
}

/** Makes a sliding window in the memory of this process. */
export function createWindow({ windowMs, capacity = 50_000, now = () => performance.now() }: WindowOptions): Window {
  // Whoever was not heard for a whole window has an empty log, so that it may be forgotten.
  const logs = lastUsed<Log>(capacity, { ttl: windowMs, updateAgeOnGet: true, ttlResolution: 0, perf: { now } })
  let tidiedAt = now()

  /** The caller's log without the times that have left the window. */
  function current(caller: string, at: number): Log | undefined {
    // The cache itself drops what has aged only when it is asked for, or when it is full.
    if (at - tidiedAt >= windowMs) {
      logs.purgeStale()
      tidiedAt = at
    }
    const log = logs.get(caller)
    if (log !== undefined) expire(log, at - windowMs)
    return log
  }

  function judge(log: Log | undefined, max: number, at: number): Hit {
    const size = log === undefined ? 0 : log.times.length - log.head
    if (size < max) return { current: size + 1, ttl: windowMs - (at - (log?.times[log.head] ?? at)) }
    // Usually the oldest; a later one where the maximum was higher when these were accepted.
    const freeing = log?.times[log.head + size - max] ?? at
    return { current: max + 1, ttl: windowMs - (at - freeing) }
  }

  function add(caller: string, log: Log | undefined, at: number): void {
    if (log === undefined) logs.set(caller, { times: [at], head: 0 })
    else log.times.push(Math.max(at, log.times.at(-1) ?? at))
  }

  return {
    now,
    hit(caller, max) {
      const at = now()
      const log = current(caller, at)
      const hit = judge(log, max, at)
      if (hit.current <= max) add(caller, log, at)
      return hit
    },
    peek(caller, max) {
      const at = now()
      return judge(current(caller, at), max, at)
    },
    record(caller, at, max) {
      const log = current(caller, now())
      if (log === undefined || log.times.length - log.head < max) add(caller, log, at)
    },
    get size() {
      return logs.size
    },
  }
}

/** Times of accepted calls, oldest first, from `head` on. Grows by need, so that a caller with one call costs one number. */
interface Log {
  times: number[]
  head: number
}

/** Drops what is as old as the window or older. The array is cut only when half of it is dead: constant cost per call. */
function expire(log: Log, until: number): void {
  const { times } = log
  let head = log.head
  for (let time = times[head]; time !== undefined && time <= until; time = times[head]) head++
  if (head * 2 >= times.length && head > 0) {
    log.times = times.slice(head)
    head = 0
  }
  log.head = head
}
