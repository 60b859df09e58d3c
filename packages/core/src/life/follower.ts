import type { FastifyBaseLogger } from 'fastify'
import type { Lease } from '../db/leases.ts'
import { nextUlid } from '../db/ulid.ts'
import { findDue } from './due.ts'
import type { LifeParts } from './host.ts'
import { nameOf } from './networks.ts'
import { createTenure } from './tenure.ts'
import type { StreamPlace } from './transactions.ts'

/** What is followed. */
export type StreamKind = 'transactions' | 'positions' | 'conditions'

/** What a stream has done, for whoever counts it. */
export interface StreamNote {
  /** When each of what was taken in hand was due. */
  readonly due?: readonly (Date | null)[]
  readonly ok?: number
  readonly failed?: number
}

export interface StreamParts extends LifeParts {
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Told of everything that is done. */
  readonly seen: (kind: StreamKind, place: StreamPlace, note: StreamNote) => void
}

/**
 * How a run ended: nothing is due any more; its budget is used up; the chain did not answer; or the lease is somebody else's, so that nothing more may be
 * written.
 */
export type StreamEnd = 'done' | 'later' | 'failed' | 'lost'

/** Follows one thing, network by network. */
export interface Stream {
  readonly kind: StreamKind
  run(place: StreamPlace, lease: Lease): Promise<StreamEnd>
}

/** Follows what there is to follow. */
export interface Follower {
  /** Looks what is due and does it. Never rejects. @returns when all that this has begun is done */
  beat(): Promise<void>
  /** Begins nothing more, waits a moment for what is under way, and lets others take over. */
  close(): Promise<void>
}

/** How long a network is left alone whose endpoints answer nothing, in milliseconds: doubled each time up to the longest. */
const PAUSE_MS = 2_000
const PAUSE_MOST_MS = 60_000
/** How long a network waits whose budget is used up, in milliseconds. */
const LATER_MS = 10_000
/** How long an end waits for what is under way, in milliseconds; the rest lapses. */
const CLOSE_MS = 3_000

interface Pause {
  readonly until: number
  readonly failures: number
}

/** One runner for each stream of each network among all replicas; a fault of one keeps no other from running. */
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
      const found = await check()
      if (away) log.info({}, 'transactions and positions are followed again')
      away = false
      return found
    } catch (err) {
      if (!away) log.warn({ err }, 'nothing can be followed while the database does not answer')
      away = true
      return []
    }
  }

  async function check(): Promise<readonly (() => Promise<void>)[]> {
    const all = tasks()
    await tenure.keep(all.map(({ task }) => task))
    const ours = all.filter(({ task }) => tenure.of(task) !== null && !running.has(task) && !isPaused(task))
    const asked = new Map(ours.map(({ place }) => [nameOf(place), place]))
    const due = new Map(
      (await store.run((database) => findDue(database, [...asked.values()]), { now: clock })).map((each) => [nameOf(each), each]),
    )
    return ours
      .filter(({ stream, place }) => stream.kind === 'conditions' || due.get(nameOf(place))?.[stream.kind])
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
          else if (end === 'later') pauses.set(task, { failures: 0, until: now().getTime() + LATER_MS })
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
    return (pauses.get(task)?.until ?? 0) > now().getTime()
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
