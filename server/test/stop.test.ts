import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { folder, launch, svc, troubleIn } from './cli-process.ts'

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

/** A craft that the service has begun to read, and whose body it waits for: it is under way for as long as the test wants. */
interface Begun {
  /** Sends the body. */
  finish(): Promise<Answer>
  readonly answer: Promise<Answer>
}

/** A sandbox, and a call of it. */
async function sandbox(t: Test) {
  const cwd = await folder(t)
  const running = launch(['start'], { cwd, env })
  t.teardown(() => running.child.kill('SIGKILL'))
  await running.said(/Ctrl-C stops it/)
  const file = JSON.parse(await readFile(join(cwd, 'state/sandbox.json'), 'utf8'))

  async function begin(): Promise<Begun> {
    const call = request(`${file.baseUrl}/api/v1/evm-three/native/action/delegate`, {
      method: 'POST',
      // The service says "continue" once it has read the head of the request: from then on it is under way.
      headers: { 'x-api-key': file.apiKey, 'x-identity': 'stop', 'content-type': 'application/json', expect: '100-continue' },
    })
    const answer = new Promise<Answer>((resolve, reject) => {
      call.once('response', (response) => resolve(read(response)))
      call.once('error', reject)
    })
    answer.catch(() => undefined)
    const goOn = new Promise<void>((resolve) => call.once('continue', resolve))
    call.flushHeaders()
    await Promise.race([
      goOn,
      answer.then(({ status, body }) => {
        throw new Error(`it was answered before its body was read: ${status} ${body}`)
      }),
    ])
    return {
      answer,
      finish() {
        call.end(JSON.stringify({ address: file.wallets.evm[0].address, amount: 1 }))
        return answer
      },
    }
  }
  return { cwd, running, file, begin }
}

// A last request on a connection that nothing comes on is waited for by a clock: packages/core/test/drain.test.ts, where the test has it.
t.test('after SIGTERM what is under way asks its chain, is answered and recorded, and nothing is left', async (t) => {
  const { cwd, running, file, begin } = await sandbox(t)
  const { finish } = await begin()
  running.child.kill('SIGTERM')
  await running.said(/Stopping once/)
  const { status, connection, body } = await finish()
  t.equal(status, 200, body)
  t.match(JSON.parse(body), { unsigned_tx_hash_hex: /^0x/ })
  t.equal(connection, 'close')
  await t.rejects(fetch(`${file.baseUrl}/api/v1/health`), 'no new connection is taken')
  const { code, stdout, stderr } = await running.ended
  t.equal(code, 0)
  t.same(troubleIn(stderr), [])
  t.match(stdout, /\nStopping once 1 request\(s\) under way are answered; once more ends it at once\.\nStopped\.\n$/)
  const audit = await svc(['audit', '--json', '--identity', 'stop'], { cwd, env })
  t.match(JSON.parse(audit.stdout), { action: 'delegate', status: 200, identity: 'stop' })
  for (const { rpcUrl } of Object.values<{ rpcUrl: string }>(file.chains)) await t.rejects(fetch(rpcUrl))
})

t.test('a second signal ends it at once', async (t) => {
  const { running, file, begin } = await sandbox(t)
  const { answer } = await begin()
  running.child.kill('SIGINT')
  await running.said(/Stopping once/)
  const again = setInterval(() => running.child.kill('SIGINT'), 100)
  const { code } = await running.ended
  clearInterval(again)
  t.equal(code, 130)
  await t.rejects(answer)
  for (const { rpcUrl } of Object.values<{ rpcUrl: string }>(file.chains)) await t.rejects(fetch(rpcUrl))
})
