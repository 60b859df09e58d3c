import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody } from '@svc/contract'
import type { FastifyError, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import type { Signer } from './signer.ts'

/** Bytes and the headers that belong to them, for a reply that no hook sees. */
export interface SignedBody {
  readonly body: Buffer
  readonly headers: { readonly 'content-length': number; readonly 'x-signature': string }
}

/** Signs a body for a reply that is written by hand: a hijacked one, or one to a socket. On the main thread. */
export function signRaw(signer: Signer, body: string | Buffer): SignedBody {
  const bytes = Buffer.from(body)
  return { body: bytes, headers: { 'content-length': bytes.length, 'x-signature': signer.signSync(bytes) } }
}

/**
 * The options of `Fastify()` without which some replies would leave unsigned. Spread them into the options, and register
 * `signatures`, which answers what they let through.
 *
 * - `frameworkErrors`, `clientErrorHandler`: requests that are refused before any hook runs.
 * - `http.requireHostHeader`: Node answers a missing Host by itself, with an empty unsigned reply.
 * - `return503OnClosing`: Fastify would refuse by itself, unsigned, what still arrives while it closes; it is served instead.
 */
export function signedServerOptions(signer: Signer): SignedServerOptions {
  return {
    frameworkErrors: frameworkErrorHandler(signer),
    clientErrorHandler: clientErrorHandler(signer),
    http: { requireHostHeader: false },
    return503OnClosing: false,
  }
}

export interface SignedServerOptions {
  readonly frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => Promise<void>
  readonly clientErrorHandler: NonNullable<FastifyServerOptions['clientErrorHandler']>
  readonly http: { requireHostHeader: false }
  readonly return503OnClosing: false
}

/** Fastify's `frameworkErrors`: refusals made while routing, which run no hook. */
export function frameworkErrorHandler(signer: Signer): SignedServerOptions['frameworkErrors'] {
  return async (error, request, reply) => {
    const known = FRAMEWORK[error.code] ?? INTERNAL
    if (known === INTERNAL) request.log.error({ err: error }, 'refused while routing')
    const text = JSON.stringify(known)
    const signature = await signer.sign(request.method === 'HEAD' ? '' : text)
    reply.code(known.statusCode).type(JSON_TYPE).headers({ 'x-signature': signature, 'x-request-id': request.id }).send(text)
  }
}

/** Fastify's `clientErrorHandler`: bytes on a socket that are no request. Answers once, then closes the socket. */
export function clientErrorHandler(signer: Signer): SignedServerOptions['clientErrorHandler'] {
  return (error, socket) => {
    const known = SOCKET[error.code] ?? MALFORMED
    if (error.code !== 'ECONNRESET' && untouched(socket)) {
      const { body, headers } = signRaw(signer, JSON.stringify(known))
      const lines = Object.entries({ connection: 'close', 'content-type': JSON_TYPE, ...headers, 'x-request-id': randomUUID() })
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${known.statusCode} ${known.message}\r\n${head}\r\n`), body]))
    }
    socket.destroy(error)
  }
}

/** Node's `checkExpectation`: an `Expect` header other than `100-continue`, which Node would refuse without a body. */
export function expectationHandler(signer: Signer): (request: IncomingMessage, response: ServerResponse) => void {
  return (_request, response) => {
    const { body, headers } = signRaw(signer, JSON.stringify(EXPECTATION))
    response.writeHead(EXPECTATION.statusCode, { ...headers, 'content-type': JSON_TYPE, 'x-request-id': randomUUID() }).end(body)
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

// These sentences show no value. They are reached before any limit, and a fixed text is signed once and then remembered, so that
// a flood of such requests costs no RSA.
const INTERNAL = body(500, 'INTERNAL_ERROR', 'The request could not be routed; this is a fault of the service.')
const FRAMEWORK: Readonly<Record<string, ErrorBody>> = {
  FST_ERR_BAD_URL: body(400, 'URL_INVALID', 'The path is not valid percent-encoding; write a literal percent sign as %25.'),
  FST_ERR_MAX_PARAM_LENGTH: body(414, 'URL_TOO_LONG', 'A part of the path is longer than any address or id.'),
}

const MALFORMED = body(400, 'REQUEST_MALFORMED', 'The bytes received are not an HTTP/1.1 request.')
const SOCKET: Readonly<Record<string, ErrorBody>> = {
  ERR_HTTP_REQUEST_TIMEOUT: body(408, 'REQUEST_TIMEOUT', 'The request was not received whole in time.'),
  HPE_HEADER_OVERFLOW: body(431, 'HEADERS_TOO_LARGE', 'The headers are larger than the service accepts.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: body(413, 'BODY_TOO_LARGE', 'The chunk extensions are larger than the service accepts.'),
}
const EXPECTATION = body(417, 'EXPECTATION_UNKNOWN', 'The Expect header asks for something unknown; only 100-continue is understood.')

function body(statusCode: number, code: string, error: string): ErrorBody {
  return { statusCode, message: STATUS_CODES[statusCode]!, error, code }
}

/** Writing into a reply that has begun would corrupt it; Node keeps the one under way on the socket and looks there itself. */
function untouched(socket: Socket & { _httpMessage?: { headersSent?: boolean } | null }): boolean {
  return socket.writable && socket._httpMessage?.headersSent !== true
}
