import { isSettled, type TransactionStatus } from '@svc/client'
import t from 'tap'
import { clientOf, refused, type ServiceAnswer, said } from './support/service.ts'
import { mockTimers } from './support/timers.ts'

const HASH = `0x${'ab'.repeat(32)}`
const told = (status: string, finality: string, certainty = 'proven') =>
  said({
    ...{
      tx_hash: HASH,
      network: 'eip155:143',
      status,
      finality,
      certainty,
      block: null,
      fee: null,
      moves: null,
      object_ids: null,
      error: null,
    },
    ...{ replaced_by: null, valid_until: null, checked_at: '2026-11-25T12:00:00.000Z' },
  })

t.test('what is settled is final, failed for good, replaced or expired, and proven', async (t) => {
  const settled = ['failed final', 'final final', 'replaced none', 'expired none']
  for (const status of ['unknown', 'pending', 'included', 'final', 'failed', 'replaced', 'expired'] as const)
    for (const finality of ['none', 'included', 'final'] as const)
      for (const certainty of ['proven', 'likely'] as const) {
        // Which place in a block a status can have, the reading of an answer sees to.
        const isEnd = settled.includes(`${status} ${finality}`) || status === 'replaced' || status === 'expired' || finality === 'final'
        t.equal(
          isSettled({ status, finality, certainty } as TransactionStatus),
          isEnd && certainty === 'proven',
          `${status} ${finality} ${certainty}`,
        )
      }
})

t.test('whoever waits goes on while nobody could be asked, and while nothing is proven', async (t) => {
  const answers: readonly ServiceAnswer[] = [
    refused(503, 'UPSTREAM_UNAVAILABLE'),
    new TypeError('fetch failed'),
    told('included', 'included'),
    told('replaced', 'none', 'likely'),
    told('final', 'final', 'likely'),
    told('final', 'final'),
  ]
  const { monad, asked } = clientOf((_, count) => answers[count - 1] ?? new Error('asked once too often'), { retries: 0 })
  const seen: string[] = []
  mockTimers(t)
  const found = await monad.settled(HASH, { onStatus: ({ status, certainty }) => seen.push(`${status} ${certainty}`) })
  t.match(found, { status: 'final', certainty: 'proven' })
  t.same(seen, ['included proven', 'replaced likely', 'final likely', 'final proven'])
  t.equal(asked.length, answers.length)
})

t.test('a refusal is told at once, and whoever gives up waits no longer', async (t) => {
  const refusing = clientOf(() => refused(404, 'NOT_FOUND'))
  await t.rejects(refusing.monad.settled(HASH), { name: 'ServiceError', status: 404 })
  t.equal(refusing.asked.length, 1)
  const waits = new AbortController()
  const pending = clientOf(() => told('pending', 'none'))
  const seen = pending.monad.settled(HASH, { signal: waits.signal, onStatus: () => setImmediate(() => waits.abort(new Error('given up'))) })
  await t.rejects(seen, { message: 'given up' })
  t.equal(pending.asked.length, 1)
})

t.test('what is waited between two looks grows, up to a minute', async (t) => {
  const waits = mockTimers(t)
  const { monad } = clientOf((_, count) => (count <= 16 ? told('pending', 'none') : told('expired', 'none')))
  await monad.settled(HASH)
  t.same(waits.slice(0, 4), [500, 750, 1125, 1687.5])
  t.equal(waits.length, 16)
  t.equal(waits.at(-1), 60_000)
  t.ok(waits.every((each) => each <= 60_000))
})
