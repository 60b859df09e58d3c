import type { ServiceError } from '@svc/contract'
import { unavailable } from '../base/codes.ts'
import { isDataFault } from '../db/faults.ts'
import type { AuditRecord, Log, Store } from '../db/store.ts'
import type { Also } from '../db/work.ts'

/** Dependencies of an audit writer. */
interface AuditOptions {
  readonly store: Pick<Store, 'appendAudit'>
  readonly log: Log
  /** Longest time that an enqueued record waits for others to be written with it, in milliseconds. @default 50 */
  readonly flushMs?: number
  /** Most records that one transaction writes. @default 500 */
  readonly maxBatch?: number
  /** Number of unsaved records from which on requests are refused. @default 10000 */
  readonly maxQueue?: number
  /** Longest time for which `close` goes on trying to save records, in milliseconds. @default 5000 */
  readonly closeMs?: number
  /**
   * Longest time, in milliseconds, that records are gathered after a group of several was written: as long as that took. For a database in this process,
   * whose every write keeps it from all else and costs as much as ten records. Whoever asks alone never waits. @default 0
   */
  readonly mostPauseMs?: number
  /** Milliseconds of a clock that never runs backwards. @default performance.now */
  readonly now?: () => number
}

/**
 * Writes the audit log in groups. No record is lost without being written to the log instead. What is handed over with a record is saved in the same
 * transaction or not at all.
 */
export interface Audit {
  /**
   * Checks, before a request is worked on, that there is room for its record.
   *
   * @throws 503 `AUDIT_UNAVAILABLE` when so many records are unsaved that no more may be caused
   */
  assertRoom(): void
  /**
   * Resolves when the record is saved. All who call while a write is running, in the same turn of the event loop, or shortly after a write that several
   * shared, share the next.
   *
   * @param also what is written in the same transaction, and so is there where the record is; it may be run more than once
   * @throws 503 `AUDIT_UNAVAILABLE`: not saved yet. It stays queued all the same and is saved as soon as that is possible: it is
   *   about something that has happened, even if the caller is now told otherwise.
   */
  append(record: AuditRecord, also?: Also): Promise<void>
  /**
   * Queues a record, which is saved with the next group, at the latest after `flushMs`.
   *
   * @throws 503 `AUDIT_UNAVAILABLE` when the queue is full; the record is kept as with `append`
   */
  enqueue(record: AuditRecord, also?: Also): void
  /** Saves all records; those that cannot be saved are written to the log, one line each. */
  close(): Promise<void>
  /** Number of records that are not saved yet. */
  readonly depth: number
  /** True when the last write failed, so that records wait for the next attempt. */
  readonly failing: boolean
}

interface Entry {
  readonly record: AuditRecord
  readonly also: Also | undefined
  settle: ((error?: ServiceError) => void) | undefined
}

const FIRST_WAIT_MS = 100
/** Longest pause between two attempts, in milliseconds, and so the longest time that an `append` waits for the next attempt while the database does not answer. */
const LONGEST_WAIT_MS = 1_000
/** Factor of `maxQueue` that gives the absolute limit of the queue. Beyond `maxQueue` it takes only records of requests that were let in before. */
const OVERFLOW = 2

