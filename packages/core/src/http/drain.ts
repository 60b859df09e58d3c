import { Server, type Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Shutdown of a server without an error for any caller whose call the server has taken. */
export interface Drain {
  /** To be called before anything else is added to the server. */
  watch(app: FastifyInstance): void
  /** Requests that are not answered yet. */
  underWay(): readonly UnderWay[]
}

/** A request that is not answered yet. */
export interface UnderWay {
  readonly id: string
  readonly method: string
  /** The route's pattern, not the path that was asked for. */
  readonly route: string
  /** Milliseconds since it arrived. */
  readonly ms: number
}

/** Interval, in milliseconds, at which open connections are looked at during the shutdown. */
const LOOK_MS = 20

/**
 * Makes the drain, which closes a stopping server's connections. The server takes no new ones, and answers requests on the others with `Connection: close`, so that clients
 * open their next one elsewhere. A connection without requests is closed after `idleMs`; one with a request under way is closed after the answer. Otherwise an idle
 * connection might be closed just as a client writes to it, and a busy one would stay open.
 *
 * An answer whose head was written before the stop, or is written meanwhile (its signature takes milliseconds), does not say that it is the last: its reader may ask again,
 * so that its connection is treated as an idle one.
 *
 * @param idleMs how long a connection without a request may stay. @default 0
 * @param now milliseconds of a clock that never runs backwards. @default performance.now
 */
export function createDrain(idleMs = 0, now = () => performance.now()): Drain {
  const requests = new Map<FastifyRequest, number>()
  const sockets = new Set<Socket>()
  /** Requests whose answer left the hooks before the stop, and does not say that it is the last. */
  const silent = new WeakSet<FastifyRequest>()
  /** When the last answer on a connection ended that did not say so. */
  const idleSince = new WeakMap<Socket, number>()
  let stopping = false

  const busy = (socket: Socket) => [...requests.keys()].filter(({ raw }) => raw.socket === socket).length
  const idle = () => [...sockets].filter((socket) => busy(socket) === 0)

  function watch(app: FastifyInstance): void {
    app.server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        // An answer that waited for the ones before it has no event of its own when the connection goes.
        for (const request of requests.keys()) if (request.raw.socket === socket) requests.delete(request)
      })
    })
    app.addHook('onRequest', (request, reply, next) => {
      requests.set(request, now())
      // Comes also when the caller has gone, which ends no response.
      reply.raw.once('close', () => left(request))
      next()
    })
    app.addHook('onSend', (request, reply, payload, next) => {
      // More may have been asked on this connection already; only the last answer closes it.
      if (stopping && busy(request.raw.socket) <= 1) reply.header('connection', 'close')
      else if (!stopping) silent.add(request)
      next(null, payload)
    })
    app.addHook('onResponse', (request, _reply, next) => {
      left(request)
      next()
    })
    app.addHook('preClose', async () => {
      stopping = true
      // Not the server's own `close`, which would end idle connections as well.
      if (app.server.listening) Server.prototype.close.call(app.server)
      const began = now()
      const isAwaited = (socket: Socket) => now() < (idleSince.get(socket) ?? began) + idleMs
      while (idle().some(isAwaited) || (idleMs > 0 && [...requests.keys()].some((request) => silent.has(request))))
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      for (const socket of idle()) socket.destroy()
    })
  }

  function left(request: FastifyRequest): void {
    if (!requests.delete(request)) return
    const { socket } = request.raw
    if (!stopping || !sockets.has(socket) || busy(socket) > 0) return
    // Of an answer that had begun before the stop; else it said so, or was written by hand.
    if (silent.has(request) && idleMs > 0) idleSince.set(socket, now())
    else socket.destroySoon()
  }

  return {
    watch,
    underWay: () =>
      [...requests].map(([request, began]) => ({
        id: String(request.id),
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        ms: now() - began,
      })),
  }
}
