import type { FastifyBaseLogger } from 'fastify'
import type { Lease } from '../db/leases.ts'
import { nextUlid } from '../db/ulid.ts'
import { type Due, findDue, NOTHING } from './due.ts'
import type { LifeParts } from './host.ts'
import { nameOf } from './networks.ts'
import { createTenure } from './tenure.ts'
import type { StreamPlace } from './transactions.ts'

/** Kind of a stream that is followed. */
export type StreamKind = 'transactions' | 'positions' | 'conditions' | 'stirrings' | 'books'

/** Report of the work that a stream has done, for the metrics. */
export interface StreamNote {
  /** Times at which the rows that were taken were due. */
  readonly due?: readonly (Date | null)[]
  readonly ok?: number
  readonly failed?: number
}

export interface StreamParts extends LifeParts {
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Receives a note of all work that is done. */
  readonly seen: (kind: StreamKind, place: StreamPlace, note: StreamNote) => void
}

/**
 * End of a run: `done`: nothing is due any more that a budget has room for, so that the next beat looks again; `failed`: the chain did not answer, so that it is
 * left alone for a while; `lost`: the lease is somebody else's, so that nothing more may be written.
 */
export type StreamEnd = 'done' | 'failed' | 'lost'

/** Follows one thing, network by network. */
export interface Stream {
  readonly kind: StreamKind
  /** Tells whether some of the work that is due may be done now, by the budgets. */
  isDue(place: StreamPlace, due: Omit<Due, keyof StreamPlace>): boolean
  run(place: StreamPlace, lease: Lease): Promise<StreamEnd>
  /** Ends what it keeps open for a network that another replica follows; without a network, for all. @default it keeps nothing open */
  leave?(place?: StreamPlace): void
}

/** Runs the streams on the networks. */
export interface Follower {
  /** Does the work that is due. Never rejects. Resolves when all work that this call has begun is done. */
  beat(): Promise<void>
  /** Begins no further work, waits a moment for the work under way, and gives up the leases so that others may take over. */
  close(): Promise<void>
}

/** Pause for a network whose endpoints answer nothing, in milliseconds: doubled each time up to the longest. */
const PAUSE_MS = 2_000
const PAUSE_MOST_MS = 60_000
/** Time for which `close` waits for work under way, in milliseconds; work that takes longer is not saved. */
const CLOSE_MS = 3_000

interface Pause {
  readonly until: number
  readonly failures: number
}

/** Makes the follower, which runs each stream of each network in one replica alone. A fault of one stream keeps no other from running. */
export function createFollower(parts: StreamParts, streams: readonly Stream[]): Follower {
  const { store, networks, now, clock, log } = parts
  const tenure = createTenure(store, nextUlid(Date.now()), now, clock)
  const running = new Map<string, Promise<void>>()
  const pauses = new Map<string, Pause>()
  let checking: Promise<readonly (() => Promise<void>)[]> | undefined
  let away = false
  let closed = false

  const taskOf = ({ kind }: Stream, place: StreamPlace) => `follow ${nameOf(place)} ${kind}`
  const tasks = () => networks.places().flatMap((place) => streams.map((stream) => ({ stream, place, task: taskOf(stream, place) })))

  /** @returns what is to be begun; nothing while the database does not answer */
  async function checkOnce(): Promise<readonly (() => Promise<void>)[]> {
    try {
      const work = await check()
      if (away) log.info({}, 'transactions and positions are followed again')
      away = false
      return work
    } catch (err) {
      if (!away) log.warn({ err }, 'nothing can be followed while the database does not answer')
      away = true
      return []
    }
  }

  async function check(): Promise<readonly (() => Promise<void>)[]> {
    const all = tasks()
    await tenure.keep(all.map(({ task }) => task))
    for (const { stream, place, task } of all) if (tenure.of(task) === null) stream.leave?.(place)
    const ours = all.filter(({ task }) => tenure.of(task) !== null && !running.has(task) && !isPaused(task))
    const places = new Map(ours.map(({ place }) => [nameOf(place), place]))
    const due = new Map(
      (await store.run((database) => findDue(database, [...places.values()]), { now: clock })).map((each) => [nameOf(each), each]),
    )
    return ours
      .filter(({ stream, place }) => stream.isDue(place, due.get(nameOf(place)) ?? NOTHING))
      .map(
        ({ stream, place, task }) =>
          () =>
            begin(stream, place, task),
      )
  }

  function begin(stream: Stream, place: StreamPlace, task: string): Promise<void> {
    const lease = tenure.of(task)
    if (closed || lease === null || running.has(task)) return Promise.resolve()
    const run = stream
      .run(place, lease)
      .then(
        (end) => {
          if (end === 'lost') tenure.lose(lease)
          if (end === 'failed') pause(task)
          else pauses.delete(task)
        },
        (err: unknown) => {
          log.warn({ err, ...place, kind: stream.kind }, 'what is due could not be followed; it is tried again')
          pause(task)
        },
      )
      .finally(() => running.delete(task))
    running.set(task, run)
    return run
  }

  function pause(task: string): void {
    const failures = (pauses.get(task)?.failures ?? 0) + 1
    pauses.set(task, { failures, until: now().getTime() + Math.min(PAUSE_MOST_MS, PAUSE_MS * 2 ** Math.min(failures - 1, 10)) })
  }

  function isPaused(task: string): boolean {
    const left = (pauses.get(task)?.until ?? 0) - now().getTime()
    // A pause that ends later than any may began while the clock was ahead.
    return left > 0 && left <= PAUSE_MOST_MS
  }

  return {
    async beat() {
      if (closed || checking) return
      const check = checkOnce().finally(() => {
        checking = undefined
      })
      checking = check
      await Promise.all((await check).map((run) => run()))
    },
    async close() {
      closed = true
      for (const stream of streams) stream.leave?.()
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((done) => {
        timer = setTimeout(done, CLOSE_MS)
      })
      await Promise.race([Promise.allSettled([checking, ...running.values()]), patience])
      clearTimeout(timer)
      await tenure.release().catch((err: unknown) => log.info({ err }, 'leases could not be given up; they lapse'))
    },
  }
}
