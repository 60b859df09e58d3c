import pg from 'pg'
import type { Log } from './store.ts'

/** Subject and options of a listener. */
interface ListenOptions {
  readonly config: pg.ClientConfig
  /** A plain identifier. */
  readonly channel: string
  readonly onNotice: (payload: string) => void
  /** Notices may have been missed up to now. Called each time a connection listens again. */
  readonly onGap: () => void
  readonly log: Log
}

/** A running subscription. */
interface Subscription {
  close(): Promise<void>
}

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/**
 * Listens for notices on a connection of its own, and opens another one whenever that breaks. Resolves after the first attempt, successful or not: notices only make a
 * change known sooner, and nothing depends on them alone.
 */
export async function listen({ config, channel, onNotice, onGap, log }: ListenOptions): Promise<Subscription> {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let wait = FIRST_WAIT_MS
  let closed = false
  let connecting: Promise<void> = Promise.resolve()

  async function connect(): Promise<void> {
    const current = new pg.Client(config)
    let over = false
    const lost = (err?: Error) => {
      if (over) return
      over = true
      current.end().catch(() => {})
      if (closed) return
      log.warn({ err, retryMs: wait }, 'the connection that hears of changed credentials broke')
      timer = setTimeout(() => {
        connecting = connect()
      }, wait)
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
    current.on('error', lost)
    current.on('end', () => lost())
    current.on('notification', ({ payload }) => onNotice(payload || '*'))
    client = current
    try {
      await current.connect()
      await current.query(`listen ${channel}`)
    } catch (err) {
      lost(err instanceof Error ? err : new Error(String(err)))
      return
    }
    if (over) return
    wait = FIRST_WAIT_MS
    onGap()
  }

  connecting = connect()
  await connecting
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await connecting
      await client?.end().catch(() => {})
    },
  }
}
