import { type SignedTransaction, SvcError } from '@svc/client'
import t from 'tap'
import { clientOf, craftAt, custodian, refused, type ServiceAnswer, type ServiceRequest, said, wanted } from './support/service.ts'

/** A stake that is signed, and a service that prepares it as it should and says something to its broadcast. */
async function signedStake(
  broadcast: (seen: ServiceRequest) => ServiceAnswer,
  prepared: (right: Readonly<Record<string, string>>) => ServiceAnswer = said,
) {
  let signed: SignedTransaction | undefined
  const { monad, asked } = clientOf((seen) => {
    if (seen.path === '/action/delegate') return said(craftAt(0))
    return seen.path === '/action/prepare' ? prepared(signed?.signed ?? {}) : broadcast(seen)
  })
  signed = await (await monad.delegate(wanted)).sign(custodian)
  return { monad, signed, paths: () => asked.map(({ path }) => path.replace('/action/', '')), asked }
}

t.test('what was signed is prepared, compared and sent once, under the hash that this process worked out', async (t) => {
  const { monad, signed, paths, asked } = await signedStake(() => said({ tx_hash: signed.txHash }))
  t.same(await monad.send(signed), { txHash: signed.txHash })
  t.same(paths(), ['delegate', 'prepare', 'broadcast'])
  t.same(JSON.parse(asked[2]?.body ?? ''), signed.signed)
  t.match(signed.txHash, /^0x[0-9a-f]{64}$/)
})

t.test('what the service prepared otherwise is not sent', async (t) => {
  for (const prepared of [
    (right: object) => said(Object.fromEntries(Object.entries(right).map(([name, text]) => [name, `${text}00`]))),
    () => said({}),
    () => said(null),
  ]) {
    const { monad, signed, paths } = await signedStake(() => new Error('it is sent'), prepared)
    await t.rejects(monad.send(signed), { name: 'MismatchError', txHash: null, message: /not the one that was signed, so it is not sent/ })
    t.same(paths(), ['delegate', 'prepare'])
  }
  const { monad, paths } = await signedStake(() => new Error('it is sent'))
  await t.rejects(monad.send({ prepare: { body: {}, expected: {} }, txHash: '0x' } as never), { name: 'SetupError' })
  t.same(paths(), ['delegate'])
})

t.test('a broadcast is never repeated, and its error has the hash of this process alone', async (t) => {
  const other = `0x${'66'.repeat(32)}`
  const cases: readonly (readonly [ServiceAnswer, string])[] = [
    [refused(503, 'UPSTREAM_UNAVAILABLE', { 'retry-after': '0' }), 'UnavailableError'],
    [refused(429, 'RATE_LIMITED', { 'retry-after': '0' }), 'RateLimitError'],
    [{ status: 502, body: { error: 'No.', code: 'UPSTREAM_ERROR', request_id: '1', tx_hash: other } }, 'UnavailableError'],
    [new TypeError('fetch failed'), 'ConnectionError'],
    [said({ tx_hash: other }), 'MismatchError'],
    [said({}), 'MismatchError'],
    [said(null), 'SvcError'],
  ]
  for (const [answer, name] of cases) {
    const { monad, signed, paths } = await signedStake(() => answer)
    const error: unknown = await monad.send(signed).catch((reason: unknown) => reason)
    t.ok(SvcError.is(error))
    t.match(error, { name, txHash: signed.txHash })
    t.ok(String(error).includes(`The transaction ${signed.txHash} may have been sent`), String(error))
    t.equal(paths().filter((each) => each === 'broadcast').length, 1, name)
  }
})

t.test('what is prepared may be asked for again, since nothing has left', async (t) => {
  let count = 0
  const { monad, signed, paths } = await signedStake(
    () => said({ tx_hash: signed.txHash }),
    (right) => (count++ === 0 ? refused(503, 'UPSTREAM_UNAVAILABLE', { 'retry-after': '0' }) : said(right)),
  )
  await monad.send(signed)
  t.same(paths(), ['delegate', 'prepare', 'prepare', 'broadcast'])
})

t.test('whoever gives up before it is sent sends nothing', async (t) => {
  const late = new AbortController()
  const { monad, signed, paths } = await signedStake(
    () => new Error('it is sent'),
    (right) => {
      setImmediate(() => undefined)
      late.abort(new Error('not now'))
      return said(right)
    },
  )
  await t.rejects(monad.send(signed, { signal: late.signal }), { message: 'not now' })
  t.same(paths(), ['delegate', 'prepare'])
})

t.test('what is tracked is asked about by its bytes or by its hash', async (t) => {
  let given = new AbortController()
  const { monad, signed, asked } = await signedStake(({ body }) => {
    // Who waits for it gives up once he has asked.
    setImmediate(() => given.abort(new Error('given up')))
    return { status: 500, body: { error: body, code: 'INTERNAL_ERROR', request_id: '1' } }
  })
  for (const [sent, body] of [
    [signed, signed.signed],
    [signed.txHash, { tx_hash: signed.txHash }],
  ] as const) {
    given = new AbortController()
    await t.rejects(monad.track(sent, { signal: given.signal }), { message: 'given up' })
    t.match(asked.at(-1), { method: 'POST', path: '/transaction/track' })
    t.same(JSON.parse(asked.at(-1)?.body ?? ''), body)
  }
})
