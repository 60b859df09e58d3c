import type { Interference } from '@svc/conformance'

/** What reads and writes a message of the node; those of the library do. */
interface Codec<T> {
  fromBinary(bytes: Uint8Array): T
  toBinary(message: T): Uint8Array
}

/** A gRPC-web frame: a flag, the length, the message. */
const HEADER = 5
const TRAILERS = 0x80

/** Changes the honest answers of one method of the node. */
export function altered<T>(method: string, codec: Codec<T>, change: (message: T) => void): Interference {
  return alteredStream(method, codec, (messages) => {
    for (const message of messages) change(message)
    return messages
  })
}

/** The same for a method that answers by a stream. @param change of all of its messages */
export function alteredStream<T>(method: string, codec: Codec<T>, change: (messages: T[], body: string) => readonly T[]): Interference {
  return (call, pass) => {
    if (!call.url.endsWith(`/${method}`)) return null
    return pass().then(async (response) => {
      const answer = Buffer.from(await response.arrayBuffer())
      const messages: T[] = []
      let at = 0
      for (; at < answer.length && answer[at] !== TRAILERS; at += HEADER + answer.readUInt32BE(at + 1))
        messages.push(codec.fromBinary(answer.subarray(at + HEADER, at + HEADER + answer.readUInt32BE(at + 1))))
      const written = change(messages, call.body).map((message) => framed(codec.toBinary(message)))
      return new Response(Buffer.concat([...written, answer.subarray(at)]), {
        status: response.status,
        headers: { 'content-type': response.headers.get('content-type') ?? '' },
      })
    })
  }
}

function framed(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(HEADER)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}
