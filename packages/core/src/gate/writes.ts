import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface WatchOptions {
  readonly writeMs: number
  /** Lists, for each connection, the answer that is written to it now or next. */
  heads(): Iterable<readonly [Socket, ServerResponse]>
  /** Called for a connection whose answer was ready for `writeMs` and is still not taken. */
  stalled(socket: Socket): void
}

interface Watch {
  start(): void
  stop(): void
  /** Calls back once a response, whose connection is gone, was ended by whoever works on it; after a minute in any case. */
  await(response: ServerResponse, ended: () => void): void
}

/** Longest wait for work whose caller has left, in milliseconds: above every deadline of upstream calls. */
const ORPHAN_MS = 60_000

/**
 * Watches the answers that are being written, and ends those that a caller does not take. It looks from time to time, since a timer for each answer would cost every
 * request, and a socket's own timeout is put off by a caller who takes a byte now and then.
 */
export function watchWrites({ writeMs, heads, stalled }: WatchOptions): Watch {
  const everyMs = Math.min(1000, writeMs / 4)
  /** Looks in a row that have found an answer ready and not taken: a stall of this process is one look, and no fault of the caller. */
  const looks = new WeakMap<ServerResponse, number>()
  const orphans = new Map<ServerResponse, { readonly ended: () => void; readonly until: number }>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    const now = performance.now()
    for (const [socket, response] of heads()) {
      if (!response.writableEnded || response.writableFinished) continue
      const times = looks.get(response) ?? 0
      looks.set(response, times + 1)
      if (times * everyMs >= writeMs) stalled(socket)
    }
    for (const [response, { ended, until }] of orphans) {
      if (!response.writableEnded && now < until) continue
      orphans.delete(response)
      ended()
    }
  }

  return {
    start() {
      timer ??= setInterval(look, everyMs).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
    await: (response, ended) => void orphans.set(response, { ended, until: performance.now() + ORPHAN_MS }),
  }
}