/** Makes an audit writer that gathers records and saves them to a store in groups. */
export function createAudit(options: AuditOptions): Audit {
  const { store, log, flushMs = 50, maxBatch = 500, maxQueue = 10_000, closeMs = 5_000 } = options
  const { mostPauseMs = 0, now = () => performance.now() } = options
  let queue: Entry[] = []
  let writing: Entry[] = []
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let running: Promise<void> | undefined
  let wait = 0
  /** Until when the next group is gathered. */
  let resting = 0
  /** Whether the timer is that of somebody who waits. */
  let hurried = false
  let closed: Promise<void> | undefined

  const depth = () => queue.length + writing.length

  function add(entry: Entry): void {
    if (closed || depth() >= maxQueue * OVERFLOW) {
      writeToLog(entry.record)
      throw auditUnavailable()
    }
    queue.push(entry)
    plan(entry.settle !== undefined || queue.length >= maxBatch)
  }

  /** While a write runs, or a pause after a failure, nothing is planned: what follows it takes everything along. */
  function plan(soon: boolean): void {
    if (running || wait > 0 || immediate) return
    if (soon) {
      if (hurried) return
      clearTimeout(timer)
      timer = undefined
      const pause = resting - now()
      if (pause > 0) {
        hurried = true
        timer = setTimeout(() => void run(), pause)
        return
      }
      // Not at once but at the end of this turn: a database in this process would otherwise save every record by itself.
      immediate = setImmediate(() => {
        immediate = undefined
        void run()
      })
    } else timer ??= setTimeout(() => void run(), flushMs)
  }

  function run(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    hurried = false
    running ??= writeAll().finally(() => {
      running = undefined
      if (queue.length === 0 || closed) return
      if (wait > 0) timer = setTimeout(() => void run(), wait)
      else plan(true)
    })
    return running
  }

  /** Group after group until the queue is empty or one fails. */
  async function writeAll(): Promise<void> {
    while (queue.length > 0) {
      writing = queue.splice(0, maxBatch)
      try {
        const began = now()
        await save(writing)
        const ended = now()
        resting = writing.length > 1 ? ended + Math.min(ended - began, mostPauseMs) : 0
        if (wait > 0) log.info({ depth: queue.length }, 'the audit log can be written again')
        wait = 0
        writing = []
      } catch (err) {
        wait = Math.min(Math.max(wait * 2, FIRST_WAIT_MS), LONGEST_WAIT_MS)
        log.error({ err, depth: depth(), retryMs: wait }, 'the audit log cannot be written; the records are kept and tried again')
        const failed = writing.filter((entry) => !saved.has(entry))
        queue = [...failed, ...queue]
        writing = []
        // All who wait, not only this group: the next attempt is no sooner for those behind it.
        for (const entry of queue) {
          entry.settle?.(auditUnavailable(err))
          entry.settle = undefined
        }
        return
      }
    }
  }

  /** Entries of the group in hand that were settled one by one. */
  let saved = new Set<Entry>()

  async function save(group: readonly Entry[]): Promise<void> {
    saved = new Set()
    try {
      await store.appendAudit(
        group.map(({ record }) => record),
        group.flatMap(({ also }) => also ?? []),
      )
      for (const entry of group) entry.settle?.()
    } catch (error) {
      if (!isDataFault(error)) throw error
      await saveOneByOne(group)
    }
  }

  /** The database refuses the data of some record: that one must not keep the others from being saved. */
  async function saveOneByOne(group: readonly Entry[]): Promise<void> {
    for (const entry of group) {
      try {
        await store.appendAudit([entry.record], entry.also ? [entry.also] : [])
        entry.settle?.()
      } catch (error) {
        if (!isDataFault(error)) throw error
        writeToLog(entry.record, error)
        entry.settle?.(auditUnavailable(error))
      }
      saved.add(entry)
    }
  }

  function writeToLog(record: AuditRecord, err?: unknown): void {
    log.error({ audit: record, ...(err === undefined ? {} : { err }) }, 'an audit record could not be saved')
  }

  async function finish(): Promise<void> {
    const end = performance.now() + closeMs
    clearImmediate(immediate)
    clearTimeout(timer)
    await running
    while (depth() > 0) {
      await run()
      const left = end - performance.now()
      if (depth() === 0 || left <= 0) break
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, left)))
    }
    for (const { record } of queue) writeToLog(record)
    queue = []
  }

  return {
    assertRoom() {
      if (closed || depth() >= maxQueue) throw auditUnavailable()
    },
    append(record, also) {
      return new Promise((resolve, reject) => {
        const full = depth() >= maxQueue
        add({ record, also, settle: full ? undefined : (error) => (error ? reject(error) : resolve()) })
        if (full) throw auditUnavailable()
      })
    },
    enqueue(record, also) {
      const full = depth() >= maxQueue
      add({ record, also, settle: undefined })
      if (full) throw auditUnavailable()
    },
    close() {
      closed ??= finish()
      return closed
    },
    get depth() {
      return depth()
    },
    get failing() {
      return wait > 0
    },
  }
}

function auditUnavailable(cause?: unknown): ServiceError {
  return unavailable(
    'AUDIT_UNAVAILABLE',
    'The audit log cannot be written at the moment, so no request can be served; try again in a few seconds.',
    5,
    cause,
  )
}
