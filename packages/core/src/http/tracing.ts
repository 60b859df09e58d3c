import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { RequestSpan, Tracing } from '../base/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Span of the request; undefined where nothing is traced. */
    span: RequestSpan | undefined
  }
}

interface TracingOptions {
  readonly tracing: Tracing | undefined
  /** Tells whether a request comes straight from a proxy of the operator's, whose trace it may continue. */
  readonly trusts: false | ((address: string) => boolean)
}

/** Path of requests that no route takes, as in the metrics. */
const UNKNOWN = 'unknown'

/**
 * Traces every request in a span by the conventions for HTTP servers. `url.path` is the pattern of the route, since the path itself contains addresses of wallets; query,
 * the caller's address and the user agent are left out. Without tracing, no hook is added.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server (read 2026-11-27)
 */
export const requestSpans = fastifyPlugin(async (app: FastifyInstance, { tracing, trusts }: TracingOptions) => {
  app.decorateRequest('span', undefined)
  if (!tracing) return
  app.addHook('onRequest', (request, _reply, next) => {
    const { method, protocol, socket, raw } = request
    const route = request.is404 ? undefined : request.routeOptions.url
    const attributes = {
      'http.request.method': method,
      'url.path': route ?? UNKNOWN,
      'url.scheme': protocol,
      'network.protocol.version': raw.httpVersion,
      'svc.request.id': request.id,
      ...(route === undefined ? {} : { 'http.route': route }),
    }
    const trusted = trusts !== false && trusts(socket.remoteAddress ?? '')
    request.span = tracing.openRequest(route === undefined ? method : `${method} ${route}`, attributes, request.headers, trusted)
    request.span.within(next)
  })
  // A body arrives by events of the connection, which know nothing of the request.
  app.addHook('preValidation', (request, _reply, next) => resume(request, next))
  app.addHook('onResponse', (request, reply, next) => {
    const { statusCode } = reply
    const who = request.principal ? { 'svc.account': request.principal.account ?? '' } : {}
    request.span?.end({
      attributes: { 'http.response.status_code': statusCode, ...who },
      // A refusal (4xx) is no error of the service.
      ...(statusCode >= 500 ? { error: String(statusCode) } : {}),
    })
    next()
  })
})

function resume(request: FastifyRequest, next: () => void): void {
  if (request.span) request.span.within(next)
  else next()
}
