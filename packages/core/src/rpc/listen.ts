import { setTimeout as pauseFor } from 'node:timers/promises'
import { isEndpointError, setDeadline } from '@svc/contract'
import { answerWithin, type Conversation, type Feed } from '@svc/contract/host'
import type { FastifyBaseLogger } from 'fastify'
import type { Server } from './endpoints.ts'
import { Failure } from './failure.ts'
import { keepWebSocket } from './websocket.ts'

/** Interval at which an endpoint that is listened to is asked whether it is well, in milliseconds: how long a connection may be dead and not noticed. 288 short calls a day. */
export const PROBE_MS = 300_000
/** Pause before the endpoints are tried again, in milliseconds, which doubles up to the longest while none of them is listened to for long. */
const PAUSE_MS = 1_000
const PAUSE_MOST_MS = 3_600_000
/** Time for which an endpoint has to be listened to, in milliseconds, for the pauses to begin anew. */
const STEADY_MS = 60_000

/** Waits so many milliseconds. @throws the reason of the signal, or an AbortError, when it is given up */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<unknown>

interface ListenerParts {
  /** Name of the group of endpoints. */
  readonly name: string
  /** Returns the endpoints in the order in which they are tried. */
  order(): readonly Server[]
  /** Longest time in which a connection has to open, and each answer has to come, in milliseconds. */
  readonly timeoutMs: number
  now(): number
  readonly wait?: Wait | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Listens to the endpoints of one group. */
interface Listeners {
  listen(feed: Feed): () => void
  /** Ends all that listen, and refuses further ones. */
  close(): void
}

/** Makes what listens to the endpoints of a group over WebSockets, each feed to one endpoint at a time. */
export function createListeners({ name, order, timeoutMs, now, wait = idle, log }: ListenerParts): Listeners {
  const all = new AbortController()
  /** Last reason why an endpoint could not be listened to, by its number, so that each is logged once. */
  const reasons = new Map<number, string>()
  const inTime = <T>(answer: Promise<T>) => answerWithin(timeoutMs, answer, () => new Failure('timeout'), { holds: false })

  async function run(feed: Feed, signal: AbortSignal): Promise<void> {
    let failures = 0
    let queue: readonly Server[] = []
    while (!signal.aborted) {
      if (queue.length === 0) queue = order()
      const [server, ...others] = queue
      if (server === undefined) return
      queue = others
      const isSteady = await converse(server, feed, signal)
      failures = isSteady ? 0 : failures + 1
      if (isSteady || others.length === 0) {
        const rounds = Math.min(20, Math.floor(failures / order().length))
        await wait(Math.min(PAUSE_MOST_MS, PAUSE_MS * 2 ** Math.max(0, rounds - 1)), signal).catch(() => undefined)
      }
    }
  }

  /** Listens to one endpoint until that ends. @returns whether it was listened to for long */
  async function converse(server: Server, feed: Feed, signal: AbortSignal): Promise<boolean> {
    const end = new AbortController()
    const stop = () => end.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const opening = setDeadline(timeoutMs, () => end.abort(new Failure('timeout')))
    let beganAt: number | null = null
    const talk = async ({ begin, probe }: Conversation) => {
      await inTime(begin())
      if (end.signal.aborted) return
      beganAt = now()
      reasons.delete(server.number)
      feed.live()
      for (;;) {
        await wait(PROBE_MS, end.signal)
        await inTime(probe())
      }
    }
    const open = (send: (text: string) => void) => {
      opening.clear()
      const conversation = feed.open(send)
      talk(conversation).catch((error: unknown) => end.abort(error))
      return (text: string) => conversation.read(text)
    }
    const { headers } = server
    let failure: unknown
    try {
      await keepWebSocket({ address: addressOf(server, feed), headers, mostBytes: feed.mostBytes, signal: end.signal, open })
    } catch (error) {
      failure = error
    }
    opening.clear()
    signal.removeEventListener('abort', stop)
    end.abort(failure)
    if (signal.aborted) return false
    const reason = reasonOf(failure)
    if (reasons.get(server.number) !== reason)
      log.warn(
        { upstream: name, endpoint: server.number, reason, ...(reason === UNKNOWN ? { err: failure } : {}) },
        'upstream endpoint is not listened to; another one is, or it is tried again',
      )
    reasons.set(server.number, reason)
    feed.deaf(reason)
    return beganAt !== null && now() - beganAt >= STEADY_MS
  }

  return {
    listen(feed) {
      const end = new AbortController()
      const stop = () => end.abort(all.signal.reason)
      if (all.signal.aborted) return stop
      all.signal.addEventListener('abort', stop, { once: true })
      void run(feed, end.signal)
      return () => {
        all.signal.removeEventListener('abort', stop)
        end.abort(new DOMException(`${name} is listened to no more`, 'AbortError'))
      }
    },
    close: () => all.abort(new DOMException(`${name} is closed`, 'AbortError')),
  }
}

function addressOf(server: Server, { path, portOffset = 0 }: Feed): string {
  const url = new URL(server.address(path, ''))
  if (url.port !== '') url.port = String(Number(url.port) + portOffset)
  return url.href
}

/** Waits by the machine's clock, and keeps no process from ending. */
function idle(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return pauseFor(milliseconds, undefined, { signal, ref: false })
}

/** Reason of what no endpoint causes: a fault of the program. */
const UNKNOWN = 'no answer'

/** Returns the reason for the end of a conversation, in a word or two without an address. */
function reasonOf(error: unknown): string {
  return error instanceof Failure || isEndpointError(error) ? error.reason : UNKNOWN
}
