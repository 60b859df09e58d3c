import { STATUS_CODES } from 'node:http'
import { isServiceError, membersOf } from '@svc/contract'
import type { ErrorBody } from '@svc/contract/host'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { writeError } from '../base/error-text.ts'
import { present } from '../base/present.ts'
import { seal } from '../base/seal.ts'
import { type Misfit, sentenceOf } from '../base/sentence.ts'
import { routeMarks } from '../plugins/services.ts'
import { isRefusal } from '../signature/refusals.ts'

/** Sentences for what Fastify itself refuses, by its code. */
const FRAMEWORK: Readonly<Record<string, readonly [number, string, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'MEDIA_TYPE_UNSUPPORTED', 'The body must be JSON, with Content-Type: application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'BODY_TOO_LARGE', 'The body is larger than this service accepts.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'BODY_INCOMPLETE', 'The body is not as long as its Content-Length says.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'BODY_NOT_JSON', 'The body is empty; this needs a JSON body.'],
}

/**
 * Status of a request that was not answered because the caller closed the connection before it was whole. No caller sees it: it is for log,
 * audit and metrics. @see https://nginx.org/en/docs/dev/development_guide.html#http_phases, NGX_HTTP_CLIENT_CLOSED_REQUEST (read 2026-11-22)
 */
const CALLER_GONE = 499

declare module 'fastify' {
  interface FastifyInstance {
    /** Called for every crafted transaction that was withheld. */
    mismatched(): void
  }
}

/** Writes every refusal in one form, and every fault as a 500 without details. */
export const errors = fp(
  async (app: FastifyInstance, { mismatched }: { mismatched: () => void }) => {
    app.decorate('mismatched', mismatched)
    app.setErrorHandler((error, request, reply) => reply.send(refuse(request, reply, error)))
  },
  { fastify: '5.x', name: '@svc/errors' },
)

/** Makes the body of a refusal. */
export function errorBody(statusCode: number, code: string, sentence: string): ErrorBody {
  return {
    statusCode,
    message: STATUS_CODES[statusCode] ?? (statusCode === CALLER_GONE ? 'Client Closed Request' : 'Error'),
    error: sentence,
    code,
  }
}

/** Turns a reply into the refusal for an error, and seals it. @returns its body, which is still to be sent */
export function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): string {
  const { statusCode, code, sentence, retryAfter, txHash } = describe(error, request)
  if (statusCode >= 500) log(request, error, code)
  // The line about an answer is never written where there is nobody to answer.
  if (statusCode === CALLER_GONE) request.log.info({ status: statusCode, code }, 'the caller left before the body was whole')
  request.refusal = { code, sentence }
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  const body = { ...errorBody(statusCode, code, sentence), ...(txHash === undefined ? {} : { tx_hash: txHash }) }
  const { contentType, text } = writeError(body, request.raw.headers.accept)
  reply.code(statusCode).type(contentType)
  seal(request, statusCode, text)
  return text
}

function log(request: FastifyRequest, error: unknown, code: string): void {
  if (request.note.mismatches) {
    request.server.mismatched()
    // The one line that must wake somebody: bytes and intent differ, so a library, a setting or this code is wrong or was tampered with.
    request.log.fatal({ alert: 'DECODE_MISMATCH', mismatches: request.note.mismatches, err: error }, 'a crafted transaction was withheld')
  } else if (isServiceError(error) && error.statusCode !== 500) request.log.warn({ code, err: error }, 'upstream or service trouble')
  else request.log.error({ err: error }, 'a fault of the service')
}

function describe(
  error: unknown,
  request: FastifyRequest,
): { statusCode: number; code: string; sentence: string; retryAfter?: number | undefined; txHash?: string | undefined } {
  if (isServiceError(error))
    return { statusCode: error.statusCode, code: error.code, sentence: error.message, retryAfter: error.retryAfter, txHash: error.txHash }
  // Anything can be thrown, nothing too.
  const { validation, validationContext, code } = (error ?? {}) as FastifyError & { validation?: readonly Misfit[] }
  if (validation) {
    const statusCode = validationContext === 'body' ? (request.routeOptions.config[routeMarks.invalidBody] ?? 400) : 400
    return {
      statusCode,
      code: 'REQUEST_INVALID',
      sentence: sentenceOf(present(validation[0], 'what does not fit'), validationContext ?? 'request'),
    }
  }
  if (hasLeft(request, error)) {
    const sentence = 'The connection was closed before the body was whole.'
    return { statusCode: CALLER_GONE, code: 'CALLER_GONE', sentence }
  }
  const entry = FRAMEWORK[code]
  if (entry) return { statusCode: entry[0], code: entry[1], sentence: entry[2] }
  if (isRefusal(error ?? {})) {
    const { statusCode = 400, message } = error as FastifyError
    return { statusCode, code: 'REQUEST_REFUSED', sentence: `${message.slice(0, 200).replace(/\.$/, '')}.` }
  }
  return {
    statusCode: 500,
    code: 'INTERNAL_ERROR',
    sentence: 'Something went wrong here; the request id in x-request-id helps to find it.',
  }
}

/** Tells whether the caller has closed the connection in mid-body, by Node's word; the same word of an upstream's connection comes when the body is long whole. */
function hasLeft({ raw }: FastifyRequest, error: unknown): boolean {
  return raw.destroyed && !raw.complete && membersOf(error).code === 'ECONNRESET'
}
