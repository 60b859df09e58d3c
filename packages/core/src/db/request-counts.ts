/** Outcome of a request: `ok` below 400, `refused` 4xx, `failed` 5xx; `open`: not answered yet, or the process ended before the answer. */
export type Outcome = 'ok' | 'refused' | 'failed' | 'open'

/** Lengths of the buckets that requests are counted in, in seconds. */
export type Span = 60 | 3600

/** Filter of counts. */
export interface CountFilter {
  readonly span: Span
  /** Left out: all accounts. */
  readonly account?: string | undefined
  /** Beginning of the first bucket; a multiple of the span. */
  readonly from: Date
  /** Exclusive. */
  readonly to: Date
}

/**
 * Requests to protocols and refused credentials, counted. The counts of a record are written in the transaction that writes it, and are always what
 * counting the records would give.
 */
export interface Counts {
  /** Counts by bucket and outcome. */
  readonly series: readonly { readonly since: Date; readonly outcome: Outcome; readonly count: number }[]
  /** Counts by code, the most frequent first. */
  readonly errors: readonly { readonly error: string; readonly count: number }[]
  /** Counts of requests with the outcome `ok`, by protocol and action, in this order. */
  readonly actions: readonly { readonly protocol: string; readonly action: string; readonly count: number }[]
  /** Answers to protocols' requests by duration: how many lasted `LATENCY_MS[bucket - 1]` or longer, and not `LATENCY_MS[bucket]`. */
  readonly latency: readonly { readonly bucket: number; readonly count: number }[]
}
