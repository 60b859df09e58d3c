import type { EventEmitter } from 'node:events'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { RpcDown } from './support/desk.ts'
import { serve } from './support/serve.ts'
import { listening } from './support/wire.ts'

const body = { address: 'p001', amount: 1 }

t.test('a fault is 500 with a fixed text, and the detail is in the log only', async (t) => {
  const { call, log } = await serve(t)
  for (const how of ['fault', 'text', 'foreign', 'nothing']) {
    const reply = await call('POST', 'action/fail', { ...body, how })
    t.same(
      reply.json(),
      {
        statusCode: 500,
        message: 'Internal Server Error',
        error: 'Something went wrong here; the request id in x-request-id helps to find it.',
        code: 'INTERNAL_ERROR',
      },
      how,
    )
    t.notMatch(JSON.stringify(reply.headers), /secret/)
    t.ok(reply.headers['x-request-id'])
  }
  const fault = log.find(({ err }) => err?.message?.includes('secret detail at'))
  t.match(fault, { level: 50, err: { stack: /TypeError/ }, reqId: String })
})

t.test('a withheld transaction is the same 500, with an alert in the log and its code in the audit log', async (t) => {
  const { call, log, records, metrics } = await serve(t)
  t.match(await metrics.render(), '\nsvc_decode_mismatches_total 0\n')
  const reply = await call('POST', 'action/cheat', body)
  t.match(await metrics.render(), '\nsvc_decode_mismatches_total 1\n')
  t.match(reply.json(), { statusCode: 500, code: 'INTERNAL_ERROR', error: /^Something went wrong here/ })
  t.notMatch(reply.body, /paper\||1000000000000000001|calls/)
  t.match(
    log.find(({ alert }) => alert),
    {
      level: 60,
      alert: 'DECODE_MISMATCH',
      mismatches: [{ path: 'calls[0].value', expected: '1000000000000000000', found: '1000000000000000001' }],
    },
  )
  t.match(await records(1), [{ status: 500, error: 'DECODE_MISMATCH', action: 'cheat', effects: null }])
})

t.test('a refusal keeps its status, sentence and code, and tells when to come back', async (t) => {
  const { call } = await serve(t)
  const refused = (how: string) => call('POST', 'action/fail', { ...body, how })
  t.same((await refused('refused')).json(), { statusCode: 400, message: 'Bad Request', error: 'It is too late.', code: 'TOO_LATE' })
  const busy = await refused('busy')
  t.same(busy.json(), { statusCode: 503, message: 'Service Unavailable', error: 'The desk is busy.', code: 'UPSTREAM_BUSY' })
  t.equal(busy.headers['retry-after'], '17')
  t.match((await refused('framework')).json(), { statusCode: 416, error: 'The range is not one.', code: 'REQUEST_REFUSED' })
  t.match((await refused('teapot')).json(), { statusCode: 418, message: "I'm a Teapot", code: 'TEAPOT' })
  t.equal((await refused('refused')).headers['content-type'], 'application/json; charset=utf-8')
})

t.test('an upstream that is down, slow or busy is 502, 504, 503, and its address is never shown', async (t) => {
  const cases = [
    [RpcDown.refused, 502, 'UPSTREAM_UNAVAILABLE'],
    [RpcDown.busy, 503, 'UPSTREAM_BUSY'],
    [RpcDown.silent, 504, 'UPSTREAM_TIMEOUT'],
  ] as const
  for (const [fetch, statusCode, code] of cases) {
    const { call, metrics } = await serve(t, { fetch, config: { upstream: { timeout_ms: 100, deadline_ms: 200 } } })
    const healthy = async (upstream: string) =>
      new RegExp(`^svc_upstream_healthy\\{upstream="paper ${upstream} desk",endpoint="1"\\} (.)$`, 'm').exec(await metrics.render())?.[1]
    t.equal(await healthy('1'), '1')
    const reply = await call('POST', 'action/give', body)
    t.same([await healthy('1'), await healthy('2')], ['0', '1'])
    t.match(reply.json(), { statusCode, code })
    t.notMatch(reply.body, /invalid|http|desk\./)
  }
})

t.test('a caller who leaves in mid-body is 499 at level info, in log and audit, and no fault', async (t) => {
  const { app, key, log, records } = await serve(t)
  const connect = await listening(t, app)
  const { value } = await key()
  const socket = connect()
  const head = `POST /api/v1/paper/native/action/give HTTP/1.1\r\nHost: svc\r\nX-API-KEY: ${value}\r\n`
  const entered = new Promise<EventEmitter>((resolve) => app.server.once('request', resolve))
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"address":`)
  const request = await entered
  await eventually('the body is being read', () => request.listenerCount('data') > 0)
  socket.resetAndDestroy()
  t.match(await records(1), [{ status: 499, error: 'CALLER_GONE', action: 'give', protocol: 'paper' }])
  t.match(
    log.find(({ status }) => status === 499),
    { level: 30, code: 'CALLER_GONE', reqId: String },
  )
  t.notOk(
    log.some(({ level }) => level >= 40),
    'nothing to wake anybody for',
  )
})

t.test('paths that try to leave the console are refused as what they are', async (t) => {
  const { call } = await serve(t)
  for (const path of ['%00', '..%2f', '....//', '..%5c..%5c', '%c0%af', 'a%00.js', '%', 'x'.repeat(300)]) {
    const { statusCode } = await call('GET', `/docs/static/${path}`, undefined, {})
    t.ok(statusCode === 404 || statusCode === 400 || statusCode === 414, `${path}: ${statusCode}`)
  }
})
