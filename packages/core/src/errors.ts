import { STATUS_CODES } from 'node:http'
import { type ErrorBody, isServiceError, routeMarks } from '@svc/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

interface AjvError {
  readonly keyword: string
  readonly instancePath: string
  readonly message?: string
  readonly params: Record<string, unknown>
}

/** Sentences for what Fastify itself refuses, by its code. */
const FRAMEWORK: Readonly<Record<string, readonly [number, string, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'MEDIA_TYPE_UNSUPPORTED', 'The body must be JSON, with Content-Type: application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'BODY_TOO_LARGE', 'The body is larger than this service accepts.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'BODY_INCOMPLETE', 'The body is not as long as its Content-Length says.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'BODY_NOT_JSON', 'The body is empty; this needs a JSON body.'],
}

/** One shape for every refusal, and for every fault a 500 that says nothing. */
export const errors = fp(
  async (app: FastifyInstance) => {
    app.setErrorHandler((error, request, reply) => reply.send(refuse(request, reply, error)))
  },
  { fastify: '5.x', name: '@svc/errors' },
)

/** The body of a refusal. */
export function errorBody(statusCode: number, code: string, sentence: string): ErrorBody {
  return { statusCode, message: STATUS_CODES[statusCode] ?? 'Error', error: sentence, code }
}

/** Makes a reply the refusal that an error stands for. @returns its body, which is still to be sent */
export function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): ErrorBody {
  const { statusCode, code, sentence, retryAfter } = describe(error, request)
  if (statusCode >= 500) log(request, error, code)
  request.refusal = code
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  reply.code(statusCode).type('application/json; charset=utf-8')
  return errorBody(statusCode, code, sentence)
}

function log(request: FastifyRequest, error: unknown, code: string): void {
  if (request.note.mismatches) {
    // The one line that must wake somebody: bytes and intent differ, so a library, a setting or this code is wrong or was tampered with.
    request.log.fatal({ alert: 'DECODE_MISMATCH', mismatches: request.note.mismatches, err: error }, 'a crafted transaction was withheld')
  } else if (isServiceError(error)) request.log.warn({ code, err: error }, 'upstream or service trouble')
  else request.log.error({ err: error }, 'a fault of the service')
}

function describe(
  error: unknown,
  request: FastifyRequest,
): { statusCode: number; code: string; sentence: string; retryAfter?: number | undefined } {
  if (isServiceError(error))
    return { statusCode: error.statusCode, code: error.code, sentence: error.message, retryAfter: error.retryAfter }
  // Anything can be thrown, nothing too.
  const { validation, validationContext, code } = (error ?? {}) as FastifyError & { validation?: readonly AjvError[] }
  if (validation) {
    const config = request.routeOptions.config as unknown as Record<symbol, number | undefined>
    const statusCode = validationContext === 'body' ? (config[routeMarks.invalidBody] ?? 400) : 400
    return { statusCode, code: 'REQUEST_INVALID', sentence: sentenceOf(validation, validationContext ?? 'request') }
  }
  const known = FRAMEWORK[code]
  if (known) return { statusCode: known[0], code: known[1], sentence: known[2] }
  return {
    statusCode: 500,
    code: 'INTERNAL_ERROR',
    sentence: 'Something went wrong here; the request id in x-request-id helps to find it.',
  }
}

/** The first thing about a request that does not fit, as a sentence. A member that is named wrongly explains one that is missing. */
function sentenceOf(validation: readonly AjvError[], where: string): string {
  const problem = validation.find(({ keyword }) => keyword === 'additionalProperties') ?? validation[0]!
  const name = problem.instancePath.split('/').filter(Boolean).join('.')
  const place = name || (where === 'body' ? 'The body' : `The ${where}`)
  switch (problem.keyword) {
    case 'additionalProperties':
      return `There is no member ${JSON.stringify(problem.params.additionalProperty)} in this request; check its spelling.`
    case 'required':
      return `${name ? `${name}.` : ''}${problem.params.missingProperty} is missing.`
    case 'enum':
      return `${place} must be one of ${(problem.params.allowedValues as unknown[]).join(', ')}.`
    case 'pattern':
      return `${place} does not have the right form (${problem.params.pattern}).`
    default:
      return `${place} ${problem.message ?? 'does not fit'}.`
  }
}
