import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, onSendAsyncHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { badRequest, serviceError } from '../base/codes.ts'
import { digestOf, EMPTY_DIGEST } from './message.ts'
import { connectHandler, expectationHandler } from './refusals.ts'
import { checkDigests } from './request-digest.ts'
import type { Signer } from './signer.ts'

interface SignatureOptions {
  readonly signer: Signer
  /** Most bytes of a streamed reply, which has to be held to be signed. @default 16 MiB */
  readonly streamBytes?: number
  /**
   * Judges each body as the last thing before it is signed. @returns a body to be sent in its place, once status and headers of the reply
   * suit that; null: the body as it is. @default all are sent as they are
   */
  readonly replaced?: (request: FastifyRequest, reply: FastifyReply, body: unknown) => string | null
  /** Tells whether a request is let in at all, for requests that Node hands to nobody else. @default all are */
  readonly admit?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** Bytes that never change, and what `x-signature` of them is over. */
const fixedBodies = new WeakMap<Buffer, Buffer>()

/**
 * Marks bytes that never change, such as a file: they are hashed and signed once for as long as they live, and every response carries these same bytes, not a copy.
 *
 * @param plain the uncompressed form of a compressed body: `x-signature` is over that, since a caller's library hands out nothing else. `content-digest` is of the bytes as
 *   they are
 *   sent, as RFC 9530 has it. @see https://www.rfc-editor.org/rfc/rfc9530#section-2 (read 2026-11-22)
 */
export function fixed(body: Buffer, plain: Buffer = body): Buffer {
  fixedBodies.set(body, plain)
  return body
}

/**
 * Signs every response: `content-digest`, and `signature-input` and `signature`, which bind it to its request (RFC 9421, see `message.ts`); and
 * `x-signature`, the older form, with the thumbprint of its key as `x-signature-key`. All are over the exact bytes of the body, or over the empty string when none is
 * sent (HEAD, 204, 304); of a file that is sent compressed, `x-signature` is over the bytes before that. Streams are gathered first. Nobody on the way may change what is signed: `no-transform`.
 *
 * Register it on the root, before any route and scope. On a route it signs as the last of the route's `onSend` hooks, after every
 * `onSend` hook of every scope around it; only an `onSend` hook that an `onRoute` hook added later puts onto the route itself would
 * run after it. For a 404 it runs in the root's order of registration: a hook that changes a 404's body has to be registered before.
 *
 * With `signedServerOptions` it also answers a missing Host header (400) and unknown expectations (417), which Node would answer
 * unsigned. What a request brings for the signature is checked: `x-nonce` (400 `NONCE_INVALID`), `content-digest` (400 `DIGEST_MISMATCH`).
 */
export const signatures: FastifyPluginAsync<SignatureOptions> = fp(
  async (app: FastifyInstance, { signer, streamBytes = 16 * 1024 * 1024, admit = () => true, replaced = () => null }: SignatureOptions) => {
    const cache = new WeakMap<Buffer, BodySignature>()
    const signatureOf = (body: string | Buffer): BodySignature => {
      const remembered = typeof body === 'string' ? undefined : cache.get(body)
      if (remembered) return remembered
      const digest = digestOf(body)
      const plain = typeof body === 'string' ? undefined : fixedBodies.get(body)
      const entry = { digest, signature: plain === undefined || plain === body ? signer.sign(body, digest) : signer.sign(plain) }
      if (typeof body === 'string' || plain === undefined) return entry
      cache.set(body, entry)
      entry.signature.catch(() => cache.delete(body))
      return entry
    }
    const signed: onSendAsyncHookHandler<unknown> = async (request, reply, arrived) => {
      // A HEAD sends no body, and comes here again when Fastify has taken it away.
      const payload = request.method === 'HEAD' ? arrived : (replaced(request, reply, arrived) ?? arrived)
      const bare = request.method === 'HEAD' || !hasBody(reply.statusCode)
      // Without a body, Fastify's own handling measures the one that a GET would have, and knows no `Response`.
      const bytes = bare && !(payload instanceof Response) ? payload : await gather(payload, reply, streamBytes)
      // Such an answer has none, and Fastify would take it away afterwards.
      if (reply.statusCode === 204) reply.removeHeader('content-type')
      const { digest, signature } = bare ? { digest: EMPTY_DIGEST, signature: signer.sign('', EMPTY_DIGEST) } : signatureOf(asBody(bytes))
      const contentType = reply.getHeader('content-type')
      const answer = { status: reply.statusCode, digest, contentType: contentType === undefined ? undefined : String(contentType) }
      // As it was asked for, whatever it was routed as.
      const question = { method: request.raw.method, url: request.originalUrl, headers: request.raw.headers }
      const [own, binding] = await Promise.all([signature, signer.bind(answer, question)])
      // Whoever else answers this request may have changed the reply meanwhile: what leaves is what was signed, or is judged and signed anew.
      const other = request.method === 'HEAD' ? null : replaced(request, reply, payload)
      if (other !== null || reply.statusCode !== answer.status) return signed.call(app, request, reply, other ?? bytes)
      reply.headers({ ...binding, 'x-signature': own, 'x-signature-key': signer.keyId, 'x-content-type-options': 'nosniff' })
      reply.header('cache-control', untransformed(reply.getHeader('cache-control')))
      return bare && payload instanceof Response ? (bytes ?? '') : bytes
    }

    // A HEAD is signed here too, before Fastify's own handling of it looks at the payload.
    app.addHook('onSend', async (request, reply, payload) =>
      request.method !== 'HEAD' && signsLast in request.routeOptions.config ? payload : signed.call(app, request, reply, payload),
    )
    app.addHook('onRoute', (route: RouteOptions) => {
      route.onSend = [route.onSend ?? [], signed].flat() as onSendAsyncHookHandler<unknown>[]
      route.config = { ...route.config, [signsLast]: true }
    })
    refuseEarly(app)
    checkDigests(app)
    app.server.on('connect', connectHandler(signer))
    const unexpected = expectationHandler(signer)
    app.server.on('checkExpectation', (request, response) => {
      if (admit(request, response)) unexpected(request, response)
    })
  },
  { fastify: '5.x', name: '@svc/signatures' },
)

/** A body's digest, and what `x-signature` says of it. */
interface BodySignature {
  readonly digest: string
  readonly signature: Promise<string>
}

const signsLast: unique symbol = Symbol('signs last')

declare module 'fastify' {
  interface FastifyContextConfig {
    [signsLast]?: true
  }
}

/** Statuses that carry no body, whatever the handler sent. @see https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1 (read 2026-11-21) */
function hasBody(statusCode: number): boolean {
  return statusCode >= 200 && statusCode !== 204 && statusCode !== 304
}

/** Returns a route's answer as a body, where the answer is sent: `gather` lets nothing else through. */
function asBody(payload: unknown): string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : ''
}

