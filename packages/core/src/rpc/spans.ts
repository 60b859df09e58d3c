import { errorType, type SpanAttributes, type Tracing } from '../base/tracing.ts'
import { Failure } from './failure.ts'
import type { Transmit } from './wire.ts'

/** Endpoint and attempt that a call belongs to. */
interface Place {
  /** Name of the endpoint group, as in the metrics. */
  readonly upstream: string
  /** Number of the endpoint, from 1. */
  readonly endpoint: number
  /** Number of attempts that were made before this one for the same call. */
  readonly resends: number
}

/**
 * Traces each call of a transmitter in a span by the conventions for HTTP clients. `url.full` is cut to scheme, host and port, since paths and queries contain endpoints'
 * keys and wallets' addresses.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-client (read 2026-11-27)
 */
export function traceTransmit(transmit: Transmit, tracing: Tracing, { upstream, endpoint, resends }: Place): Transmit {
  return async (outgoing, options) => {
    const span = tracing.openCall(() => {
      const { protocol, hostname, port } = new URL(outgoing.address)
      const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
      const attributes: SpanAttributes = {
        'http.request.method': outgoing.method,
        'server.address': hostname.replace(/^\[|\]$/g, ''),
        'server.port': number,
        'url.full': `${protocol}//${hostname}${port === '' ? '' : `:${port}`}/`,
        'svc.upstream': upstream,
        'svc.upstream.endpoint': endpoint,
        ...(resends > 0 ? { 'http.request.resend_count': resends } : {}),
      }
      return { name: outgoing.method, attributes }
    })
    if (!span) return transmit(outgoing, options)
    let status: number | undefined
    // The status is seen by whoever judges it, before a body is read that may then fail.
    const judge: typeof options.judge = (code, header) => {
      status = code
      return options.judge(code, header)
    }
    const end = (error: string | undefined) => {
      const attributes: SpanAttributes = status === undefined ? {} : { 'http.response.status_code': status }
      span.end({ attributes, ...(error === undefined ? {} : { error }) })
    }
    const fail = (reason: unknown) =>
      end(status !== undefined && status >= 400 ? String(status) : reason instanceof Failure ? reason.reason : errorType(reason))
    // Whoever ends a call breaks its connection: the reason is the signal's, and not what the socket says a moment later.
    const { signal } = options
    const stop = () => fail(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      const received = await transmit(outgoing, { ...options, judge })
      end(received.status >= 400 ? String(received.status) : undefined)
      return received
    } catch (error) {
      fail(error)
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}
