import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { membersOf } from '@svc/contract'
import { WebSocket } from 'ws'
import { Failure, networkFailure } from './failure.ts'
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

/** Bytes that may wait to be sent: all that is sent here are short questions. */
const MOST_WAITING = 1024 * 1024

/**
 * Keeps a WebSocket open until either side ends it. It follows no redirect and takes no extension.
 *
 * By the library `ws`, and not by Node's global `WebSocket`: that one waits without end for a server that does not close in its turn, and takes messages of 128 MiB (undici
 * 7.29 in Node 24.21, measured 2026-11-30). The library bounds messages, their pieces, and the answers to pings.
 *
 * @returns never: how it has ended is thrown
 * @throws {Failure} when the endpoint does not open one, or the connection has ended
 * @throws what the receiver has thrown, and the reason of the signal
 */
export function keepWebSocket({ address, headers, mostBytes, signal, open }: WebSocketOptions): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const agent = address.startsWith('https:') ? new HttpsAgent(proxied()) : new HttpAgent(proxied())
    const socket = new WebSocket(address, { headers, agent, maxPayload: mostBytes, perMessageDeflate: false })
    const end = (reason: unknown) => {
      signal.removeEventListener('abort', abort)
      // Before the connection is open this ends the attempt, and says so by an error.
      socket.terminate()
      reject(reason)
    }
    const abort = () => {
      // Says goodbye, and waits for no answer.
      if (socket.readyState === WebSocket.OPEN) socket.close()
      end(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.on('error', (error) => end(failureOf(error)))
    socket.on('close', () => end(new Failure('network closed')))
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => end(new Failure(`http ${statusCode}`)))
    const send = (text: string) => {
      if (socket.bufferedAmount > MOST_WAITING) end(new Failure('busy'))
      else if (socket.readyState === WebSocket.OPEN) socket.send(text)
    }
    /** Does what an event asks for; a fault ends the connection, and not the process. */
    const orEnd = (work: () => void) => {
      try {
        work()
      } catch (error) {
        end(error)
      }
    }
    socket.on('open', () =>
      orEnd(() => {
        const receive = open(send)
        socket.on('message', (data, isBinary) =>
          orEnd(() => {
            if (socket.readyState !== WebSocket.OPEN) return
            if (isBinary) throw new Failure('malformed')
            receive(data.toString())
          }),
        )
      }),
    )
  })
}

/** Makes the failure for an error of the library: of the network below it, which has a code of Node, or of what the server has sent. */
function failureOf(error: Error): Failure {
  const { code } = membersOf(error)
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return new Failure('too large')
  return typeof code === 'string' && !code.startsWith('WS_ERR_') ? networkFailure(error) : new Failure('malformed')
}
