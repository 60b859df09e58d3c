import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

/** Metrics of one process, in the form in which they are passed to another. */
export type Series = readonly MetricObjectWithValues<MetricValue<string>>[]

/** The counters of several processes, of those that have ended too. */
export interface Sums {
  /** Takes the figures of a process that runs, in place of its former ones. */
  update(process: number, series: Series): void
  /** Keeps what a process has counted, and forgets what was true of it while it ran. */
  ended(process: number): void
  /** Makes the whole text, to be served as `contentType`. */
  render(): Promise<string>
  readonly contentType: string
}

/** Those that only grow, so that they go on growing when a process ends: a smaller sum would be taken for a new start and counted anew. */
const GROWING = ['counter', 'histogram', 'summary']

/** Makes a sum of the metrics of several processes: counters and histograms are added up, and each gauge declares how its values are combined. */
export function createSums(): Sums {
  const running = new Map<number, Series>()
  let past: Series = []
  const total = (parts: readonly Series[]) =>
    AggregatorRegistry.aggregate(parts.map((part) => [...part]) as unknown as MetricObjectWithValues<MetricValue<string>>[])

  return {
    contentType: AggregatorRegistry.PROMETHEUS_CONTENT_TYPE,
    // Some say of themselves that they are not to be added up, such as when a process began: of those the latest is told.
    update: (process, series) =>
      void running.set(
        process,
        series.map((each) => (each.aggregator === 'omit' ? { ...each, aggregator: 'max' as const } : each)),
      ),
    ended(process) {
      const series = running.get(process)
      if (!running.delete(process) || series === undefined) return
      const grown = series.filter(({ type }) => GROWING.includes(String(type)))
      past = JSON.parse(JSON.stringify(total([past, grown]).getMetricsAsArray())) as Series
    },
    render: () => total([past, ...running.values()]).metrics(),
  }
}
