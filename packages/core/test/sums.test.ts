import t from 'tap'
import { createMetrics } from '../src/base/metrics.ts'
import { createSums } from '../src/base/sums.ts'

/** What one process counted, as it comes over a channel. */
async function counted(fill: (metrics: ReturnType<typeof createMetrics>) => void) {
  const metrics = createMetrics()
  fill(metrics)
  return JSON.parse(JSON.stringify(await metrics.series()))
}

t.test('counters and histograms of several processes are summed, also of those that ended, and gauges as each says', async (t) => {
  const sums = createSums()
  const one = await counted((metrics) => {
    metrics.count('svc_x_total', 'X.', { kind: 'a' }, 3)
    metrics.http('GET', '/x', 200, 0.02)
    metrics.gauge('svc_open', 'Open.', () => 2)
    metrics.gauge('svc_well', 'Well.', () => [[{ at: 'e' }, 1]], ['at'], 'min')
    metrics.gauge('svc_late', 'Late.', () => 5, [], 'max')
  })
  const two = await counted((metrics) => {
    metrics.count('svc_x_total', 'X.', { kind: 'a' }, 4)
    metrics.count('svc_y_total', 'Y.', {}, 1)
    metrics.http('GET', '/x', 200, 0.2)
    metrics.gauge('svc_open', 'Open.', () => 1)
    metrics.gauge('svc_well', 'Well.', () => [[{ at: 'e' }, 0]], ['at'], 'min')
    metrics.gauge('svc_late', 'Late.', () => 3, [], 'max')
  })
  sums.update(1, one)
  sums.update(2, two)
  const both = await sums.render()
  const says = (text: string, lines: readonly string[]) => {
    for (const line of lines) t.ok(text.split('\n').includes(line), `${line}\n${text}`)
  }
  says(both, ['svc_x_total{kind="a"} 7', 'svc_y_total 1', 'svc_open 3', 'svc_well{at="e"} 0', 'svc_late 5'])
  says(both, [
    'svc_http_request_seconds_count{method="GET",route="/x"} 2',
    'svc_http_request_seconds_bucket{le="0.025",method="GET",route="/x"} 1',
  ])
  t.match(sums.contentType, /^text\/plain/)

  sums.update(2, two)
  t.equal(await sums.render(), both, 'the figures of a process take the place of its former ones')
  sums.ended(2)
  sums.ended(2)
  const after = await sums.render()
  says(after, ['svc_x_total{kind="a"} 7', 'svc_y_total 1', 'svc_open 2', 'svc_well{at="e"} 1', 'svc_late 5'])
  says(after, [
    'svc_http_request_seconds_count{method="GET",route="/x"} 2',
    'svc_http_requests_total{method="GET",route="/x",status="200"} 2',
  ])
  sums.ended(1)
  const nobody = await sums.render()
  says(nobody, ['svc_x_total{kind="a"} 7'])
  t.notMatch(nobody, 'svc_open')
  sums.update(3, one)
  says(await sums.render(), ['svc_x_total{kind="a"} 10', 'svc_open 2'])
})
