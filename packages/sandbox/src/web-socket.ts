import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** An open WebSocket, as its server sees it. */
export interface ServerSocket {
  send(text: string): void
  /** Breaks the connection off, as a server that dies does. */
  destroy(): void
}

/** Text by which a server shows that it speaks the protocol. @see https://www.rfc-editor.org/rfc/rfc6455#section-1.3 (read 2026-11-30) */
const protocolId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Kinds of frames. @see https://www.rfc-editor.org/rfc/rfc6455#section-5.2 (read 2026-11-30) */
const opcode = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const
const final = 0x80
const masked = 0x80

/**
 * Takes a connection over for which a server of HTTP got an upgrade to a WebSocket, for texts alone. A client that sends anything else, or more than it may, is broken off.
 *
 * @param head bytes that came with the request already
 * @param options.mostBytes of one text of the client
 * @param options.text gets each text of the client
 * @param options.closed runs once, when the connection has ended
 * @returns undefined for a request that is none: it is answered with 400
 */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  options: { readonly mostBytes: number; text(text: string): void; closed(): void },
): ServerSocket | undefined {
  const { upgrade = '', 'sec-websocket-key': key, 'sec-websocket-version': version } = request.headers
  socket.on('error', () => socket.destroy())
  if (upgrade.toLowerCase() !== 'websocket' || key === undefined || version !== '13') {
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    return undefined
  }
  const accept = createHash('sha1').update(`${key}${protocolId}`).digest('base64')
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`)
  const reader = new FrameReader(options.mostBytes)
  const take = (bytes: Buffer) => {
    reader.add(bytes)
    for (let message = reader.next(); message !== undefined; message = reader.next()) {
      if (message === 'broken') return void socket.destroy()
      if (message.kind === opcode.ping) socket.write(frameOf(opcode.pong, message.data))
      if (message.kind === opcode.close) return void socket.end(frameOf(opcode.close, message.data))
      if (message.kind === opcode.text) options.text(message.data.toString())
    }
  }
  socket.once('close', () => options.closed())
  if (head.length > 0) socket.unshift(head)
  socket.on('data', take)
  return {
    send: (text) => void (socket.writable && socket.write(frameOf(opcode.text, Buffer.from(text)))),
    destroy: () => void socket.destroy(),
  }
}

/** Writes a frame of a server, whole and not masked. */
function frameOf(kind: number, data: Buffer): Buffer {
  const head = Buffer.alloc(data.length < 126 ? 2 : data.length < 65_536 ? 4 : 10)
  head[0] = final | kind
  head[1] = head.length === 2 ? data.length : head.length === 4 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(data.length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(data.length), 2)
  return Buffer.concat([head, data])
}

interface Message {
  readonly kind: number
  readonly data: Buffer
}

/** Puts the frames of a client together to messages. */
class FrameReader {
  readonly #mostBytes: number
  #bytes: Buffer = Buffer.alloc(0)
  #parts: Buffer[] = []

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  add(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
  }

  /** @returns the next whole message; undefined until there is one; `broken` for what no client sends, or may not */
  next(): Message | 'broken' | undefined {
    for (;;) {
      const frame = this.#frame()
      if (frame === undefined || frame === 'broken') return frame
      const { kind, isFinal, data } = frame
      if (kind >= opcode.close) return { kind, data }
      if (kind !== (this.#parts.length === 0 ? opcode.text : opcode.continuation)) return 'broken'
      this.#parts.push(data)
      if (this.#parts.reduce((sum, { length }) => sum + length, 0) > this.#mostBytes) return 'broken'
      if (!isFinal) continue
      const whole = Buffer.concat(this.#parts)
      this.#parts = []
      return { kind: opcode.text, data: whole }
    }
  }

  #frame(): (Message & { readonly isFinal: boolean }) | 'broken' | undefined {
    const [first, second] = this.#bytes
    if (first === undefined || second === undefined) return undefined
    // A client masks all that it sends.
    if ((second & masked) === 0) return 'broken'
    const short = second & ~masked
    const extended = short === 126 ? 2 : short === 127 ? 8 : 0
    const begin = 2 + extended + 4
    if (this.#bytes.length < begin) return undefined
    const length = extended === 0 ? short : extended === 2 ? this.#bytes.readUInt16BE(2) : Number(this.#bytes.readBigUInt64BE(2))
    if (length > this.#mostBytes) return 'broken'
    if (this.#bytes.length < begin + length) return undefined
    const mask = this.#bytes.subarray(begin - 4, begin)
    const data = Buffer.from(this.#bytes.subarray(begin, begin + length))
    for (const [index, byte] of data.entries()) data[index] = byte ^ (mask[index % 4] ?? 0)
    this.#bytes = this.#bytes.subarray(begin + length)
    return { kind: first & 0x0f, isFinal: (first & final) !== 0, data }
  }
}
