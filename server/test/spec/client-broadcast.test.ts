import { createClient, SvcError } from '@svc/client'
import { rawSigner } from '@svc/client/signers'
import { evmThree } from '@svc/intent-evm-three'
import { signedAnswer } from '@svc/testing/signed-answers'
import { SigningKey } from 'ethers'
import t from 'tap'
import { ownedTrust } from '../support/owned.ts'
import { sandbox } from '../support/service.ts'

const [, , , { privateKey, address }] = sandbox.wallets.evm as [unknown, unknown, unknown, { privateKey: string; address: string }]
const key = new SigningKey(privateKey)

const owned = await ownedTrust()

type Answering = (url: string, asked: Headers) => Promise<Response> | Response

/** Whatever becomes of the broadcast, and nothing else is touched. */
const answering = (answer: Answering): typeof fetch =>
  async function between(url, init) {
    return String(url).endsWith('/action/broadcast') ? answer(String(url), new Headers(init?.headers)) : fetch(url, init)
  }

const refusal = (code: string, more = {}) => JSON.stringify({ error: 'It says so.', code, request_id: '1', ...more })
const controller = new AbortController()

const answers: Readonly<Record<string, Answering>> = {
  "a proxy's 502": () => new Response('<html>Bad Gateway</html>', { status: 502 }),
  'a 200 that nobody has signed': () => new Response('{"tx_hash":"0x00"}'),
  'a signed 500 without a hash': (url, asked) => signedAnswer(url, asked, 500, refusal('INTERNAL_ERROR')),
  'a signed 503 without a hash': (url, asked) => signedAnswer(url, asked, 503, refusal('UPSTREAM_UNAVAILABLE')),
  'a signed 400, said to be refused': (url, asked) => signedAnswer(url, asked, 400, refusal('TRANSACTION_REFUSED')),
  'a signed 401': (url, asked) => signedAnswer(url, asked, 401, refusal('UNAUTHORIZED')),
  'a signed 429': (url, asked) => signedAnswer(url, asked, 429, refusal('RATE_LIMITED')),
  'a signed 502 with another hash': (url, asked) =>
    signedAnswer(url, asked, 502, refusal('UPSTREAM_ERROR', { tx_hash: `0x${'66'.repeat(32)}` })),
  'a signed 500 whose code is no text': (url, asked) => signedAnswer(url, asked, 500, '{"code":7,"error":{}}'),
  'a signed 200 with another hash': (url, asked) => signedAnswer(url, asked, 200, `{"tx_hash":"0x${'66'.repeat(32)}"}`),
  'a signed 200 that is no JSON': (url, asked) => signedAnswer(url, asked, 200, 'sent'),
  'a signed 200 that is null': (url, asked) => signedAnswer(url, asked, 200, 'null'),
  'a signed 200 that is empty': (url, asked) => signedAnswer(url, asked, 200, ''),
  'no connection': () => Promise.reject(new TypeError('fetch failed')),
  'a caller who gives up': () => {
    controller.abort(new Error('given up'))
    return Promise.reject(controller.signal.reason)
  },
}

t.test('whatever becomes of a broadcast, its error has the hash that this process worked out', async (t) => {
  const seen: unknown[] = []
  for (const [what, answer] of Object.entries(answers)) {
    const svc = createClient({ trust: owned, apiKey: sandbox.apiKey, protocols: { monad: evmThree }, retries: 2, fetch: answering(answer) })
    const tx = await svc.monad.delegate({ address, amount: '100' })
    const signed = await tx.sign(rawSigner({ sign: async (hash) => key.sign(hash).serialized }))
    const options = what === 'a caller who gives up' ? { signal: controller.signal } : {}
    const error: unknown = await svc.monad.send(signed, options).catch((reason: unknown) => reason)
    t.ok(SvcError.is(error), `${what}: ${error}`)
    t.match(error, { txHash: signed.txHash, message: new RegExp(` The transaction ${signed.txHash} may have been sent: look it up`) }, what)
    seen.push(Object(error).name)
  }
  t.same(
    new Set(seen),
    new Set([
      'SignatureError',
      'ServiceError',
      'UnavailableError',
      'AuthenticationError',
      'RateLimitError',
      'MismatchError',
      'SvcError',
      'ConnectionError',
    ]),
  )
})

t.test('what never left has none', async (t) => {
  const late = new AbortController()
  let sent = 0
  // Gives up once prepare has answered, before anything was broadcast.
  const between: typeof fetch = async (url, init) => {
    if (String(url).endsWith('/broadcast')) sent++
    const answer = await fetch(url, init)
    const copy = new Response(await answer.arrayBuffer(), answer)
    if (String(url).endsWith('/prepare')) late.abort(new Error('not now'))
    return copy
  }
  const svc = createClient({ trust: owned, apiKey: sandbox.apiKey, protocols: { monad: evmThree }, fetch: between })
  const signed = await (await svc.monad.delegate({ address, amount: '100' })).sign(
    rawSigner({ sign: async (hash) => key.sign(hash).serialized }),
  )
  const reason: unknown = await svc.monad.send(signed, { signal: late.signal }).catch((error: unknown) => error)
  t.equal(reason, late.signal.reason, 'the reason as it was given')
  t.equal(sent, 0)
  const prepare: typeof fetch = async (url, init) =>
    String(url).endsWith('/prepare') ? new Response('<html>', { status: 502 }) : fetch(url, init)
  const other = createClient({ trust: owned, apiKey: sandbox.apiKey, protocols: { monad: evmThree }, fetch: prepare, retries: 0 })
  await t.rejects(other.monad.send(signed), { name: 'SignatureError', txHash: null })
})
