import { Agent, createServer, type IncomingMessage, request as outgoing, type RequestListener, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Fault, FaultSwitch } from './fault.ts'
import { listen, sendJson, shut } from './http.ts'
import { acceptWebSocket, type PushListener } from './websocket.ts'

/** A door in front of a local chain, of any family that speaks HTTP. */
export interface FaultProxy {
  readonly url: string
  /** @throws SandboxError `INVALID_INPUT` */
  fault(fault: Fault): void
  /** The fault that is switched on, with the requests that it is still to meet; null when there is none. */
  faulted(): Fault | null
  close(): Promise<void>
}

/**
 * Starts a proxy that passes HTTP on to a chain, unchanged, unless a fault is switched on.
 *
 * @param options.target URL of the chain's own port; or the request listener of a chain in this process, which then needs no port
 * @param options.push of a chain in this process: serves clients over WebSockets, whose connections a fault breaks too: `drop` those that are open, `drop` and `error` new ones
 * @param options.port of the proxy, 0 for any free one
 * @param options.name of the chain, for messages
 * @throws SandboxError `PORT_BUSY`
 */
export async function startFaultProxy(options: {
  target: string | RequestListener
  push?: PushListener | undefined
  port: number
  name: string
}): Promise<FaultProxy> {
  const faults = new FaultSwitch()
  const { target, push } = options
  const sockets = new Set<Duplex>()
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  const { forward, end } = typeof target === 'string' ? toPort(target, options.name) : { forward: target, end: () => {} }

  const server = createServer((request, response) => {
    const fault = faults.take()
    if (fault.kind === 'drop') return void request.socket.destroy()
    if (fault.kind === 'error') return refuse(request, response, 500, 'a fault is switched on: every request fails')
    if (fault.kind === 'none') return forward(request, response)
    const timer = setTimeout(() => forward(request, response), fault.ms)
    response.once('close', () => clearTimeout(timer))
  })

  if (push)
    server.on('upgrade', (request, socket, first) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      if (['drop', 'error'].includes(faults.take().kind)) socket.destroy()
      else acceptWebSocket(request, socket, first, push)
    })

  const url = await listen(server, options.port, options.name)
  return {
    url,
    fault(fault) {
      faults.set(fault)
      if (fault.kind === 'drop') hangUp()
    },
    faulted: () => faults.current,
    async close() {
      hangUp()
      await shut(server)
      end()
    },
  }
}

/** Passes requests on to a port of this machine. */
function toPort(url: string, name: string): { readonly forward: RequestListener; end(): void } {
  const agent = new Agent({ keepAlive: true })
  const target = new URL(url)

  function forward(request: IncomingMessage, response: ServerResponse): void {
    const { host: _, connection: __, ...headers } = request.headers
    const path = `${target.pathname === '/' ? '' : target.pathname}${request.url ?? '/'}`
    const passed = outgoing({ agent, host: target.hostname, port: target.port, method: request.method, path, headers }, (answer) => {
      const { connection: ___, 'keep-alive': ____, ...received } = answer.headers
      response.writeHead(answer.statusCode ?? 502, received)
      // A chain that ends in the middle of its answer breaks the client's connection too.
      answer.once('close', () => answer.complete || response.destroy())
      answer.pipe(response)
    })
    passed.on('error', () => {
      if (!response.headersSent) refuse(request, response, 502, `${name} does not answer: its engine has ended`)
    })
    // Only for a client that left early: after a whole answer the connection to the chain is kept for the next request.
    response.once('close', () => response.writableFinished || passed.destroy())
    request.pipe(passed)
  }

  return { forward, end: () => agent.destroy() }
}

/** Reads the request to its end before it answers, so that the client sees the answer and not a broken connection. */
function refuse(request: IncomingMessage, response: ServerResponse, statusCode: number, error: string): void {
  request.resume()
  sendJson(response, statusCode, { error })
}
