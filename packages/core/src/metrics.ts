/** Labels of one series. */
export type Labels = Readonly<Record<string, string | number>>

/** What the service counts, in the text form that Prometheus reads. */
export interface Metrics {
  /** One attempt at one endpoint: the group's name, the endpoint's number from 1, `ok` or the reason of its failure, seconds. */
  upstream(upstream: string, endpoint: number, outcome: string, seconds: number): void
  /** One response; `route` is the pattern of its path, never the path itself, which would make a series per address. */
  http(method: string, route: string, status: number, seconds: number): void
  /** Adds to a counter of any name; the first call with a name fixes its help text. */
  count(name: string, help: string, labels?: Labels, by?: number): void
  /** A value that is read whenever the text is made: a number, or one per set of labels. */
  gauge(name: string, help: string, read: () => number | Iterable<readonly [Labels, number]>): void
  /** The whole text, to be served as `contentType`. */
  render(): string
  readonly contentType: string
}

/** Upper bounds of the latency buckets, in seconds: from a cached read to the longest wait for an upstream. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/**
 * Counters, gauges and histograms in memory.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/ (read 2026-11-21)
 */
export function createMetrics(): Metrics {
  const families = new Map<string, Family>()

  function family<Kind extends Family>(name: string, make: () => Kind): Kind {
    const known = families.get(name)
    if (known !== undefined) return known as Kind
    const made = make()
    families.set(name, made)
    return made
  }

  function count(name: string, help: string, labels: Labels = {}, by = 1): void {
    const { series } = family(name, () => ({ type: 'counter', help, series: new Map<string, number>() }))
    const text = labelText(labels)
    series.set(text, (series.get(text) ?? 0) + by)
  }

  function observe(name: string, help: string, labels: Labels, seconds: number): void {
    const { series } = family(name, () => ({ type: 'histogram', help, series: new Map<string, Histogram>() }))
    const text = labelText(labels)
    const histogram = series.get(text) ?? { buckets: BUCKETS.map(() => 0), count: 0, sum: 0 }
    series.set(text, histogram)
    histogram.count++
    histogram.sum += seconds
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound)
    if (bucket >= 0) histogram.buckets[bucket]!++
  }

  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    count,
    upstream(upstream, endpoint, outcome, seconds) {
      count('svc_upstream_requests_total', 'Attempts at upstream endpoints by outcome.', { upstream, endpoint, outcome })
      observe('svc_upstream_request_seconds', 'Duration of attempts at upstream endpoints.', { upstream, endpoint }, seconds)
    },
    http(method, route, status, seconds) {
      count('svc_http_requests_total', 'Responses by route and status.', { method, route, status })
      observe('svc_http_request_seconds', 'Duration of requests by route.', { method, route }, seconds)
    },
    gauge(name, help, read) {
      families.set(name, { type: 'gauge', help, read })
    },
    render: () => [...families].map(([name, family]) => renderFamily(name, family)).join(''),
  }
}

interface Histogram {
  readonly buckets: number[]
  count: number
  sum: number
}

type Family =
  | { readonly type: 'counter'; readonly help: string; readonly series: Map<string, number> }
  | { readonly type: 'histogram'; readonly help: string; readonly series: Map<string, Histogram> }
  | { readonly type: 'gauge'; readonly help: string; readonly read: () => number | Iterable<readonly [Labels, number]> }

function renderFamily(name: string, family: Family): string {
  const lines = [`# HELP ${name} ${family.help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${family.type}`]
  if (family.type === 'counter') for (const [labels, value] of family.series) lines.push(`${name}${braced(labels)} ${value}`)
  else if (family.type === 'gauge') for (const [labels, value] of readings(family.read())) lines.push(`${name}${braced(labels)} ${value}`)
  else for (const [labels, histogram] of family.series) lines.push(...histogramLines(name, labels, histogram))
  return `${lines.join('\n')}\n`
}

function readings(read: number | Iterable<readonly [Labels, number]>): (readonly [string, number])[] {
  return typeof read === 'number' ? [['', read]] : Array.from(read, ([labels, value]) => [labelText(labels), value] as const)
}

/** Buckets are cumulative on the wire: each counts all that are not slower than its bound. */
function histogramLines(name: string, labels: string, { buckets, count, sum }: Histogram): string[] {
  let below = 0
  const bound = (le: string) => braced(labels === '' ? `le="${le}"` : `${labels},le="${le}"`)
  const counted = buckets.map((inside, index) => {
    below += inside
    return `${name}_bucket${bound(`${BUCKETS[index]}`)} ${below}`
  })
  return [
    ...counted,
    `${name}_bucket${bound('+Inf')} ${count}`,
    `${name}_sum${braced(labels)} ${sum}`,
    `${name}_count${braced(labels)} ${count}`,
  ]
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

/** Texts of label sets seen before: a few hundred at most, one for each route, status and endpoint. */
const texts = new Map<string, string>()

function labelText(labels: Labels): string {
  let key = ''
  for (const name in labels) key += `${name}\0${labels[name]}\0`
  const known = texts.get(key)
  if (known !== undefined) return known
  const text = writeLabels(labels)
  texts.set(key, text)
  return text
}

function writeLabels(labels: Labels): string {
  const escaped = (value: string | number) => String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')
}
