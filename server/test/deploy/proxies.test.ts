import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { eventually } from '@svc/testing/eventually'
import { freePort } from '@svc/testing/free-ports'
import { contentDigest, verifyResponse } from '@svc/verify/response'
import t, { type Test } from 'tap'
import { type Papers, papers } from './papers.ts'

const example = (name: string) => readFileSync(new URL(`../../../examples/deploy/proxies/${name}`, import.meta.url), 'utf8')

/** Why a proxy is not run here; false: it is. */
const lacking = (program: string) => (spawnSync(program, ['-v']).error ? `this machine has no ${program}` : false)

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | undefined>
  readonly bytes: Uint8Array
}

/** Asks over TLS, the path as it is given: `fetch` would tidy it. */
function ask(
  port: number,
  { method, path, body, headers }: { method: string; path: string; body?: string | undefined; headers: Record<string, string> },
) {
  // The certificate is made for the test.
  const agent = new Agent({ rejectUnauthorized: false })
  return new Promise<Answer>((done, failed) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { host: 'staking.example.org', ...headers },
        agent,
        servername: 'staking.example.org',
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.once('end', () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            bytes: new Uint8Array(Buffer.concat(chunks)),
          }),
        )
      },
    )
    call.once('error', failed)
    call.end(body)
  })
}

/** What proxies are known to change: paths that can be tidied, texts that can be compressed, answers that are none. */
async function walk(t: Test, port: number, { key, signer }: Papers): Promise<void> {
  const keys = { thumbprints: signer.responses.keys.map(({ jwk }) => jwk.kid), jwks: signer.responses.keys.map(({ jwk }) => jwk) }
  const give = JSON.stringify({ address: 'p001', amount: 1 })
  const asked: [string, string, number, string?][] = [
    ['GET', '/api/v1/papers/native/networks', 200],
    ['GET', '/api/v1/papers/native/networks?', 200],
    ['GET', '/api/v1/papers/native/p%3001', 404],
    ['GET', '/api/v1//papers/native/networks', 404],
    ['GET', '/api/v1/papers%2Fnative/networks', 404],
    ['HEAD', '/api/v1/papers/native/networks', 200],
    ['GET', '/api/v1/nowhere', 404],
    ['GET', '/openapi.json', 200],
    ['POST', '/api/v1/papers/native/action/give', 200, give],
    ['POST', '/api/v1/papers/native/action/give', 400, '{'],
  ]
  for (const [method, path, status, body] of asked) {
    const headers = {
      'x-api-key': key,
      'x-nonce': randomBytes(12).toString('base64url'),
      'accept-encoding': 'gzip, br',
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-digest': await contentDigest(body) }),
    }
    const sentAt = new Date()
    const response = await ask(port, { method, path, body, headers })
    const name = `${method} ${path}`
    t.equal(response.status, status, name)
    const verdict = await verifyResponse({
      request: { method, url: `https://staking.example.org${path}`, headers, body },
      response,
      keys,
      sentAt,
    })
    t.ok(verdict.ok, `${name} ${verdict.ok ? '' : verdict.reason}`)
  }
}

/** Starts a proxy, and waits until it answers. */
async function started(
  t: Test,
  program: string,
  args: readonly string[],
  port: number,
  env: NodeJS.ProcessEnv = {},
): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  t.teardown(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await new Promise((done) => child.once('exit', done))
  })
  await eventually(
    `${program} answers`,
    async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${said}`)
      const status = await ask(port, { method: 'GET', path: '/livez', headers: {} }).then(
        (answer) => answer.status,
        () => null,
      )
      return { status, said }
    },
    ({ status }) => status === 200,
  )
  return child
}

t.test('the configuration of nginx passes everything on so that it verifies', { skip: lacking('nginx') }, async (t) => {
  const service = await papers(t)
  const folder = t.testdir({})
  const port = await freePort()
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=staking.example.org',
    '-keyout',
    'key.pem',
    '-out',
    'fullchain.pem',
  ]
  t.equal(spawnSync('openssl', made, { cwd: folder }).status, 0)
  // As it stands, but for where things are.
  const placed = example('nginx.conf')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replaceAll('/etc/nginx/tls/', `${folder}/`)
    .replace('server svc-1:3000', `server 127.0.0.1:${service.port}`)
    .replace('server svc-2:3000', `server 127.0.0.1:${service.port}`)
  for (const name of ['svc-1', 'svc-2', '/etc/']) t.notMatch(placed.replace(/^ *#.*$/gm, ''), name, 'everything was placed')
  mkdirSync(join(folder, 'tmp'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/tmp/${kind};`).join(' ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; worker_processes 1;\nevents {}\nhttp { access_log off; ${temporary}\n${placed}\n}\n`,
  )
  await started(t, 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], port)
  await walk(t, port, service)
})

t.test('the configuration of Caddy passes everything on so that it verifies', { skip: lacking('caddy') }, async (t) => {
  const service = await papers(t)
  const folder = t.testdir({})
  const port = await freePort()
  const placed = example('Caddyfile')
    .replace('svc-1:3000 svc-2:3000', `127.0.0.1:${service.port} localhost:${service.port}`)
    // Its own authority, since none in the world knows this machine.
    .replace('{$STAKING_HOST} {', '{$STAKING_HOST} {\n\ttls internal')
  t.notMatch(placed, 'svc-1', 'everything was placed')
  const options = `{\n\tadmin off\n\thttps_port ${port}\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n`
  writeFileSync(join(folder, 'Caddyfile'), options + placed)
  const env = { STAKING_HOST: 'staking.example.org', XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder }
  await started(t, 'caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], port, env)
  await walk(t, port, service)
})
