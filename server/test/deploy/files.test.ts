import { readFileSync } from 'node:fs'
import { configProblems } from '@svc/core'
import t from 'tap'
import { BOUND_MS } from '../../src/start/stop.ts'

const root = new URL('../../../', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, root), 'utf8')
const file = (name: string) => read(`examples/deploy/${name}`)
const numberOf = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1])

t.test('the configs of the examples are accepted, with secrets in files', async (t) => {
  const folder = t.testdir({
    pepper: 'p'.repeat(32),
    signing_key: 'a key',
    response_key: 'a key',
    database_url: 'postgres://svc@db.example.org/svc',
  })
  for (const name of ['svc.config.json', 'kubernetes/svc.config.json']) {
    const text = file(name)
    for (const secret of ['pepper', 'signing_key', 'response_key', 'database_url']) t.match(text, `\${file:/run/secrets/${secret}}`)
    t.same(configProblems(JSON.parse(text.replaceAll('/run/secrets', folder)), {}), [], name)
    t.match(configProblems(JSON.parse(text), {})[0], /needs the file \/run\/secrets\//, 'a secret that is not there is named')
  }
  for (const secret of ['pepper', 'signing_key', 'response_key', 'database_url']) {
    t.match(file('compose.yaml'), new RegExp(`^ {2}${secret}: \\{ file: `, 'm'))
    t.match(file('systemd/svc.service'), `LoadCredential=${secret}:`)
  }
})

t.test('whoever ends the service leaves it the time that it takes to stop', async (t) => {
  // What the primary adds before it ends workers by force.
  const needed = BOUND_MS / 1000 + 5
  t.ok(numberOf(file('systemd/svc.service'), /^TimeoutStopSec=(\d+)$/m) >= needed)
  t.ok(numberOf(file('compose.yaml'), /^ {2}stop_grace_period: (\d+)s$/m) >= needed)
  const pod = file('kubernetes/deployment.yaml')
  t.ok(numberOf(pod, /terminationGracePeriodSeconds: (\d+)/) >= needed + numberOf(pod, /preStop: \{ sleep: \{ seconds: (\d+) \} \}/))
  for (const path of ['/livez', '/readyz']) t.match(pod, `httpGet: { path: ${path}, port: http }`)
  t.match(file('Containerfile'), '/readyz')
})

t.test('the folder of the example has every protocol that there is, and the image runs what npm installs', async (t) => {
  const own = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  const plugins = Object.keys(own.dependencies).filter((name) => name.startsWith('@svc/plugin-'))
  const { dependencies } = JSON.parse(file('operator/package.json')) as { dependencies: Record<string, string> }
  t.same(Object.keys(dependencies).sort(), ['@svc/server', ...plugins].sort())
  const bin = (JSON.parse(read('server/package.json')) as { bin: { svc: string } }).bin.svc
  for (const name of ['Containerfile', 'systemd/svc.service']) {
    t.match(file(name), `node_modules/@svc/server/${bin.replace('./', '')}`, name)
    t.match(file(name), read('server/svc.mjs').match(/--max-semi-space-size=\d+/)?.[0] ?? 'none', name)
  }
  t.match(file('Containerfile'), /^USER \d+:\d+$/m)
  t.notMatch(file('Containerfile'), /^(ENTRYPOINT|CMD) (?!\[)/m, 'no shell between')
})
