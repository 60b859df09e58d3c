import { randomBytes } from 'node:crypto'
import { Failure } from './failure.ts'

/** Kinds of frames. @see https://www.rfc-editor.org/rfc/rfc6455#section-5.2 (read 2026-11-30) */
export const OPCODES = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const

/** Most bytes of a ping, a pong and a close. @see https://www.rfc-editor.org/rfc/rfc6455#section-5.5 (read 2026-11-30) */
const MOST_OF_CONTROL = 125

/** Most frames of one message: nodes send each in one, and a proxy may cut 16 MiB into pieces of a KiB. */
const MOST_FRAMES = 16_384

/** Makes a whole frame as a client sends it: masked. */
export function frameOf(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const head = length <= 125 ? Buffer.alloc(2) : length <= 0xffff ? Buffer.alloc(4) : Buffer.alloc(10)
  head[0] = 0x80 | opcode
  head[1] = 0x80 | (length <= 125 ? length : length <= 0xffff ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  const mask = randomBytes(4)
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))])
}

/** Receivers of what a server sends. */
interface Receivers {
  text(message: string): void
  ping(payload: Uint8Array): void
  close(): void
}

interface Head {
  readonly opcode: number
  readonly isLast: boolean
  readonly length: number
}

/**
 * Makes the reader of the frames of a server, which takes bytes as they come.
 *
 * @param mostBytes of a message, in whatever number of frames
 * @throws {Failure} `too large`, or `malformed` for what no server sends, also by what `text` throws
 */
export function createFrameReader(mostBytes: number, { text, ping, close }: Receivers): (bytes: Uint8Array) => void {
  const input = createBytes()
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let head: Head | null = null
  let parts: Uint8Array[] | null = null
  let size = 0

  function takePayload({ opcode, isLast }: Head, payload: Uint8Array): void {
    if (opcode === OPCODES.ping) ping(payload)
    if (opcode === OPCODES.close) close()
    if (opcode >= OPCODES.close) return
    parts ??= []
    if (parts.push(payload) > MOST_FRAMES) throw new Failure('malformed')
    size += payload.length
    if (!isLast) return
    const message = Buffer.concat(parts)
    parts = null
    size = 0
    text(decoded(message))
  }

  function decoded(message: Uint8Array): string {
    try {
      return utf8.decode(message)
    } catch {
      throw new Failure('malformed')
    }
  }

  function checkHead({ opcode, isLast, length }: Head): void {
    const isControl = opcode >= OPCODES.close
    const fits = isControl ? isLast && length <= MOST_OF_CONTROL : (opcode === OPCODES.text) === (parts === null)
    if (!fits || !(Object.values(OPCODES) as readonly number[]).includes(opcode)) throw new Failure('malformed')
    if (size + length > mostBytes) throw new Failure('too large')
  }

  return (bytes) => {
    input.add(bytes)
    for (;;) {
      if (head === null) {
        head = headIn(input)
        if (head === null) return
        checkHead(head)
      }
      if (input.size() < head.length) return
      const frame = head
      head = null
      takePayload(frame, input.take(frame.length))
    }
  }
}

type Bytes = ReturnType<typeof createBytes>

/** Takes the head of a frame; null: it is not whole yet. @throws {Failure} malformed */
function headIn(input: Bytes): Head | null {
  if (input.size() < 2) return null
  const [first = 0, second = 0] = input.peek(2)
  // A server masks nothing, and no extension was agreed on.
  if ((first & 0x70) !== 0 || (second & 0x80) !== 0) throw new Failure('malformed')
  const short = second & 0x7f
  const further = short === 126 ? 2 : short === 127 ? 8 : 0
  if (input.size() < 2 + further) return null
  const head = Buffer.from(input.take(2 + further))
  const length = further === 0 ? short : further === 2 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2))
  return { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, length }
}

/** Makes a queue of bytes, which joins chunks only when they are taken. */
function createBytes() {
  let chunks: Uint8Array[] = []
  let size = 0
  const join = () => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks, size)]
    return chunks[0] ?? new Uint8Array()
  }
  return {
    size: () => size,
    add(bytes: Uint8Array) {
      if (bytes.length > 0) chunks.push(bytes)
      size += bytes.length
    },
    /** Returns the first bytes, and leaves them. */
    peek: (count: number) => join().subarray(0, count),
    take(count: number): Uint8Array {
      const all = join()
      chunks = all.length > count ? [all.subarray(count)] : []
      size -= count
      return all.subarray(0, count)
    },
  }
}
