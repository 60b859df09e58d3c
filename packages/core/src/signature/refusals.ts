import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { membersOf } from '@svc/contract'
import type { ErrorBody } from '@svc/contract/host'
import type { FastifyError, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { writeError } from '../base/error-text.ts'
import { present } from '../base/present.ts'
import { type Binding, digestOf, type RequestParts } from './message.ts'
import type { Signer } from './signer.ts'

/** Bytes and the headers that belong to them, for a reply that no hook sees. */
interface SignedBody {
  /** Body to be written after the headers: nothing in answer to HEAD. */
  readonly body: Buffer
  readonly headers: Binding &
    Readonly<
      Record<
        'content-type' | 'content-length' | 'x-signature' | 'x-signature-key' | 'x-request-id' | 'cache-control' | 'x-content-type-options',
        string
      >
    >
}

/**
 * Signs a refusal that passes no hook, on the main thread.
 *
 * @param request the request; without one, where none could be read, only the answer itself is signed, and `isHead` says whether its method is known to be HEAD
 */
export function signRaw(
  signer: Signer,
  refusal: ErrorBody,
  request: RequestParts | undefined,
  isHead = request?.method === 'HEAD',
): SignedBody {
  const { contentType, text } = writeError(refusal, acceptOf(request))
  const bytes = Buffer.from(text)
  const body = isHead ? NOTHING : bytes
  const digest = digestOf(body)
  const headers = {
    'content-type': contentType,
    'content-length': String(bytes.length),
    ...signer.bindSync({ status: refusal.statusCode, contentType, digest }, request),
    'x-signature': signer.signSync(body, digest),
    'x-signature-key': signer.keyId,
    'x-request-id': randomUUID(),
    'cache-control': 'no-store, no-transform',
    'x-content-type-options': 'nosniff',
  }
  return { body, headers }
}

/**
 * Makes the options of `Fastify()` without which some replies would leave unsigned. Spread them into the options, and register `signatures`, which answers the requests
 * that they let through.
 *
 * - `frameworkErrors`, `clientErrorHandler`: requests that are refused before any hook runs.
 * - `http.requireHostHeader`: Node answers a missing Host by itself, with an empty unsigned reply.
 * - `return503OnClosing`: Fastify would refuse, unsigned, the requests that still arrive while it closes; they are served instead.
 */
export function signedServerOptions(signer: Signer): SignedServerOptions {
  return {
    frameworkErrors: frameworkErrorHandler(signer),
    clientErrorHandler: clientErrorHandler(signer),
    http: { requireHostHeader: false },
    return503OnClosing: false,
  }
}

interface SignedServerOptions {
  readonly frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => Promise<void>
  readonly clientErrorHandler: NonNullable<FastifyServerOptions['clientErrorHandler']>
  readonly http: { requireHostHeader: false }
  readonly return503OnClosing: false
}

/** Makes Fastify's `frameworkErrors`, which answers refusals made while routing, where no hook runs. */
function frameworkErrorHandler(signer: Signer): SignedServerOptions['frameworkErrors'] {
  return async (error, request, reply) => {
    const refusal = FRAMEWORK[error.code] ?? (isRefusal(error) ? UNKNOWN : INTERNAL)
    if (refusal === INTERNAL) request.log.error({ err: error }, 'refused while routing')
    const { headers } = signRaw(signer, refusal, request.raw)
    // A HEAD is answered with the length that a GET's body would have.
    reply
      .code(refusal.statusCode)
      .headers({ ...headers, 'x-request-id': request.id })
      .send(writeError(refusal, request.raw.headers.accept).text)
  }
}

/** Makes Fastify's `clientErrorHandler`, for bytes on a socket that are not a request. It answers once, then closes the socket. */
function clientErrorHandler(signer: Signer): SignedServerOptions['clientErrorHandler'] {
  return (error, socket) => {
    const refusal = SOCKET[error.code] ?? MALFORMED
    if (error.code !== 'ECONNRESET' && untouched(socket)) {
      const request = requestOf(socket)
      const { body, headers } = signRaw(signer, refusal, request, request ? request.method === 'HEAD' : beginsWithHead(error))
      socket.write(onTheWire(refusal, headers, body))
    }
    socket.destroy(error)
  }
}

/** Makes a handler for Node's event `connect`, which signs the refusal of a CONNECT request. Without a handler, Node closes the connection silently. */
export function connectHandler(signer: Signer): (request: IncomingMessage, socket: Duplex) => void {
  return (request, socket) => {
    // Whoever leaves meanwhile is no fault of the service.
    socket.on('error', () => socket.destroy())
    const { body, headers } = signRaw(signer, NO_TUNNEL, request)
    socket.end(onTheWire(NO_TUNNEL, headers, body))
  }
}

/** Writes an answer as its bytes, after which the connection is closed. */
function onTheWire({ statusCode, message }: ErrorBody, headers: SignedBody['headers'], body: Buffer): Buffer {
  const lines = Object.entries({ connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${statusCode} ${message}\r\n${lines.join('')}\r\n`), body])
}

/** Makes a handler for Node's event `checkExpectation`, which signs the refusal of an `Expect` header other than `100-continue`; Node would refuse it without a body. */
export function expectationHandler(signer: Signer): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const { body, headers } = signRaw(signer, EXPECTATION, request)
    response.writeHead(EXPECTATION.statusCode, headers).end(body)
  }
}

const NOTHING = Buffer.alloc(0)

// These sentences show no value. They are reached before any limit, and x-signature of a fixed text is made once and then remembered, so
// that a flood of such requests costs no RSA.
const UNKNOWN = body(400, 'REQUEST_REFUSED', 'The request cannot be routed: its path or its headers are not what HTTP allows.')
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
const NO_TUNNEL = body(400, 'REQUEST_REFUSED', 'CONNECT asks for a tunnel; this service is no proxy.')
const EXPECTATION = body(417, 'EXPECTATION_UNKNOWN', 'The Expect header asks for something unknown; only 100-continue is understood.')

function body(statusCode: number, code: string, error: string): ErrorBody {
  return { statusCode, message: present(STATUS_CODES[statusCode], `a name of status ${statusCode}`), error, code }
}

/** Tells whether an error of the framework blames the request, rather than reporting a failure. */
export function isRefusal({ code, statusCode }: { readonly code?: unknown; readonly statusCode?: unknown }): boolean {
  return String(code).startsWith('FST_') && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
}

function acceptOf(request: RequestParts | undefined): string | undefined {
  const accept = request?.headers.accept
  return typeof accept === 'string' ? accept : undefined
}

/** Returns the request that a socket is being answered: one whose headers were read, if not its body. */
function requestOf({ _httpMessage }: Answering): IncomingMessage | undefined {
  return _httpMessage?.req
}

/** Tells whether the bytes that could not be read begin as a HEAD does. */
function beginsWithHead(error: Error): boolean {
  const { rawPacket } = membersOf(error)
  return Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD '
}

/** A socket with the reply that is written to it now. */
type Answering = Socket & { readonly _httpMessage?: { readonly headersSent?: boolean; readonly req?: IncomingMessage } | null }

/**
 * Tells whether nothing was written to a socket yet. Writing into a reply that has begun would corrupt it; Node keeps the one under way on the socket and looks there
 * itself.
 */
function untouched(socket: Answering): boolean {
  return socket.writable && socket._httpMessage?.headersSent !== true
}
