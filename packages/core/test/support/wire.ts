import { createVerify } from 'node:crypto'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

/** A reply as it came over a socket. */
export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Listens on a port of its own, and connects as many sockets as are asked for; all of them end with the test. */
export async function listening(t: Test, app: FastifyInstance): Promise<() => Socket> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    t.teardown(() => socket.destroy())
    return socket
  }
}

export const get = (path: string, headers = '', method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: svc\r\n${headers}\r\n`

/** Writes bytes and reads what comes back until the connection closes, or as many replies as are wanted came. */
export async function exchange(socket: Socket, bytes: string, wanted = Number.POSITIVE_INFINITY, method = 'GET'): Promise<WireReply[]> {
  const replies: WireReply[] = []
  let rest = Buffer.alloc(0)
  const done = Promise.withResolvers<void>()
  const read = (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
      const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      )
      const status = Number(first.split(' ')[1])
      const length = method === 'HEAD' || status === 304 ? 0 : Number(headers['content-length'] ?? 0)
      if (rest.length < end + 4 + length) return
      replies.push({ status, headers, body: Buffer.from(rest.subarray(end + 4, end + 4 + length)) })
      rest = rest.subarray(end + 4 + length)
    }
    if (replies.length >= wanted) done.resolve()
  }
  socket.on('data', read)
  socket.once('close', () => done.resolve())
  socket.write(bytes)
  await done.promise
  socket.off('data', read)
  return replies
}

/** Whether `x-signature` fits the bytes that came. */
export function isSigned({ body, headers }: WireReply, publicKeyPem: string): boolean {
  return createVerify('RSA-SHA256')
    .update(body)
    .verify(publicKeyPem, headers['x-signature'] ?? '', 'base64')
}
