import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

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

/** Text that a server joins to the key of a handshake. @see https://www.rfc-editor.org/rfc/rfc6455#section-1.3 (read 2026-11-30) */
const handshakeText = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
/** Most bytes of what a client sends; more ends the connection. */
const maxMessage = 1_000_000
const [textFrame, closeFrame, pingFrame, pongFrame] = [1, 8, 9, 10]

/** Opens a WebSocket for a request that asks for one. Takes whole messages only, as its clients send them. */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex, first: Buffer, listener: PushListener): void {
  const { 'sec-websocket-key': key, upgrade } = request.headers
  const client: PushClient = {
    send: (text) => void socket.write(frameOf(textFrame, Buffer.from(text))),
    close: () => void socket.end(frameOf(closeFrame, Buffer.alloc(0))),
  }
  const isAsked = key !== undefined && upgrade?.toLowerCase() === 'websocket'
  const receiver = isAsked ? listener(new URL(request.url ?? '/', 'http://localhost').pathname, client) : null
  if (receiver === null) return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  const accept = createHash('sha1').update(`${key}${handshakeText}`).digest('base64')
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`)
  let bytes = first
  socket.on('error', () => socket.destroy())
  // Node's server leaves its half open.
  socket.once('end', () => socket.destroy())
  socket.once('close', () => receiver.closed())
  const take = () => {
    for (let frame = frameIn(bytes); frame !== null && !socket.destroyed; frame = frameIn(bytes)) {
      if (frame === 'bad') return void socket.destroy()
      bytes = bytes.subarray(frame.size)
      if (frame.opcode === textFrame) receiver.text(frame.payload.toString())
      if (frame.opcode === pingFrame) socket.write(frameOf(pongFrame, frame.payload))
      if (frame.opcode === closeFrame) client.close()
    }
  }
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    take()
  })
  take()
}

/** Makes a frame as a server sends it: whole, and not masked. */
function frameOf(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

interface Frame {
  readonly opcode: number
  readonly payload: Buffer
  /** Bytes of the whole frame. */
  readonly size: number
}

/** Reads the first frame of a client; null: it is not whole yet; `bad`: no client of a chain sends it. */
function frameIn(bytes: Buffer): Frame | 'bad' | null {
  if (bytes.length < 2) return null
  const [first = 0, second = 0] = bytes
  const short = second & 0x7f
  const start = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < start) return null
  const length = start === 2 ? short : start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  if ((first & 0xf0) !== 0x80 || (second & 0x80) === 0 || length > maxMessage) return 'bad'
  const size = start + 4 + length
  if (bytes.length < size) return null
  const mask = bytes.subarray(start, start + 4)
  const payload = Buffer.from(bytes.subarray(start + 4, size).map((byte, index) => byte ^ (mask[index % 4] ?? 0)))
  return { opcode: first & 0x0f, payload, size }
}
