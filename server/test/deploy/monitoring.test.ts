import { readFileSync } from 'node:fs'
import { RARE_COUNTERS } from '@svc/core'
import t from 'tap'
import { papers } from './papers.ts'

const file = (name: string) => readFileSync(new URL(`../../../examples/deploy/monitoring/${name}`, import.meta.url), 'utf8')

/** Expressions of the rules, each on one line of its own. */
const rules = [...file('alerts.yaml').matchAll(/^ +expr: (.+)$/gm)].map(([, text = '']) => text)
const dashboard = JSON.parse(file('grafana.json')) as {
  readonly panels: readonly { readonly title: string; readonly gridPos: object; readonly targets: readonly { readonly expr: string }[] }[]
}
const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** Names of metrics in an expression: words that are no function, no label and no keyword. */
function namesOf(expression: string): readonly string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\b(by|without)\s*\([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '')
  return [...bare.matchAll(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/gi)].map(([name]) => name)
}

/** Labels that an expression picks or groups by. */
function labelsOf(expression: string): readonly string[] {
  const picked = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) =>
    [...inner.matchAll(/(\w+)\s*[=!]/g)].map(([, name = '']) => name),
  )
  const grouped = [...expression.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, inner = '']) =>
    inner.split(',').map((name) => name.trim()),
  )
  return [...picked, ...grouped]
}

/** Words for units that are not the base unit of what they measure, and for the base units. @see https://prometheus.io/docs/practices/naming/#base-units (read 2026-11-29) */
const OTHER_UNITS =
  /_(ns|us|ms|msecs?|millis|milliseconds|microseconds|nanoseconds|minutes|hours|days|kb|mb|gb|kilobytes|megabytes|bits|percent|percentage)(_|$)/
const BASE_UNITS = ['seconds', 'bytes', 'ratio']

/** Lists what Prometheus' conventions for names forbid in a metric's. @see https://prometheus.io/docs/practices/naming/#metric-names (read 2026-11-29) */
function breachesOf(name: string, type: string): readonly string[] {
  const bare = name.replace(/_total$/, '')
  const unit = BASE_UNITS.find((each) => bare.split('_').includes(each))
  const breaches = {
    'it is in lower case, with an underscore between words': !/^[a-z]+(_[a-z0-9]+)*$/.test(name),
    'a counter ends with _total, and nothing else does': (type === 'counter') !== name.endsWith('_total'),
    'the ends of a histogram are not in its name': /_(bucket|count|sum)$/.test(name),
    'a unit is a base unit': OTHER_UNITS.test(name),
    'the unit comes last': unit !== undefined && !bare.endsWith(`_${unit}`),
    'a histogram has a unit': type === 'histogram' && unit === undefined,
    'only a gauge tells what something is': name.endsWith('_info') && type !== 'gauge',
    'the type is not in the name': name.split('_').includes(type),
  }
  return Object.entries(breaches).flatMap(([rule, isBroken]) => (isBroken ? [rule] : []))
}

t.test('a name that Prometheus would not have is found', async (t) => {
  const wrong = {
    svc_lag_ms: 'gauge',
    svc_Lag: 'gauge',
    svc_looks: 'counter',
    svc_lag_total: 'gauge',
    svc_requests_count: 'gauge',
    svc_seconds_late: 'gauge',
    svc_request: 'histogram',
    svc_build_info: 'counter',
    svc_healthy_gauge: 'gauge',
  }
  for (const [name, type] of Object.entries(wrong)) t.not(breachesOf(name, type).length, 0, `${name}, a ${type}`)
  for (const name of ['svc_lag_seconds', 'svc_build_info', 'svc_healthy']) t.same(breachesOf(name, 'gauge'), [])
})

t.test('names are taken out of expressions as they stand there', async (t) => {
  t.same(namesOf('histogram_quantile(0.99, sum by (le, a) (rate(svc_x_bucket{method="POST"}[5m]))) > 5'), ['svc_x_bucket'])
  t.same(namesOf('absent(svc_y)'), ['svc_y'])
  t.same(labelsOf('min by (upstream, endpoint) (svc_z{kind!="ok",at=~"x|y"}) == 0'), ['kind', 'at', 'upstream', 'endpoint'])
})

t.test('every metric and label of the rules and of the dashboard is one that the service tells', async (t) => {
  const { port, key, metrics } = await papers(t)
  metrics.watchProcess()
  const ask = (path: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}/api/v1/papers/native/${path}`, {
      headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
  t.equal((await ask('networks')).status, 200)
  t.equal((await ask('action/give', { address: 'p001', amount: 1 })).status, 200, 'a craft asks an endpoint')
  // As `start` does, which this is below; and as two endpoints have it that have to agree and do not.
  metrics.count(RARE_COUNTERS.stalls, 'Stalls.', { plugin: 'none' }, 0)
  metrics.count(RARE_COUNTERS.disagreements, 'Disagreements.', { upstream: 'none', member: 'none', end: 'refused' }, 0)
  const text = await metrics.render()
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  // Declared, and perhaps without a value in a service that follows nothing.
  const declared = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const told = new Set([...samples.map((line) => /^[a-z0-9_]+/i.exec(line)?.[0]), ...declared])
  const all = [...rules, ...shown]
  t.ok(rules.length >= 12 && shown.length >= 12, `${rules.length} rules, ${shown.length} queries`)
  for (const expression of all) {
    const names = namesOf(expression)
    t.ok(names.length > 0, expression)
    for (const name of names) t.ok(told.has(name), `${name} of ${expression}`)
  }
  const labels = new Set([...samples.join('\n').matchAll(/(\w+)="/g)].map(([, name]) => name))
  // Of what is followed, of which there is nothing here: packages/core/src/life/measure.ts.
  for (const name of ['kind', 'protocol', 'network']) labels.add(name)
  for (const expression of all) for (const label of labelsOf(expression)) t.ok(labels.has(label), `${label} of ${expression}`)
  const own = [...text.matchAll(/^# TYPE (svc_\S+) (\S+)/gm)].map(([, name = '', type = '']) => ({ name, type }))
  t.ok(own.length > 12, `${own.length} metrics of the service's own`)
  for (const { name, type } of own) t.same(breachesOf(name, type), [], name)
  t.match(text, /^svc_build_info\{version="1\.2\.3",node="\d+\.\d+\.\d+"\} 1$/m)
})

t.test('the rules say what to do, and the panels of the dashboard do not lie on each other', async (t) => {
  const each = file('alerts.yaml').split('- alert: ').slice(1)
  t.equal(each.length, rules.length)
  for (const rule of each) t.match(rule, /severity: (page|ticket)[\s\S]*summary: \S[\s\S]*action: \S/, rule.slice(0, 40))
  const places = dashboard.panels.map(({ gridPos }) => JSON.stringify(gridPos))
  t.equal(new Set(places).size, places.length)
})
