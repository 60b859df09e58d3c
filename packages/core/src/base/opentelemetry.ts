import type { Attributes, Span, TracerProvider } from '@opentelemetry/api'
import type { OpenSpan, SpanAttributes, SpanEnd, Tracing } from './tracing.ts'

type Api = typeof import('@opentelemetry/api')

/** Most characters of a value, since SDKs have no limit of their own. @see https://opentelemetry.io/docs/specs/otel/common/#attribute-limits (read 2026-11-27) */
const MOST_CHARACTERS = 256

/**
 * Loads OpenTelemetry where the operator has installed `@opentelemetry/api` and an SDK is registered before the service starts.
 *
 * @returns undefined where either is missing: nothing is then hooked in, and a request costs what it cost
 */
export async function loadTracing(version: string): Promise<Tracing | undefined> {
  let api: Api
  try {
    api = await import('@opentelemetry/api')
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (code === 'ERR_MODULE_NOT_FOUND' && String(message).includes('@opentelemetry/api')) return undefined
    throw error
  }
  return hasSdk(api.trace.getTracerProvider()) ? createTracing(api, version) : undefined
}

/** Tells whether an SDK is registered: without one the api hands out a proxy that leads nowhere. */
function hasSdk(provider: TracerProvider): boolean {
  const { getDelegateTracer } = provider as { getDelegateTracer?: (name: string) => unknown }
  return getDelegateTracer === undefined || getDelegateTracer.call(provider, SCOPE) !== undefined
}

/** Name of the instrumentation scope. */
const SCOPE = '@svc/core'

/** Makes a tracer that opens spans by the API with which an SDK is registered. */
export function createTracing(api: Api, version: string): Tracing {
  const { context, propagation, ROOT_CONTEXT, SpanKind, trace } = api
  const tracer = trace.getTracer(SCOPE, version)
  const opened = (span: Span): OpenSpan => {
    let open = true
    return {
      end(outcome) {
        if (open) endSpan(api, span, outcome)
        open = false
      },
    }
  }
  return {
    openRequest(name, attributes, headers, trusted) {
      const origin = propagation.extract(ROOT_CONTEXT, headers)
      const caller = trace.getSpanContext(origin)
      const links = caller && !trusted ? [{ context: caller }] : []
      const options = { kind: SpanKind.SERVER, attributes: cut(attributes), links }
      const parent = trusted ? origin : ROOT_CONTEXT
      const span = tracer.startSpan(name, options, parent)
      const inside = trace.setSpan(parent, span)
      return { ...opened(span), traceId: span.spanContext().traceId, within: (next) => context.with(inside, next) }
    },
    openCall(describe) {
      const above = context.active()
      // A request that has ended is not recorded any more: what its timers do later belongs to nobody.
      if (!trace.getSpan(above)?.isRecording()) return null
      const { name, attributes } = describe()
      return opened(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: cut(attributes) }, above))
    },
  }
}

function endSpan({ SpanStatusCode }: Api, span: Span, { attributes = {}, error }: SpanEnd = {}): void {
  if (span.isRecording()) {
    span.setAttributes(cut(attributes))
    if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

function cut(attributes: SpanAttributes): Attributes {
  const entries = Object.entries(attributes)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, MOST_CHARACTERS) : value] as const),
  )
}
