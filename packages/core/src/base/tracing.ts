/** Attributes of a span, under the names of OpenTelemetry's semantic conventions. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Outcome of what a span covers. */
export interface SpanEnd {
  readonly attributes?: SpanAttributes
  /** `error.type` of a failure: a code, a status, or the name of a class; left out where it went well. */
  readonly error?: string
}

/** A span that is open. Ending it a second time does nothing. */
export interface OpenSpan {
  end(outcome?: SpanEnd): void
}

/** The span of one request. */
export interface RequestSpan extends OpenSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** Runs a function so that calls made by it, and by whatever it starts, are spans below this one. */
  within(next: () => void): void
}

/** Spans of a service: of its requests, and of the calls to endpoints and databases that it makes for them. */
export interface Tracing {
  /**
   * Opens the span of a request.
   *
   * @param headers headers of the request, which may name the span of whoever sent it
   * @param trusted true: the request's span is a part of that trace, and sampled with it; false: a trace of its own, with a link to that one
   */
  openRequest(name: string, attributes: SpanAttributes, headers: Readonly<Record<string, unknown>>, trusted: boolean): RequestSpan
  /**
   * Opens the span of a call below the request at hand.
   *
   * @param describe asked only where the span is recorded
   * @returns null where no recorded request is at hand, as in the service's own rounds
   */
  openCall(describe: () => CallDescription): OpenSpan | null
}

/** Name and attributes of a call, as they are known before it is made. */
export interface CallDescription {
  readonly name: string
  readonly attributes: SpanAttributes
}

/** Runs a call inside a span. @throws what the call throws */
export async function traced<T>(tracing: Tracing, describe: () => CallDescription, call: () => Promise<T>): Promise<T> {
  const span = tracing.openCall(describe)
  if (!span) return call()
  try {
    const value = await call()
    span.end()
    return value
  } catch (error) {
    span.end({ error: errorType(error) })
    throw error
  }
}

/** Returns `error.type` for an error: the code of a service's error, else the name of its class. Never its message, which may contain an address. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}
