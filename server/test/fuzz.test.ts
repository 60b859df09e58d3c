import { createHash } from 'node:crypto'
import { freshSigner } from '@svc/core'
import t from 'tap'
import { createJudge, unbound } from '../bench/fuzz/judge.ts'
import { fuzz } from '../bench/fuzz/run.ts'

// `pnpm fuzz` sends a hundred thousand.
t.test('whatever is asked of any route, the answer is signed, in time, and no fault of the service', async (t) => {
  const { statuses, routes, faults, samples } = await fuzz({ count: 800, seed: 20261122, connections: 8, upstream: 'nonsense' })
  t.same(samples, [])
  t.ok(
    Object.values(faults).every((times) => times === 0),
    JSON.stringify(faults),
  )
  t.ok(routes > 80, `${routes} operations were reached`)
  for (const status of [200, 201, 400, 401, 404, 415, 417, 502]) t.ok(statuses[status], `${status} was among the answers`)
})

t.test('an answer that is unsigned, nameless, of another form, or a fault is found', async (t) => {
  const signer = await freshSigner()
  const judge = createJudge(signer.publicKeyPem)
  const reply = (status: number, content: unknown, headers = {}) => {
    const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
    return { status, body, headers: { 'x-signature': signer.signSync(body), 'x-request-id': '1', ...headers } }
  }
  const refusal = (statusCode: number, code: string) => ({ statusCode, message: 'm', error: 'e', code })
  t.same(judge(reply(200, 'fine')), [])
  t.same(judge(reply(404, refusal(404, 'NOT_FOUND'))), [])
  t.same(judge(reply(502, refusal(502, 'UPSTREAM_UNAVAILABLE'))), [])
  t.same(judge(reply(404, '')), [], 'of a HEAD')
  t.same(judge(reply(200, 'fine', { 'x-signature': signer.signSync('') })), ['unsigned'])
  t.same(judge(reply(200, 'fine', { 'x-signature': undefined, 'x-request-id': undefined })), ['unsigned', 'no request id'])
  t.same(judge(reply(404, refusal(400, 'NOT_FOUND'))), ['not the error body'])
  t.same(judge(reply(400, 'Bad Request')), ['not the error body'])
  t.same(judge(reply(500, refusal(500, 'INTERNAL_ERROR'))), ['ours'])
  t.same(judge(reply(503, refusal(503, 'AUDIT_UNAVAILABLE'))), ['ours'])
  t.same(judge(reply(500, '')), ['ours'])
})

t.test('an answer to another request is found', async (t) => {
  const signer = await freshSigner()
  const keys = signer.responses.keys.map(({ jwk }) => jwk)
  const request = { method: 'GET', path: '/a', route: '/a', headers: {}, body: undefined }
  const digest = createHash('sha256').update('').digest('base64')
  const reply = (url: string) => ({
    status: 200,
    body: Buffer.alloc(0),
    headers: { ...signer.bindSync({ status: 200, digest }, { ...request, url }) },
  })
  t.equal(await unbound(request, reply('/a'), new Date(), keys), undefined)
  t.match(await unbound(request, reply('/b'), new Date(), keys), /^The signature does not fit/)
})
