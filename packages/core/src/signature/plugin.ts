import { Readable } from 'node:stream'
import { badRequest, ServiceError } from '@svc/contract'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, onSendAsyncHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { expectationHandler } from './refusals.ts'
import type { Signer } from './signer.ts'

export interface SignatureOptions {
  readonly signer: Signer
  /** Most bytes of a streamed reply, which has to be held to be signed. @default 16 MiB */
  readonly streamBytes?: number
}

/**
 * Adds `x-signature` to every response: over the exact bytes of its body, or over the empty string when none is sent (HEAD, 204,
 * 304). Streams are gathered first.
 *
 * Register it on the root, before any route and scope. On a route it signs as the last of the route's `onSend` hooks, after every
 * `onSend` hook of every scope around it; only an `onSend` hook that an `onRoute` hook added later puts onto the route itself would
 * run after it. For a 404 it runs in the root's order of registration: a hook that changes a 404's body has to be registered before.
 * A compressing proxy in front changes the bytes on the wire; what is signed is the body before such an encoding.
 *
 * With `signedServerOptions` it also answers a missing Host header (400) and unknown expectations (417), which Node would answer
 * unsigned.
 */
export const signatures: FastifyPluginAsync<SignatureOptions> = fp(
  async (app: FastifyInstance, { signer, streamBytes = 16 * 1024 * 1024 }: SignatureOptions) => {
    const signed: onSendAsyncHookHandler<unknown> = async (request, reply, payload) => {
      if (request.method === 'HEAD' || !hasBody(reply.statusCode)) {
        reply.header('x-signature', await signer.sign(''))
        // That handling measures the body which a GET would have, and knows no `Response`.
        return payload instanceof Response ? ((await gather(payload, reply, streamBytes)) ?? '') : payload
      }
      const bytes = await gather(payload, reply, streamBytes)
      reply.header('x-signature', await signer.sign(bytes ?? ''))
      return bytes
    }

    // A HEAD is signed here too, before Fastify's own handling of it looks at the payload.
    app.addHook('onSend', async (request, reply, payload) =>
      request.method !== 'HEAD' && signsLast in request.routeOptions.config ? payload : signed.call(app, request, reply, payload),
    )
    app.addHook('onRoute', (route: RouteOptions) => {
      route.onSend = [route.onSend ?? [], signed].flat() as onSendAsyncHookHandler<unknown>[]
      route.config = { ...route.config, [signsLast]: true } as NonNullable<RouteOptions['config']>
    })
    refuseEarly(app)
    app.server.on('checkExpectation', expectationHandler(signer))
  },
  { fastify: '5.x', name: '@svc/signatures' },
)

const signsLast = Symbol('signs last')

/** Statuses that carry no body, whatever the handler sent. @see https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1 (read 2026-11-21) */
function hasBody(statusCode: number): boolean {
  return statusCode >= 200 && statusCode !== 204 && statusCode !== 304
}

/** What is about to be sent, whole. A `Response` brings its own status and headers, as when Fastify sends it. */
async function gather(payload: unknown, reply: FastifyReply, most: number): Promise<string | Buffer | null | undefined> {
  if (payload === undefined || payload === null || typeof payload === 'string' || Buffer.isBuffer(payload)) return payload
  if (payload instanceof Response) {
    reply.code(payload.status).headers(Object.fromEntries(payload.headers))
    return payload.body === null ? null : gather(payload.body, reply, most)
  }
  if (payload instanceof ReadableStream) return collect(Readable.fromWeb(payload as Parameters<typeof Readable.fromWeb>[0]), most)
  if (isStream(payload)) return collect(payload, most)
  throw new ServiceError(
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
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > most)
      throw new ServiceError(500, 'RESPONSE_TOO_LARGE', `A streamed response is larger than the ${most} bytes that can be signed.`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks, size)
}

/** Refuses here, where `onSend` signs, what Node was told not to refuse itself. */
function refuseEarly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      reply.header('connection', 'close')
      throw badRequest('HOST_MISSING', 'An HTTP/1.1 request needs a Host header.')
    }
  })
}
