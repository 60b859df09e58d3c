/** Answer of a node. */
interface GrpcAnswer {
  /** Status of gRPC: 0 for an answer. */
  readonly status: number
  /** Words of the node where it refused. */
  readonly words: string
  readonly message: Uint8Array | null
}

/** Bytes before a message: a flag, and its length. */
const HEADER = 5
const DATA = 0
const TRAILERS = 0x80

/** Makes one gRPC-web call directly to a node. @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md (read 2026-11-22) */
export async function ask(url: string, method: string, request: Uint8Array): Promise<GrpcAnswer> {
  const response = await fetch(`${url.replace(/\/$/, '')}/sui.rpc.v2.${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1' },
    body: framed(request),
  })
  const answer = Buffer.from(await response.arrayBuffer())
  let message: Uint8Array | null = null
  let trailers = ''
  for (let at = 0; at + HEADER <= answer.length; ) {
    const end = at + HEADER + answer.readUInt32BE(at + 1)
    const payload = answer.subarray(at + HEADER, end)
    if (answer[at] === DATA) message = payload
    else trailers = payload.toString('latin1')
    at = end
  }
  const status = /^grpc-status: *(\d+)/im.exec(trailers)?.[1]
  const words = /^grpc-message: *(.*)$/im.exec(trailers)?.[1] ?? ''
  return { status: status === undefined ? 2 : Number(status), words: decodeURIComponent(words.trim()), message }
}

/** A message as the body of a request. */
function framed(message: Uint8Array, flag = DATA): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(HEADER)
  head.writeUInt8(flag)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

/** Writes a message as the body of an answer, with its trailers. */
export function answered(message: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.concat([framed(message), framed(Buffer.from('grpc-status: 0\r\n'), TRAILERS)])
}
