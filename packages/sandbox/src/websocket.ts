import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'

/** Client of a chain over a WebSocket. */
export interface PushClient {
  /** Sends a text. */
  send(text: string): void
  /** Ends the connection, with a word of goodbye. */
  close(): void
}

/** Receiver of what a client sends over a WebSocket. */
export interface PushReceiver {
  text(message: string): void
  /** Called once when the connection has ended. */
  closed(): void
}

/** Serves clients over WebSockets. @param path of the request @returns null where there is no WebSocket */
export type PushListener = (path: string, client: PushClient) => PushReceiver | null

/** Most bytes of what a client sends; more ends the connection. */
const maxMessage = 1_000_000

const server = new WebSocketServer({ noServer: true, maxPayload: maxMessage, perMessageDeflate: false })

/** Opens a WebSocket for a request that asks for one. */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex, first: Buffer, listener: PushListener): void {
  let client: WebSocket | undefined
  const receiver = listener(new URL(request.url ?? '/', 'http://localhost').pathname, {
    send: (text) => {
      if (client?.readyState === WebSocket.OPEN) client.send(text)
    },
    close: () => client?.close(),
  })
  if (receiver === null) return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  socket.once('close', () => receiver.closed())
  server.handleUpgrade(request, socket, first, (opened) => {
    client = opened
    opened.on('error', () => opened.terminate())
    opened.on('message', (data) => receiver.text(data.toString()))
  })
}