/** Adds to what caches are told that nobody may change the body, as a compressing proxy would. @see https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.6 (read 2026-11-22) */
function untransformed(header: unknown): string {
  const directives = header === undefined ? '' : String(header)
  return directives.includes('no-transform') ? directives : [directives, 'no-transform'].filter(Boolean).join(', ')
}

/** Gathers the whole body that is about to be sent. A `Response` brings its own status and headers, as when Fastify sends it. */
async function gather(payload: unknown, reply: FastifyReply, most: number): Promise<string | Buffer | null | undefined> {
  if (payload === undefined || payload === null || typeof payload === 'string' || Buffer.isBuffer(payload)) return payload
  if (payload instanceof Response) {
    reply.code(payload.status).headers(Object.fromEntries(payload.headers))
    return payload.body === null ? null : gather(payload.body, reply, most)
  }
  if (payload instanceof ReadableStream) return collect(Readable.fromWeb(payload), most)
  if (isStream(payload)) return collect(payload, most)
  throw serviceError(
    500,
    'RESPONSE_UNSIGNABLE',
    `A response of type ${typeof payload} cannot be signed; send a string, a Buffer or a stream.`,
  )
}

function isStream(payload: unknown): payload is Readable {
  return typeof payload === 'object' && payload !== null && Symbol.asyncIterator in payload
}

async function collect(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    size += bytes.length
    if (size > most)
      throw serviceError(500, 'RESPONSE_TOO_LARGE', `A streamed response is larger than the ${most} bytes that can be signed.`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks, size)
}

/** Nonce that a caller sends to know an answer from an older one to the same request: the nonce is not kept, only signed. */
const NONCE = /^[\w-]{16,128}$/

/** Refuses here, where `onSend` signs, what Node was told not to refuse itself. */
function refuseEarly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      reply.header('connection', 'close')
      throw badRequest('HOST_MISSING', 'An HTTP/1.1 request needs a Host header.')
    }
    if (hostsOf(request.raw.rawHeaders) > 1) {
      reply.header('connection', 'close')
      throw badRequest(
        'HOST_REPEATED',
        'A request has one Host header; this one has more, and a proxy before this service may have read another than it.',
      )
    }
    const nonce = request.headers['x-nonce']
    if (nonce !== undefined && !NONCE.test([nonce].flat().join()))
      throw badRequest('NONCE_INVALID', 'X-NONCE has to be 16 to 128 letters, digits, hyphens and underscores, and sent once.')
  })
}

/** Counts the Host headers of a request: of repeated ones, Node shows the first. @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2 (read 2026-11-25) */
function hostsOf(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let name = 0; name < rawHeaders.length; name += 2) {
    const text = rawHeaders[name]
    if (text?.length === 4 && text.toLowerCase() === 'host') hosts++
  }
  return hosts
}
