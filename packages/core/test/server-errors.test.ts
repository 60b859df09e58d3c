import t from 'tap'
import { RpcDown } from './support/desk.ts'
import { serve } from './support/serve.ts'

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
  const { call, log, records } = await serve(t)
  const reply = await call('POST', 'action/cheat', body)
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
    const { call } = await serve(t, { fetch, config: { upstream: { timeout_ms: 100, deadline_ms: 200 } } })
    const reply = await call('POST', 'action/give', body)
    t.match(reply.json(), { statusCode, code })
    t.notMatch(reply.body, /invalid|http|desk\./)
  }
})
