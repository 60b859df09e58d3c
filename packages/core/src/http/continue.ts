import type { FastifyInstance } from 'fastify'

/**
 * Tells a caller who waits with his body (`Expect: 100-continue`) to go on once it is about to be read: behind the hooks that refuse strangers, and not
 * where its length alone refuses it. Who is refused before that is told so at once, and Node closes his connection.
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
