import { hash, randomBytes } from 'node:crypto'
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { Failure, networkFailure } from './failure.ts'
import { createFrameReader, frameOf, OPCODES } from './websocket-frames.ts'
import { proxied } from './wire.ts'

interface WebSocketOptions {
  /** `http://` or `https://`. */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** Most bytes of a message. */
  readonly mostBytes: number
  /** Ends the attempt to open it, and the connection at once, whatever the other side does. */
  readonly signal: AbortSignal
  /** Called when the connection is open. @returns receiver of text messages; what it throws ends the connection */
  open(send: (text: string) => void): (text: string) => void
}

/** Bytes that may wait to be sent: all that is sent here are short questions, and answers to pings. */
const MOST_WAITING = 1024 * 1024

/** Text that a server joins to the key of a handshake. @see https://www.rfc-editor.org/rfc/rfc6455#section-1.3 (read 2026-11-30) */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/**
 * Keeps a WebSocket open until either side ends it. It follows no redirect and takes no extension.
 *
 * By Node's own client of HTTP, and not by its global `WebSocket`: that one waits without end for a server that does not close in its turn, and takes messages of 128 MiB
 * (undici 7.29 in Node 24.21, measured 2026-11-30).
 *
 * @returns never: how it has ended is thrown
 * @throws {Failure} when the endpoint does not open one, or the connection has ended
 * @throws what the receiver has thrown, and the reason of the signal
 */
export function keepWebSocket({ address, headers, signal, ...options }: WebSocketOptions): Promise<never> {
  const key = randomBytes(16).toString('base64')
  const url = new URL(address)
  const sent = { ...headers, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': key, 'sec-websocket-version': '13' }
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const request: ClientRequest =
      url.protocol === 'https:'
        ? requestHttps(url, { headers: sent, agent: new HttpsAgent(proxied()) })
        : requestHttp(url, { headers: sent, agent: new HttpAgent(proxied()) })
    const stop = () => {
      request.destroy()
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    request.on('error', (error) => reject(networkFailure(error)))
    request.once('response', ({ statusCode = 0 }) => {
      request.destroy()
      reject(new Failure(`http ${statusCode}`))
    })
    request.once('upgrade', (response, socket, first) => {
      signal.removeEventListener('abort', stop)
      if (!accepts(response, key)) {
        socket.destroy()
        return reject(new Failure('malformed'))
      }
      follow(socket, first, { ...options, signal, ended: reject })
    })
    request.end()
  })
}

/** Tells whether a server has understood the handshake, and agreed on nothing that was not asked for. */
function accepts({ statusCode, headers }: IncomingMessage, key: string): boolean {
  return (
    statusCode === 101 &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-accept'] === hash('sha1', key + GUID, 'base64') &&
    headers['sec-websocket-extensions'] === undefined
  )
}

/** Passes on what a server sends until the connection ends. @param first bytes that came along with the handshake */
function follow(
  socket: Duplex,
  first: Buffer,
  { mostBytes, signal, open, ended }: Pick<WebSocketOptions, 'mostBytes' | 'signal' | 'open'> & { ended(reason: unknown): void },
): void {
  const end = (reason: unknown) => {
    signal.removeEventListener('abort', abort)
    socket.destroy()
    ended(reason)
  }
  const abort = () => {
    // Says goodbye, and waits for no answer.
    write(OPCODES.close, new Uint8Array())
    end(signal.reason)
  }
  const write = (opcode: number, payload: Uint8Array) => {
    if (socket.destroyed) return
    if (socket.writableLength > MOST_WAITING) return end(new Failure('busy'))
    socket.write(frameOf(opcode, payload))
  }
  const receiver = open((text) => write(OPCODES.text, Buffer.from(text)))
  const read = createFrameReader(mostBytes, {
    text: receiver,
    ping: (payload) => write(OPCODES.pong, payload),
    close: () => end(new Failure('network closed')),
  })
  signal.addEventListener('abort', abort, { once: true })
  socket.on('error', (error) => end(networkFailure(error)))
  socket.on('close', () => end(new Failure('network closed')))
  socket.on('data', (bytes) => {
    if (socket.destroyed) return
    try {
      read(bytes)
    } catch (error) {
      end(error)
    }
  })
  if (first.length > 0) socket.unshift(first)
}
