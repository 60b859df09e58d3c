import t from 'tap'
import { createMetrics } from '../src/base/metrics.ts'

t.test('counters, histograms and gauges are rendered as Prometheus reads them', async (t) => {
  const metrics = createMetrics()
  metrics.upstream('evm-two 1672 rpc', 1, 'ok', 0.03)
  metrics.upstream('evm-two 1672 rpc', 1, 'ok', 0.1)
  metrics.upstream('evm-two 1672 rpc', 2, 'timeout', 20)
  metrics.count('svc_audit_dropped_total', 'Audit records that were lost.')
  metrics.count('svc_audit_dropped_total', 'Audit records that were lost.', {}, 4)
  let depth = 3
  metrics.gauge('svc_audit_depth', 'Audit records waiting.', () => depth)
  metrics.gauge(
    'svc_upstream_up',
    'Endpoints in use.',
    () => [
      [{ endpoint: 1 }, 1],
      [{ endpoint: 2 }, 0],
    ],
    ['endpoint'],
  )
  depth = 5
  const lines = (await metrics.render()).split('\n')
  const series = (name: string) => lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  t.same(series('svc_upstream_requests_total'), [
    'svc_upstream_requests_total{upstream="evm-two 1672 rpc",endpoint="1",outcome="ok"} 2',
    'svc_upstream_requests_total{upstream="evm-two 1672 rpc",endpoint="2",outcome="timeout"} 1',
  ])
  const bucket = (endpoint: number, le: string) =>
    lines
      .find((line) => line.startsWith(`svc_upstream_request_seconds_bucket{le="${le}",upstream="evm-two 1672 rpc",endpoint="${endpoint}"}`))
      ?.split(' ')
      .at(-1)
  t.same(
    ['0.025', '0.05', '0.1', '15', '+Inf'].map((le) => bucket(1, le)),
    ['0', '1', '2', '2', '2'],
  )
  t.same(
    ['15', '+Inf'].map((le) => bucket(2, le)),
    ['0', '1'],
    'slower than every bucket still counts',
  )
  t.same(
    series('svc_upstream_request_seconds_sum').map((line) => line.split(' ').at(-1)),
    ['0.13', '20'],
  )
  t.same(
    series('svc_upstream_request_seconds_count').map((line) => line.split(' ').at(-1)),
    ['2', '1'],
  )
  t.same(series('svc_audit_dropped_total'), ['svc_audit_dropped_total 5'])
  t.same(series('svc_audit_depth'), ['svc_audit_depth 5'], 'a gauge is read when the text is made')
  t.same(series('svc_upstream_up'), ['svc_upstream_up{endpoint="1"} 1', 'svc_upstream_up{endpoint="2"} 0'])
  t.ok(lines.includes('# TYPE svc_upstream_request_seconds histogram'))
  t.ok(lines.includes('# HELP svc_audit_depth Audit records waiting.'))
  t.equal(lines.at(-1), '', 'the text ends with a line break')
})

t.test('label values are escaped', async (t) => {
  const metrics = createMetrics()
  metrics.http('GET', 'a"b\\c\nd', 200, 0.001)
  t.match(await metrics.render(), 'svc_http_requests_total{method="GET",route="a\\"b\\\\c\\nd",status="200"} 1\n')
})

t.test('what the process uses is told under the names that dashboards know', async (t) => {
  const metrics = createMetrics()
  metrics.watchProcess()
  // Two samples, a moment in which nothing else runs, and the sample that tells it.
  const samples = () => new Promise((resolve) => setTimeout(resolve, 50))
  await samples()
  const until = performance.now() + 100
  while (performance.now() < until);
  await samples()
  const values = Object.fromEntries(
    (await metrics.render())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]),
  )
  const within = (name: string, least: number, most: number) =>
    t.ok(values[name]! >= least && values[name]! <= most, `${name} ${values[name]}`)
  const { user, system } = process.cpuUsage()
  within('process_cpu_seconds_total', 0.01, (user + system) / 1e6)
  within('process_start_time_seconds', Date.now() / 1000 - process.uptime() - 1, Date.now() / 1000)
  within('process_resident_memory_bytes', 10e6, 10e9)
  within('nodejs_heap_size_used_bytes', 1e6, values.nodejs_heap_size_total_bytes!)
  within('nodejs_external_memory_bytes', 1, 10e9)
  within('nodejs_eventloop_lag_max_seconds', 0.03, Number.POSITIVE_INFINITY)
  within('nodejs_eventloop_lag_p99_seconds', 0, values.nodejs_eventloop_lag_max_seconds!)
  if (process.platform === 'linux') within('process_open_fds', 3, 1e6)
  t.equal(Object.entries(values).find(([name]) => name.startsWith(`nodejs_version_info{version="${process.version}"`))?.[1], 1)
  t.match(await metrics.render(), '# TYPE process_cpu_seconds_total counter')
})
