import { once } from 'node:events'
import { copyFile, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { paperFolder } from '../bench/reload/folder.ts'
import { emptyFolder, launch } from './cli-process.ts'

t.test('the example sends the spans of a service to a collector', async (t) => {
  const cwd = await emptyFolder(t)
  const papers = await paperFolder(cwd)
  await papers.install('first')
  await papers.configure({ first: 'p002' })
  await copyFile(new URL('../../examples/deploy/monitoring/traces.mjs', import.meta.url), join(cwd, 'traces.mjs'))
  await symlink(fileURLToPath(new URL('../node_modules/@opentelemetry', import.meta.url)), join(cwd, 'node_modules/@opentelemetry'))

  const batches: { path: string | undefined; text: string }[] = []
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    batches.push({ path: request.url, text: Buffer.concat(chunks).toString() })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  t.teardown(() => {
    collector.close()
    collector.closeAllConnections()
  })
  const { port } = collector.address() as AddressInfo
  const env = {
    SVC_PORT: '0',
    NODE_OPTIONS: '--import ./traces.mjs',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_TRACES_SAMPLER_ARG: '1',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  }
  const running = launch(['start'], { cwd, env })
  t.teardown(() => running.child.kill('SIGKILL'))
  const [, url = ''] = await running.said(/"Server listening at (http:[^"]+)"/)
  await running.said(/requests are traced: an SDK of OpenTelemetry is registered in this process/)
  t.equal((await fetch(`${url}/api/v1/health`)).status, 200)
  const span = /"stringValue":"staking".*"name":"GET \/api\/v1\/health"/s
  const sent = await eventually(
    'the span of the request',
    () => batches,
    (all) => all.some(({ text }) => span.test(text)),
  )
  t.match(
    sent.find(({ text }) => span.test(text)),
    { path: '/v1/traces' },
  )
  running.child.kill('SIGTERM')
  t.equal((await running.ended).code, 0)
})
