import type { FastifyBaseLogger } from 'fastify'
import type { Info } from './protocol.ts'

/** The specification's freshness of staking-info: one hour. */
const REFRESH_MS = 3_600_000
/** How soon a failed or partial refresh is tried again. */
const RETRY_MS = 60_000

export interface Snapshot {
  /** The last good values. The first call waits for the first refresh; later ones never wait. @throws what the first refresh threw */
  read(): Promise<Info>
  close(): void
}

/**
 * Staking-info of one network: refreshed every hour, a minute after a failure. A member whose source failed keeps its last good value.
 *
 * @param refresh asks the sources; leaves a member undefined when its source failed
 */
export function createSnapshot(refresh: () => Promise<Info>, options: { log: FastifyBaseLogger; now: () => Date }): Snapshot {
  let values: Info | undefined
  let dueAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  const timer = setInterval(() => void due(), RETRY_MS)
  timer.unref()

  return {
    async read() {
      if (values) {
        // Timers stand still while a machine sleeps; whoever comes first then gets the old values and sets the refresh off.
        void due()
        return values
      }
      await (running ?? start())
      return values!
    },
    close: () => clearInterval(timer),
  }

  async function due(): Promise<void> {
    if (running || options.now().getTime() < dueAt) return
    await start().catch(() => undefined)
  }

  function start(): Promise<void> {
    running = update().finally(() => {
      running = undefined
    })
    return running
  }

  async function update(): Promise<void> {
    const now = options.now().getTime()
    try {
      const fresh = await refresh()
      values = { ...values, ...defined(fresh) }
      dueAt = now + (Object.values(fresh).includes(undefined) ? RETRY_MS : REFRESH_MS)
    } catch (error) {
      dueAt = now + RETRY_MS
      options.log.warn({ err: error }, 'staking-info could not be refreshed; the last good values stay')
      throw error
    }
  }
}

function defined(info: Info): Info {
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined))
}
