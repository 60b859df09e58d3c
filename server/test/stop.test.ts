import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { folder, launch, svc } from './cli-process.ts'

const env = { SVC_PORT: '0', SVC_DATA: 'state' }

interface Answer {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly body: string
}

function read(response: IncomingMessage): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let body = ''
    response.on('data', (chunk) => {
      body += chunk
    })
    response.once('end', () => resolve({ status: response.statusCode, connection: response.headers.connection, body }))
    response.once('error', reject)
  })
}

/** A sandbox, and calls of it. */
async function sandbox(t: Test) {
  const cwd = await folder(t)
  const running = launch(['start'], { cwd, env })
  t.teardown(() => running.child.kill('SIGKILL'))
  await running.said(/Ctrl-C stops it/)
  const file = JSON.parse(await readFile(join(cwd, 'state/sandbox.json'), 'utf8'))
  const delay = async (ms: number) => {
    const answer = await fetch(`${file.controlUrl}/chains/evm/143/fault`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'delay', ms }),
      headers: { connection: 'close' },
    })
    t.equal(answer.status, 200)
  }

  /** Sends a craft. Resolves once the service has it; what it answers comes later. */
  function craft(agent?: Agent): Promise<{ readonly answer: Promise<Answer> }> {
    const call = request(`${file.baseUrl}/api/v1/evm-three/native/action/delegate`, {
      method: 'POST',
      // The service says "continue" once it has read the head of the request: from then on it is under way.
      headers: { 'x-api-key': file.apiKey, 'x-identity': 'stop', 'content-type': 'application/json', expect: '100-continue' },
      ...(agent ? { agent } : {}),
    })
    call.flushHeaders()
    const answer = new Promise<Answer>((resolve, reject) => {
      call.once('response', (response) => resolve(read(response)))
      call.once('error', reject)
    })
    answer.catch(() => undefined)
    return new Promise((resolve) =>
      call.once('continue', () => {
        call.end(JSON.stringify({ address: file.wallets.evm[0].address, amount: 1 }))
        resolve({ answer })
      }),
    )
  }
  const health = (agent: Agent) =>
    new Promise<Answer>((resolve, reject) => {
      request(`${file.baseUrl}/api/v1/health`, { agent }, (response) => resolve(read(response)))
        .once('error', reject)
        .end()
    })
  return { cwd, running, file, delay, craft, health }
}

t.test(
  'after SIGTERM what waits for its chain is answered and recorded, what an open connection asks is its last, and nothing is left',
  async (t) => {
    const { cwd, running, file, delay, craft, health } = await sandbox(t)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => agent.destroy())
    t.match(await health(agent), { status: 200, connection: 'keep-alive' })
    await delay(4_000)
    const { answer } = await craft()
    running.child.kill('SIGTERM')
    await running.said(/Stopping once/)
    t.match(await health(agent), { status: 200, connection: 'close' })
    const { status, connection, body } = await answer
    t.equal(status, 200, body)
    t.match(JSON.parse(body), { unsigned_tx_hash_hex: /^0x/ })
    t.equal(connection, 'close')
    await t.rejects(health(agent), 'no new connection is taken')
    const { code, stdout, stderr } = await running.ended
    t.equal(code, 0)
    t.equal(stderr, '')
    t.match(stdout, /\nStopping once 1 request\(s\) under way are answered; once more ends it at once\.\nStopped\.\n$/)
    const audit = await svc(['audit', '--json', '--identity', 'stop'], { cwd, env })
    t.match(JSON.parse(audit.stdout), { action: 'delegate', status: 200, identity: 'stop' })
    for (const { rpcUrl } of Object.values<{ rpcUrl: string }>(file.chains)) await t.rejects(fetch(rpcUrl))
  },
)

t.test('a second signal ends it at once', async (t) => {
  const { running, file, delay, craft } = await sandbox(t)
  await delay(20_000)
  const { answer } = await craft()
  running.child.kill('SIGINT')
  await running.said(/Stopping once/)
  const again = setInterval(() => running.child.kill('SIGINT'), 100)
  const { code } = await running.ended
  clearInterval(again)
  t.equal(code, 130)
  await t.rejects(answer)
  for (const { rpcUrl } of Object.values<{ rpcUrl: string }>(file.chains)) await t.rejects(fetch(rpcUrl))
})
