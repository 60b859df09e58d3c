/** What a node answered. */
export interface GrpcAnswer {
  /** Of gRPC: 0 for an answer. */
  readonly status: number
  /** Its words where it refused. */
  readonly words: string
  readonly message: Uint8Array | null
}

const HEADER = 5
const DATA = 0

/** One call straight to a node, as gRPC-web. @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md (read 2026-11-22) */
export async function ask(url: string, method: string, request: Uint8Array): Promise<GrpcAnswer> {
  const head = Buffer.alloc(HEADER)
  head.writeUInt32BE(request.length, 1)
  const response = await fetch(`${url.replace(/\/$/, '')}/sui.rpc.v2.${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1' },
    body: Buffer.concat([head, request]),
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
