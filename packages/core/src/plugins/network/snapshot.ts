import { type Info, isServiceError } from '@svc/contract'
import { isCutOff, type KeyStore, settledWithin } from '@svc/contract/host'
import type { FastifyBaseLogger } from 'fastify'
import { unavailable } from '../../base/codes.ts'
import { fits, isComplete, type KnownTerms, missingOf, type Reading, readingOf, readKnown, type Terms } from './terms.ts'

/** Interval at which staking-info is read again, in milliseconds: one hour, as the specification demands. */
export const REFRESH_MS = 3_600_000
/** Time after which a failed or partial refresh is tried again. */
const RETRY_MS = 60_000
/** Time that the first answer waits for the first refresh where values from before the start are known. */
const PATIENCE_MS = 5_000
/** Key under which the snapshot is kept. */
const KEY = 'staking-info'

export interface Snapshot {
  /**
   * Returns the last good values and their time. The first call waits for the first refresh, later ones never.
   *
   * @throws 503 STAKING_INFO_INCOMPLETE while a value was never read, here or by another replica or before the last start
   */
  read(): Promise<Reading>
  /** Returns the last good values without asking the chain; null while a value was never read. */
  peek(): Reading | null
  /** Refreshes the values as soon as possible, since something that they depend on has changed. Never throws. */
  renew(): void
  close(): void
}

/**
 * Makes the keeper of one network's staking-info, which refreshes it every hour, on a demand for renewal, and a minute after a failure. A member whose source failed keeps
 * its last good value. All members are stored with their time, so that a start without any source serves the last known ones.
 *
 * @param refresh asks the sources; leaves a member undefined when its source failed
 */
export function createSnapshot(
  refresh: () => Promise<Info>,
  { log, now, store }: { readonly log: FastifyBaseLogger; readonly now: () => Date; readonly store: KeyStore },
): Snapshot {
  let knowledge: KnownTerms = {}
  /** True once a refresh has ended, well or not. */
  let tried = false
  let dueAt = Number.NEGATIVE_INFINITY
  /** True if a renewal was demanded since the running refresh began, or since the last one did. */
  let outdated = false
  let running: Promise<void> | undefined
  let loading: Promise<void> | undefined
  const timer = setInterval(() => void due(), RETRY_MS)
  timer.unref()

  return {
    async read() {
      if (tried && isComplete(knowledge)) {
        // Timers stand still while a machine sleeps; whoever comes first then gets the old values and sets the refresh off.
        void due()
        return readingOf(knowledge)
      }
      const first = running ?? start()
      let reason: unknown
      const ended = first.catch((error: unknown) => {
        reason = error
      })
      await load()
      await (missingOf(knowledge).length === 0 ? settledWithin(PATIENCE_MS, ended) : ended)
      if (!isComplete(knowledge)) throw refusal(missingOf(knowledge), reason)
      return readingOf(knowledge)
    },
    peek: () => (isComplete(knowledge) ? readingOf(knowledge) : null),
    renew() {
      outdated = true
      void due()
    },
    close: () => clearInterval(timer),
  }

  async function due(): Promise<void> {
    if (running || (now().getTime() < dueAt && !outdated)) return
    await start().catch(() => undefined)
  }

  function start(): Promise<void> {
    running = update().finally(() => {
      running = undefined
      tried = true
      // What was read before it was to be renewed may be of before.
      if (outdated) void due()
    })
    return running
  }

  async function update(): Promise<void> {
    const at = now().getTime()
    outdated = false
    try {
      const [{ unfinished = false, ...fresh }] = await Promise.all([refresh(), load()])
      const read = soundOf(fresh)
      knowledge = { ...knowledge, ...Object.fromEntries(Object.entries(read).map(([name, value]) => [name, { value, at }])) }
      dueAt = at + (unfinished || missingOf(read).length > 0 ? RETRY_MS : REFRESH_MS)
    } catch (error) {
      dueAt = at + RETRY_MS
      log[isCutOff(error) ? 'debug' : 'warn']({ err: error }, 'staking-info could not be refreshed; the last good values stay')
      throw error
    }
    await store.put(KEY, knowledge)
  }

  /** The members that were read. One that cannot be what it says is none. */
  function soundOf(fresh: Omit<Info, 'unfinished'>): Partial<Terms> {
    const read = Object.entries(fresh).filter(([, value]) => value !== undefined)
    const strange = read.filter(([name, value]) => !fits(name, value))
    if (strange.length > 0)
      log.error(
        { members: strange.map(([name, value]) => `${name} ${String(value)}`) },
        'staking-info: what was read cannot be; the last good values stay',
      )
    return Object.fromEntries(read.filter((each) => !strange.includes(each)))
  }

  /** Loads what was known before this process; values that this process has read itself are newer. */
  function load(): Promise<void> {
    loading ??= store.get(KEY).then((record) => {
      knowledge = { ...readKnown(record, now().getTime()), ...knowledge }
    })
    return loading
  }
}

function refusal(missing: readonly (keyof Terms)[], reason: unknown): unknown {
  // What is no refusal is a fault of the plugin, and no retry mends it.
  if (reason !== undefined && !isServiceError(reason)) return reason
  const what = reason === undefined ? `could not be read yet (${missing.join(', ')})` : `could not be read: ${reason.message}`
  const text = `The terms of staking ${what}${what.endsWith('.') ? '' : '.'} They are asked for again every minute.`
  return unavailable('STAKING_INFO_INCOMPLETE', text, RETRY_MS / 1000, reason)
}
