import {
  createServer,
  type ServerOptions as HttpOptions,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Signer } from '../signature/signer.ts'
import { type Refusal, refuser } from './refusal.ts'
import { watchWrites } from './writes.ts'

interface GateOptions {
  readonly signer: Signer
  /** Most requests under way in all: taken in, and not answered to the last byte. */
  readonly inFlight: number
  /** Most requests under way on one connection. */
  readonly perConnection: number
  /** Time that a caller may take to read one answer that is ready, in milliseconds. */
  readonly writeMs: number
  /** Longest wait for a whole request, in milliseconds. */
  readonly requestMs: number
  /** Paths of the health reports, which have places of their own, so that a full service can still be asked how it is. */
  readonly health: readonly string[]
  /** Called for everything that the gate turned away. */
  readonly refused?: (why: Refusal | 'stalled') => void
}

/** First check of every request, which lets in no more requests than the process can hold. */
export interface Gate {
  /** Fastify's `serverFactory`. */
  readonly serverFactory: (handler: RequestListener, options: { readonly http?: HttpOptions | null }) => Server
  /** Tells whether a request is let in; a request that is not is answered here, or was sent on a connection that is being closed. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** Number of requests under way. */
  readonly underWay: number
}

/** Places of the health reports: a few probes at once, each of which takes milliseconds. */
const HEALTH_PLACES = 32

/** Fastify's own default, a second above what common load balancers keep (ELB: 60 s); @see https://fastify.dev/docs/latest/Reference/Server/#keepalivetimeout (read 2026-11-22) */
const KEEP_ALIVE_MS = 72_000

/**
 * Makes the gate that counts the requests under way on each connection and in all, and refuses those beyond the limits.
 *
 * Node reads a whole chunk of pipelined requests, some thousand, before anything can stop it, and keeps every answer until the ones before it were taken. So a request is
 * counted here from its arrival until its last byte was handed to the system. A request beyond the limit gets a 503 at the cost of a fixed text, and a connection with too
 * many is closed after it.
 */
export function createGate({ signer, inFlight, perConnection, writeMs, requestMs, health, refused: onRefusal }: GateOptions): Gate {
  const refuse = refuser(signer)
  const lines = new Map<Socket, Line>()
  const api: Lane = { underWay: 0, most: inFlight }
  const probes: Lane = { underWay: 0, most: HEALTH_PLACES }

  function lineOf(socket: Socket): Line {
    const earlier = lines.get(socket)
    if (earlier) return earlier
    const line: Line = { waiting: new Map(), closing: false }
    lines.set(socket, line)
    // Answers that were not begun when it closes have no event of their own.
    socket.once('close', () => {
      lines.delete(socket)
      for (const response of line.waiting.keys()) leave(line, response)
    })
    return line
  }

  /** A caller who leaves frees his place when the work for him has ended, not before: leaving must not be a way to start more of it. */
  function leave({ waiting }: Line, response: ServerResponse): void {
    const lane = waiting.get(response)
    waiting.delete(response)
    if (!lane) return
    if (response.writableEnded) lane.underWay--
    else writes.await(response, () => lane.underWay--)
  }

  function turnAway(why: Refusal, request: IncomingMessage, response: ServerResponse): false {
    refuse(why, request, response)
    onRefusal?.(why)
    return false
  }

  function admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    if (socket.destroyed) return false
    const line = lineOf(socket)
    // Its last answer was written already, with `Connection: close`. @see https://www.rfc-editor.org/rfc/rfc9112#section-9.6 (read 2026-11-22)
    if (line.closing) return false
    const full = line.waiting.size >= perConnection
    const lane = health.some((path) => isAt(path, request.url ?? '')) ? probes : api
    const busy = lane.underWay >= lane.most
    line.closing = full
    line.waiting.set(response, full || busy ? null : lane)
    response.once('close', () => leave(line, response))
    if (full) return turnAway('pipelined', request, response)
    if (busy) return turnAway('busy', request, response)
    lane.underWay++
    return true
  }

  const writes = watchWrites({
    writeMs,
    heads: function* () {
      for (const [socket, { waiting }] of lines)
        for (const response of waiting.keys()) {
          yield [socket, response] as const
          break
        }
    },
    stalled(socket) {
      onRefusal?.('stalled')
      socket.destroy()
    },
  })

  return {
    admit,
    serverFactory(handler, { http }) {
      const take: RequestListener = (request, response) => {
        if (admit(request, response)) handler(request, response)
      }
      const server = createServer(http ?? {}, take)
      // Without this Node tells the caller to go on before anybody has looked at his credential; `continueWhenRead` tells him when his body is wanted.
      server.on('checkContinue', take)
      server.keepAliveTimeout = KEEP_ALIVE_MS
      server.requestTimeout = requestMs
      server.headersTimeout = requestMs
      server.once('listening', writes.start)
      server.once('close', writes.stop)
      return server
    },
    get underWay() {
      return api.underWay + probes.underWay
    },
  }
}

/** Requests that share one bound. */
interface Lane {
  underWay: number
  readonly most: number
}

/** Answers of a connection that were not taken yet, in their order, each with the lane that it holds a place of. */
interface Line {
  readonly waiting: Map<ServerResponse, Lane | null>
  closing: boolean
}

function isAt(path: string, url: string): boolean {
  return url.startsWith(path) && (url.length === path.length || url[path.length] === '?' || url.slice(path.length) === '/')
}
