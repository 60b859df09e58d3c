import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Series } from './sums.ts'

/** Labels of one series. */
export type Labels = Readonly<Record<string, string | number>>

/**
 * Name of a counter, which says by its end that it is one, as Prometheus' conventions have it.
 *
 * @see https://prometheus.io/docs/practices/naming/#metric-names (read 2026-11-29)
 */
type CounterName = `svc_${string}_total`

/** Counters that no service tells before the first event of theirs, since its labels are not known before. Alerts name them. */
export const RARE_COUNTERS = {
  /** Times in which nothing was answered, by plugin. */
  stalls: 'svc_stalls_total',
  /** Readings about which two endpoints disagreed, by endpoint group and member. */
  disagreements: 'svc_upstream_disagreements_total',
} as const

/** Counters of the service, in the text form that Prometheus reads. */
export interface Metrics {
  /** One attempt at one endpoint: the group's name, the endpoint's number from 1, `ok` or the reason of its failure, seconds. */
  upstream(upstream: string, endpoint: number, outcome: string, seconds: number): void
  /** One response; `route` is the pattern of its path, never the path itself, which would make a series per address. */
  http(method: string, route: string, status: number, seconds: number): void
  /** Adds to a counter; the first call with a name fixes its help text and the names of its labels. */
  count(name: CounterName, help: string, labels?: Labels, by?: number): void
  /**
   * A value that is read whenever the text is made: a number, or one per set of labels.
   *
   * @param ofSeveral what is told where several processes serve: their sum, or the smallest or largest. @default 'sum'
   */
  gauge(
    name: string,
    help: string,
    read: () => number | Iterable<readonly [Labels, number]>,
    labelNames?: readonly string[],
    ofSeveral?: 'sum' | 'min' | 'max',
  ): void
  /** From now on also what the process uses, under the names that dashboards of Node know. Once in a process: it goes on until that ends. */
  watchProcess(): void
  /** The whole text, to be served as `contentType`. */
  render(): Promise<string>
  /** Returns the metrics as numbers, for a process that adds up those of several processes. */
  series(): Promise<Series>
  readonly contentType: string
}

/** Upper bounds of the latency buckets, in seconds: from a cached read to the longest wait for an upstream. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** Makes the counters, gauges and histograms of one service, by prom-client, in a registry of their own. */
export function createMetrics(): Metrics {
  const register = new Registry()
  const registers = [register]
  const counters = new Map<string, Counter>()
  const seconds = (name: string, help: string, labelNames: readonly string[]) =>
    new Histogram({ name, help, labelNames, buckets: BUCKETS, registers })
  const attempts = seconds('svc_upstream_request_seconds', 'Duration of attempts at upstream endpoints.', ['upstream', 'endpoint'])
  const requests = seconds('svc_http_request_seconds', 'Duration of requests by route.', ['method', 'route'])

  function count(name: CounterName, help: string, labels: Labels = {}, by = 1): void {
    const counter = counters.get(name) ?? new Counter({ name, help, labelNames: Object.keys(labels), registers })
    counters.set(name, counter)
    counter.inc(labels, by)
  }

  return {
    contentType: register.contentType,
    count,
    upstream(upstream, endpoint, outcome, seconds) {
      count('svc_upstream_requests_total', 'Attempts at upstream endpoints by outcome.', { upstream, endpoint, outcome })
      attempts.observe({ upstream, endpoint }, seconds)
    },
    http(method, route, status, seconds) {
      count('svc_http_requests_total', 'Responses by route and status.', { method, route, status })
      requests.observe({ method, route }, seconds)
    },
    gauge(name, help, read, labelNames = [], ofSeveral = 'sum') {
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        aggregator: ofSeveral,
        collect() {
          this.reset()
          const reading = read()
          if (typeof reading === 'number') this.set(reading)
          else for (const [labels, value] of reading) this.set(labels, value)
        },
      })
    },
    watchProcess: () => collectDefaultMetrics({ register }),
    render: () => register.metrics(),
    series: () => register.getMetricsAsJSON(),
  }
}
