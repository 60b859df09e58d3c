import { getEventListeners } from 'node:events'
import { createClient } from '@svc/client'
import { evmThree } from '@svc/intent-evm-three'
import { signedAnswer } from '@svc/testing/signed-answers'
import t, { type Test } from 'tap'
import { API_KEY, clientOf, refused, said, trusted } from './support/service.ts'
import { mockTimers } from './support/timers.ts'

/** Waits that the client asks for, in milliseconds, which pass at once. @param chance between 0 and 1 */
function waitsOf(t: Test, chance: number): readonly number[] {
  const { random } = Math
  Math.random = () => chance
  t.teardown(() => {
    Math.random = random
  })
  return mockTimers(t)
}

t.test('the wait before the next attempt doubles up to 8 s, and between half of it and all is by chance', async (t) => {
  for (const [chance, waited] of [
    [0, [250, 500, 1_000, 2_000, 4_000, 4_000]],
    [1, [500, 1_000, 2_000, 4_000, 8_000, 8_000]],
  ] as const)
    for (const answer of [refused(503, 'X'), new TypeError('fetch failed')])
      await t.test(`${chance} ${answer instanceof Error ? 'away' : 'refused'}`, async (t) => {
        const waits = waitsOf(t, chance)
        const { monad } = clientOf(() => answer, { retries: 6 })
        await t.rejects(monad.info())
        t.same(waits, waited)
      })
})

t.test('a wait that the service asks for is kept up to a minute, and a longer one is told', async (t) => {
  const waits = waitsOf(t, 1)
  for (const seconds of ['1', '60', '61', '99999999999999999999']) {
    const { monad } = clientOf(() => refused(503, 'X', { 'retry-after': seconds }), { retries: 1 })
    const refusal = await monad.info().catch((error: unknown) => error)
    t.match(refusal, { status: 503, retryAfter: Math.min(Number(seconds), Number.MAX_SAFE_INTEGER) })
  }
  t.same(waits, [1_000, 60_000])
})

t.test('whoever can give up has nothing left of a wait that is over', async (t) => {
  waitsOf(t, 0)
  const given = new AbortController()
  const { monad } = clientOf((_, count) => (count < 3 ? refused(503, 'X') : said({ symbol: 'MON' })))
  await monad.info({ signal: given.signal })
  t.equal(getEventListeners(given.signal, 'abort').length, 0)
})

t.test('an answer is taken from nobody else and from no cache, and in as many parts as it comes in', async (t) => {
  const inits: (RequestInit | undefined)[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    inits.push(init)
    const whole = await signedAnswer(String(url), new Headers(init?.headers), 200, JSON.stringify({ symbol: 'MON', name: 'Monad' }), {})
    const bytes = new Uint8Array(await whole.arrayBuffer())
    const parts = [bytes.slice(0, 7), bytes.slice(7, 8), bytes.slice(8)]
    const body = new ReadableStream({
      pull(controller) {
        const part = parts.shift()
        if (part) controller.enqueue(part)
        else controller.close()
      },
    })
    return new Response(body, { status: 200, headers: whole.headers })
  }
  const { monad } = createClient({ trust: trusted, apiKey: API_KEY, protocols: { monad: evmThree }, fetch })
  t.same(await monad.info(), { symbol: 'MON', name: 'Monad' })
  t.match(inits, [{ redirect: 'error', cache: 'no-store' }])
})

t.test('an error without the number of its request names none', async (t) => {
  const { monad } = clientOf(() => refused(404, 'X'), { retries: 0 })
  await t.rejects(monad.info(), { message: 'It says so. (404 X)', requestId: null })
})
