// alone: signals, and processes that are killed

import { realpathSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { eventually } from '@svc/testing/eventually'
import { freePort } from '@svc/testing/free-ports'
import { emptySchema, skipPostgres } from '@svc/testing/postgres'
import t, { type Test } from 'tap'
import { paperFolder } from '../bench/reload/folder.ts'
import { askSteadily, partsOf } from '../bench/reload/steady.ts'
import { emptyFolder, launch, svc } from './cli-process.ts'

interface Line {
  readonly msg: string
  readonly level: number
  readonly pid: number
  readonly role?: string
  readonly worker?: number
}

/** A service on plugins that need no chain, with a key. */
async function served(t: Test, over: object = {}, env: Record<string, string> = {}) {
  const papers = await paperFolder(realpathSync(await emptyFolder(t)))
  const { cwd } = papers
  const home = await papers.install('first')
  const configure = (clerks: Record<string, string>, more: object = {}) => papers.configure(clerks, { ...over, ...more })
  await configure({ first: 'p002' })
  const all = { SVC_PORT: String(await freePort()), TMPDIR: cwd, ...env }
  const running = launch(['start'], { cwd, env: all })
  t.teardown(() => running.child.kill('SIGKILL'))
  const [, url = ''] = await running.said(/"Server listening at (http:[^"]+)"/)
  const run = (...args: string[]) => svc(args, { cwd, env: all })
  const key = (await run('keys', 'create', '--account', 'acme', '--name', 'k', '--quiet')).stdout.trim()
  const get = async (path: string, headers: Record<string, string> = { 'x-api-key': key }) => {
    const answer = await fetch(`${url}/api/v1${path}`, { headers: { ...headers, connection: 'close' } })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const lines = () =>
    running.stdout
      .split(/\n|(?=\{"level":)/)
      .filter((line) => /^\{"level":.*\}$/.test(line))
      .map((line) => JSON.parse(line) as Line)
  /** Processes that said that they listen and were not said to have ended. */
  const listening = () => [
    ...new Set(
      lines()
        .filter(({ msg }) => msg.startsWith('Server listening'))
        .map(({ pid }) => pid),
    ),
  ]
  /** The name of the network, which says who its clerk is. */
  const clerk = async () => JSON.stringify((await get('/first/native/networks')).body)
  return { ...papers, configure, home, running, url, key, run, get, lines, listening, clerk }
}

const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

// `pnpm bench reload` asks fifty thousand times.
t.test('a protocol, a validator and a broken config: the service changes or refuses, and no request fails', async (t) => {
  const { cwd, url, key, run, get, configure, install, running, lines, clerk, listening } = await served(t)
  const steady = askSteadily(`${url}/api/v1/first/native/networks`, { 'x-api-key': key }, { kept: 8, fresh: 4 })
  t.equal((await get('/second/native/networks')).status, 404)
  await install('second')
  await configure({ first: 'p002', second: 'p003' })
  t.equal((await get('/second/native/networks')).status, 404, 'what is written is not served before a reload')
  const enabled = await run('reload')
  t.same({ code: enabled.code, stderr: enabled.stderr }, { code: 0, stderr: '' })
  t.match(enabled.stdout, /^Reloaded after \d+\.\d s: the config as it is now is being served\.\n$/)
  t.equal((await get('/second/native/networks')).status, 200, 'a plugin that was installed meanwhile')

  t.notMatch(await clerk(), 'p004')
  await configure({ first: 'p004', second: 'p003' })
  running.child.kill('SIGHUP')
  await eventually('the validator is another one', async () => (await clerk()).includes('p004'))

  await configure({ first: 'p004', second: 'p003' }, { lissen: {} })
  const misspelt = await run('reload')
  t.equal(misspelt.code, 1)
  t.match(
    misspelt.stderr,
    /^svc: Not reloaded, and what was served is served: lissen: there is no such setting\. Known here: listen, [^\n]*\n$/,
  )
  await writeFile(join(cwd, 'svc.config.json'), '{ "plugins": ')
  const broken = await run('reload')
  t.match(broken.stderr, /^svc: Not reloaded, and what was served is served: \/.*svc\.config\.json is not valid JSON/)
  await configure({ first: 'p004', third: 'p003' })
  t.match((await run('reload')).stderr, /what was served is served: plugins\.third: the package is not installed/)
  t.equal((await get('/second/native/networks')).status, 200)

  const pids = listening()
  await eventually('of three workers that served one is left', () => pids.filter(alive).length === 1)
  const { answered, failed } = await steady.stop()
  t.same(failed, {})
  t.ok(answered > 100, `${answered} requests`)
  t.equal(lines().filter(({ level }) => level > 50).length, 0)
  running.child.kill('SIGTERM')
  t.equal((await running.ended).code, 0)
})

t.test('a start and a reload say how many wallets are with a former validator, and warn of one that no setting names', async (t) => {
  const { cwd, run, configure, lines } = await served(t)
  const told = () => lines().filter(({ msg }) => msg.startsWith('validators: '))
  t.equal(told().length, 0, 'nobody is anywhere else')
  // As it was read before the change. The service writes to it too, so that it may have to wait.
  const database = new DatabaseSync(join(cwd, '.svc', 'service.sqlite'), { timeout: 30_000 })
  database
    .prepare(
      `insert into svc_watches (id, account, protocol, network, wallet, origin, created_at, position, failures, fence)
       values ('w', 'acme', 'first', '1', 'p101', 'craft', 0, ?, 0, 0)`,
    )
    .run(JSON.stringify({ held: ['p002'] }))
  database.close()

  await configure({ first: 'p004 p002' })
  const named = await run('reload')
  t.equal(named.code, 0)
  t.match(named.stdout, /served\.\nvalidators: 1 wallet of account acme on first 1 with the former p002\.\n$/)
  await configure({ first: 'p004' })
  const lost = await run('reload')
  t.equal(lost.code, 0, 'it is served all the same')
  t.match(
    lost.stdout,
    /served\.\nvalidators: no setting names those [^\n]*: 1 wallet of account acme on first 1 with p002 \(plugins\.first\.networks\.1\)\. [^\n]*\n$/,
  )
  await eventually('both are in the log', () => told().length >= 2)
  t.same(
    told().map(({ level }) => level),
    [30, 40],
    'a line each, and of what is lost a warning',
  )
  const check = await run('check')
  t.match(check.stdout + check.stderr, /validators +WARNING/)
  t.match(check.stdout + check.stderr, /1 wallet of account acme on first 1 with p002/)
})

t.test('counters go on growing over a reload, and what is held once is given up when nothing wants it', async (t) => {
  const { get, configure, running, run, key, url } = await served(t, { metrics: { port: 0 } })
  const [, where = ''] = await running.said(/"msg":"Counters are served at (http:[^"]+)"/)
  const count = async () => {
    const text = await (await fetch(where, { headers: { connection: 'close' } })).text()
    const [, found] =
      /^svc_http_requests_total\{method="GET",route="\/api\/v1\/first\/native\/networks",status="200"\} (\d+)$/m.exec(text) ?? []
    return { text, asked: Number(found ?? 0) }
  }
  // Of a worker that does not say in time what it counted the former counts are told.
  const counted = (times: number) =>
    eventually(
      `${times} are counted, and none is under way`,
      count,
      ({ text, asked }) => asked >= times && /^svc_requests_under_way 0$/m.test(text),
    )
  for (let asked = 0; asked < 3; asked++) await get('/first/native/networks')
  t.equal((await counted(3)).asked, 3)
  t.equal((await run('reload')).code, 0)
  await get('/first/native/networks')
  const after = await counted(4)
  t.equal(after.asked, 4, 'the three of the worker that ended are not forgotten')
  t.match(after.text, /^svc_http_request_seconds_count\{method="GET",route="\/api\/v1\/first\/native\/networks"\} 4$/m)
  t.match(after.text, /^process_start_time_seconds \d+/m)
  t.match(after.text, /^svc_decode_mismatches_total 0$/m)
  await configure({ first: 'p002' }, { metrics: undefined })
  t.equal((await run('reload')).code, 0)
  await eventually('no counters are served', () =>
    fetch(where).then(
      () => false,
      () => true,
    ),
  )
  t.equal((await fetch(`${url}/api/v1/first/native/networks`, { headers: { 'x-api-key': key } })).status, 200)
})

t.test('a worker that ends or breaks is replaced, by the config that was accepted and not by the one that is being written', async (t) => {
  const { cwd, home, url, key, running, lines, listening, get, run } = await served(t)
  await writeFile(join(cwd, 'svc.config.json'), 'half of a conf')
  const [first = 0] = listening()
  const steady = askSteadily(`${url}/api/v1/first/native/networks`, { 'x-api-key': key }, { kept: 8, fresh: 4 })
  await eventually('it answers', () => steady.asked > 50)
  process.kill(first, 'SIGKILL')
  await eventually('another one serves', () => listening().length === 2)
  const before = steady.asked
  await eventually('the other one answers', () => steady.asked > before + 50)
  const { failed, answered } = await steady.stop()
  const { cut, turnedAway, otherwise } = partsOf(failed, 12, false)
  t.equal(
    otherwise,
    0,
    `${answered} answered, ${cut} cut, ${turnedAway} refused until another one served, and nothing else: ${JSON.stringify(failed)}`,
  )
  t.equal((await get('/first/native/networks')).status, 200)
  t.match(
    lines().find(({ role, level }) => role === 'primary' && level === 50),
    { msg: 'A worker was ended by a signal while it served; another one takes its place.', worker: first },
  )
  await writeFile(join(home, 'throw'), '')
  await eventually('one that threw is replaced', () => listening().length === 3)
  t.match(
    lines().filter(({ level }) => level === 60),
    [{ msg: /where nobody can catch it, so its worker ends: TypeError/ }],
  )
  await eventually('it has ended', () => listening().filter(alive).length === 1)
  const refused = await run('reload')
  t.match(refused.stderr, /is not valid JSON/)
  running.child.kill('SIGTERM')
  t.equal((await running.ended).code, 0)
})

t.test('what a primary that is killed leaves is answered, recorded, and ends by itself', async (t) => {
  const { cwd, running, listening, url, run } = await served(t)
  const token = (await run('tokens', 'create', '--account', 'acme', '--name', 't', '--quiet')).stdout.trim()
  const call = request(`${url}/api/v1/apikeys`, {
    method: 'POST',
    headers: { token, 'x-identity': 'last', 'content-type': 'application/json', expect: '100-continue' },
  })
  const answer = new Promise<number | undefined>((done, failed) => {
    call.once('response', (response) => done(response.resume().statusCode))
    call.once('error', failed)
  })
  // It is under way when the primary is gone: its worker has read the head, and waits for the body.
  const goOn = new Promise((done) => call.once('continue', done))
  call.flushHeaders()
  await Promise.race([goOn, answer.then((status) => Promise.reject(new Error(`it was answered ${status} before its body was read`)))])
  running.child.kill('SIGKILL')
  call.end(JSON.stringify({ name: 'last' }))
  t.equal(await answer, 201)
  const [worker = 0] = listening()
  await eventually('its worker has ended', () => !alive(worker))
  t.match(JSON.parse((await run('audit', '--json', '--identity', 'last')).stdout), { action: 'create-key', status: 201 })
  const again = launch(['start'], { cwd, env: { SVC_PORT: '0', TMPDIR: cwd } })
  t.teardown(() => again.child.kill('SIGKILL'))
  await again.said(/Server listening/)
  t.equal((await run('reload')).code, 0, 'the socket of the one that was killed is no service')
  again.child.kill('SIGTERM')
  t.equal((await again.ended).code, 0)
})

t.test('a service that cannot stay alive ends, so that whoever started it knows', async (t) => {
  const { home, running, lines } = await served(t)
  await writeFile(join(home, 'index.js'), 'export default 1')
  const [first = 0] = lines().flatMap(({ msg, pid }) => (msg.startsWith('Server listening') ? [pid] : []))
  process.kill(first, 'SIGKILL')
  // A worker takes half a second to find out; ten of them, with the pauses between, up to a minute and a half on a busy machine.
  t.equal((await running.ended).code, 1)
  const said = lines().filter(({ role }) => role === 'primary')
  t.match(said.at(-1), { level: 60, msg: 'No worker stays alive, so the service ends.' })
  t.equal(said.filter(({ msg }) => /^The worker in its place does not serve: plugins\.first/.test(msg)).length, 9)
})

t.test('nobody is there to reload; a port that is taken, and more workers than the embedded database bears', async (t) => {
  const papers = await paperFolder(await emptyFolder(t))
  const { cwd } = papers
  await papers.install('first')
  await papers.configure({ first: 'p002' }, { workers: 2 })
  const env = { SVC_PORT: '0', TMPDIR: cwd }
  const none = await svc(['reload'], { cwd, env })
  t.equal(none.code, 1)
  t.match(none.stderr, /^svc: No service of this user runs by \/.*svc\.config\.json; `svc start` starts one\.\n$/)
  const two = await svc(['start'], { cwd, env })
  t.equal(two.code, 1)
  t.match(two.stderr, /^svc: workers: 2 processes need PostgreSQL \(database_url or DATABASE_URL\), since .*; or leave it at 1\.\n$/)
  const both = await svc(['check'], { cwd, env })
  t.match(both.stderr, /^2 problems:\n.*need PostgreSQL.*\n.*need Redis/m)

  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  t.teardown(() => other.close())
  const { port } = other.address() as { port: number }
  await papers.configure({ first: 'p002' }, { metrics: { port } })
  const taken = await svc(['start'], { cwd, env })
  t.match(
    taken.stderr,
    new RegExp(`^svc: Port ${port} on 127\\.0\\.0\\.1 is in use by another program: .* metrics\\.port in the config\\.\\n$`),
  )
})

t.test(
  'several workers on one port: one that is told to end costs no request, and one that is killed is replaced',
  { skip: skipPostgres },
  async (t) => {
    const schema = await emptySchema()
    t.teardown(() => schema.drop())
    const { generateResponseKey, generateSigningKey } = await import('@svc/core')
    const secrets = {
      signing_key: await generateSigningKey(),
      response_keys: [{ key: await generateResponseKey(), state: 'active' }],
      peppers: ['p'.repeat(32)],
    }
    const env = { DATABASE_URL: schema.url, REDIS_URL: process.env.REDIS_URL ?? '' }
    const { url, key, running, listening, run } = await served(t, {
      ...secrets,
      workers: 2,
      database_url: schema.url,
      redis_url: env.REDIS_URL,
    })
    await eventually('both serve', () => listening().length === 2)
    const steady = askSteadily(`${url}/api/v1/first/native/networks`, { 'x-api-key': key }, { kept: 8, fresh: 4 })
    const [first = 0, second = 0] = listening()
    process.kill(first, 'SIGTERM')
    await eventually('a third one serves', () => listening().length === 3 && !alive(first))
    t.equal((await run('reload')).code, 0)
    await eventually('two of five are left', () => listening().length === 5 && listening().filter(alive).length === 2)
    t.notOk(alive(second))
    const { answered, failed } = await steady.stop()
    t.same(failed, {})
    t.ok(answered > 100, `${answered} requests`)
    const [killed = 0] = listening().filter(alive)
    const hard = askSteadily(`${url}/api/v1/first/native/networks`, { 'x-api-key': key }, { kept: 8, fresh: 4 })
    await eventually('they answer', () => hard.asked > 50)
    process.kill(killed, 'SIGKILL')
    // A connection that it took before would be cut.
    await eventually('it is gone', () => !alive(killed))
    t.equal((await fetch(`${url}/api/v1/health`, { headers: { connection: 'close' } })).status, 200, 'the other one listens')
    await eventually('a sixth one serves', () => listening().length === 6)
    const broken = await hard.stop()
    t.equal(partsOf(broken.failed, 12, true).otherwise, 0, `nothing failed but what it held: ${JSON.stringify(broken.failed)}`)
    running.child.kill('SIGTERM')
    t.equal((await running.ended).code, 0)
  },
)
