import type { FastifyInstance } from 'fastify'

/**
 * Answers `Expect: 100-continue` with 100 when the body is about to be read: after the hooks that refuse strangers, and not where the body's length alone is refused. A
 * caller who is refused before that gets the refusal at once, and Node closes the connection.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1 (read 2026-11-28)
 */
export function continueWhenRead(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, payload, next) => {
    const { expect, 'content-length': length } = request.headers
    const most = request.routeOptions.bodyLimit ?? app.initialConfig.bodyLimit ?? Number.POSITIVE_INFINITY
    if (expect !== undefined && request.raw.httpVersion === '1.1' && !(Number(length) > most)) reply.raw.writeContinue()
    next(null, payload)
  })
}
