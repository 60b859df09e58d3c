import type { Interference } from '@svc/conformance'

/** What reads and writes a message of the node; those of the library do. */
interface Codec<T> {
  fromBinary(bytes: Uint8Array): T
  toBinary(message: T): Uint8Array
}

/** Changes the honest answers of one method of the node. */
export function altered<T>(method: string, codec: Codec<T>, change: (message: T) => void): Interference {
  return (call, pass) => {
    if (!call.url.endsWith(`/${method}`)) return null
    return pass().then(async (response) => {
      const answer = Buffer.from(await response.arrayBuffer())
      // A gRPC-web frame: a flag, the length, the message; the frame of trailers follows.
      const end = 5 + answer.readUInt32BE(1)
      const message = codec.fromBinary(answer.subarray(5, end))
      change(message)
      const bytes = codec.toBinary(message)
      const head = Buffer.alloc(5)
      head.writeUInt32BE(bytes.length, 1)
      return new Response(Buffer.concat([head, bytes, answer.subarray(end)]), {
        status: response.status,
        headers: { 'content-type': response.headers.get('content-type') ?? '' },
      })
    })
  }
}
