import type { Log, Store } from '../db/store.ts'

/** Times at which credentials were last used, written down now and then. */
interface Uses {
  note(ulid: string, at: Date): void
  /** Returns the last use among those that are not written yet. */
  last(ulid: string): Date | undefined
  /** Writes what there is; a failure is logged and the times are kept for the next round. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Makes the memory of when credentials were last used, which is written to the store now and then. @param flushMs longest time that a use stays unwritten */
export function createUses(store: Pick<Store, 'touchLastUsed'>, log: Log, flushMs: number): Uses {
  let uses = new Map<string, Date>()
  let writing = new Map<string, Date>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (uses.size === 0) return
    writing = uses
    uses = new Map()
    try {
      await store.touchLastUsed([...writing].map(([ulid, at]) => ({ ulid, at })))
    } catch (err) {
      log.warn({ err, count: writing.size }, 'the times of last use could not be written; they are kept for the next round')
      for (const [ulid, at] of writing) if (!uses.has(ulid)) uses.set(ulid, at)
      start()
    }
    writing = new Map()
  }

  function start(): void {
    timer ??= setTimeout(() => void flush(), flushMs).unref()
  }

  function flush(): Promise<void> {
    running ??= write().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    note(ulid, at) {
      uses.set(ulid, at)
      start()
    },
    last: (ulid) => uses.get(ulid) ?? writing.get(ulid),
    flush,
    async close() {
      await running
      await flush()
      clearTimeout(timer)
    },
  }
}
