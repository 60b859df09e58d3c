import { hash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Test } from 'tap'

/** A connection of a client, as the test's endpoint has it. */
export interface Caller {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Kinds and texts of the frames that the client has sent. */
  readonly frames: { readonly opcode: number; readonly text: string; readonly isMasked: boolean }[]
  /** Sends bytes as they are. */
  raw(bytes: Uint8Array): void
  /** Sends a text in one frame. */
  text(text: string): void
  /** Ends the connection without a word. */
  cut(): void
  readonly isClosed: () => boolean
}

/** Makes a frame as a server sends it. */
export function serverFrame(payload: string | Uint8Array, opcode = 1, isLast = true): Buffer {
  const bytes = Buffer.from(payload)
  const head = bytes.length < 126 ? Buffer.alloc(2) : bytes.length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10)
  head[0] = (isLast ? 0x80 : 0) | opcode
  head[1] = head.length === 2 ? bytes.length : head.length === 4 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(bytes.length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2)
  return Buffer.concat([head, bytes])
}

/** Starts an endpoint with a WebSocket, which answers nothing to closing words and breaks whatever rules a test wants. @param options.greeting changes what the handshake answers */
export async function pushing(t: Test, options: { readonly greeting?: (lines: string[]) => string[]; readonly along?: Uint8Array } = {}) {
  const { greeting = (lines) => lines, along = Buffer.alloc(0) } = options
  const callers: Caller[] = []
  const sockets = new Set<Duplex>()
  const server = createServer((_request, response) => response.writeHead(404).end())
  server.on('upgrade', (request, socket: Duplex) => {
    let isClosed = false
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    // Node's server leaves its half open; whoever has closed the other half hears nothing more.
    socket.once('end', () => socket.destroy())
    socket.once('close', () => {
      isClosed = true
      sockets.delete(socket)
    })
    const accept = hash('sha1', `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64')
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`]
    const frames: Caller['frames'] = []
    socket.on('data', (bytes: Buffer) => frames.push(...clientFrames(bytes)))
    callers.push({
      path: request.url ?? '',
      headers: request.headers,
      frames,
      raw: (bytes) => void socket.write(bytes),
      text: (text) => void socket.write(serverFrame(text)),
      cut: () => void socket.destroy(),
      isClosed: () => isClosed,
    })
    socket.write(Buffer.concat([Buffer.from(`${greeting(lines).join('\r\n')}\r\n\r\n`), along]))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  t.teardown(stop)
  return { callers, stop, port: (server.address() as AddressInfo).port }
}

/** Reads the short frames of a client, each whole in what came. */
function clientFrames(bytes: Buffer): Caller['frames'] {
  const frames: Caller['frames'] = []
  for (let at = 0; at + 2 <= bytes.length; ) {
    const [first = 0, second = 0] = bytes.subarray(at)
    const long = (second & 0x7f) === 126
    const length = long ? bytes.readUInt16BE(at + 2) : second & 0x7f
    const start = at + (long ? 4 : 2)
    const mask = bytes.subarray(start, start + 4)
    const text = Buffer.from(bytes.subarray(start + 4, start + 4 + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0))).toString()
    frames.push({ opcode: first & 0x0f, text, isMasked: (second & 0x80) !== 0 })
    at = start + 4 + length
  }
  return frames
}
