import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { SandboxError } from './error.ts'

/** The only address anything here listens on. */
export const loopback = '127.0.0.1'

/**
 * Starts a server on the loopback address.
 *
 * @param port 0 for any free one
 * @returns its URL, without a slash at the end
 * @throws SandboxError `PORT_BUSY`, `INVALID_INPUT`
 */
export async function listen(server: Server, port: number, purpose: string): Promise<string> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SandboxError('INVALID_INPUT', `port ${port} for ${purpose}: it must be an integer from 0 to 65535, 0 for any free one`)
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') {
        const message = `port ${port}, wanted for ${purpose}, is in use: end the program that listens there, or choose another port`
        return reject(new SandboxError('PORT_BUSY', message, { cause }))
      }
      reject(new SandboxError('INVALID_INPUT', `cannot listen on port ${port} for ${purpose}: ${cause.message}`, { cause }))
    })
    server.listen(port, loopback, resolve)
  })
  // Nothing here is short of connections. One that is closed for its idleness may be closed in the moment in which a client, which was held up, writes to it.
  server.keepAliveTimeout = 0
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('a server of HTTP listens on a port')
  return `http://${loopback}:${address.port}`
}

/** Ends a server at once, together with its open connections. */
export async function shut(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

/** Answers with a JSON body. */
export function sendJson(response: ServerResponse, statusCode: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body)
  response.writeHead(statusCode, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers }).end(text)
}

/** Reads the whole body as text; undefined as soon as it is longer than `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Tells whether a Host or Origin header names this machine. A name that merely resolves to this machine (DNS rebinding) does not. */
export function namesLoopback(header: string | undefined): boolean {
  return header !== undefined && /^(https?:\/\/)?(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(header)
}
