import type { Bounds } from '@svc/contract'
import { desk } from '@svc/testing/paper'
import t, { type Test } from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { onBoth } from '../support/databases.ts'
import { type ServeOptions, serve } from '../support/serve.ts'
import { createScript, hashOf, inBlock, living, signedText, UNKNOWN } from './living.ts'

const { sql } = core()

async function world(t: Test, state: Store, options: ServeOptions & { bounds?: Bounds | null } = {}) {
  const script = createScript()
  const served = await serve(t, { plugins: [living(script, options)], state, config: { life: { follow: false } }, ...options })
  const token = (await served.token()).value
  const other = (await served.token('gamma')).value
  const list = async (query = '', as = token) => (await served.call('GET', `/api/v1/transactions${query}`, undefined, { token: as })).json()
  const one = async (name: string, query = '', as = token) =>
    served.call('GET', `/api/v1/transactions/${encodeURIComponent(hashOf(name))}${query}`, undefined, { token: as })
  const status = (name: string, headers?: Record<string, string>) =>
    served.call('GET', `transaction/${encodeURIComponent(hashOf(name))}`, undefined, headers)
  return {
    ...served,
    script,
    list,
    one,
    other,
    status,
    broadcast: (name: string) => served.call('POST', 'action/broadcast', signedText(name)),
  }
}

await t.test('what was broadcast is followed, and told with its history', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, broadcast, list, one, other, status, clock, key, call } = await world(t, state)
      t.equal((await broadcast('a')).statusCode, 200)
      const { transactions, next } = await list()
      t.equal(next, null)
      t.match(transactions, [
        {
          account: 'acme',
          protocol: 'paper',
          chain_id: '1',
          network: 'paper:1',
          tx_hash: hashOf('a'),
          unsigned_hash: 'u-a',
          status: 'pending',
          finality: 'none',
          certainty: 'likely',
          origin: 'broadcast',
          wallet: 'p001',
          first_seen: clock.now.toISOString(),
          accepted_at: clock.now.toISOString(),
          checked_at: null,
          ended_at: null,
          valid_until: { kind: 'nonce', value: '5' },
        },
      ])
      t.equal(transactions.length, 1)
      t.match((await status('a')).json(), { status: 'pending', certainty: 'likely', first_seen: clock.now.toISOString() })
      t.match(script.subjects, [{ txHash: hashOf('a'), accepted: true, bounds: { wallet: 'p001' }, keep: null }])

      script.transactions.set(hashOf('a'), { ...inBlock('included'), keep: { seen: '90' } })
      t.match((await status('a')).json(), { status: 'included', block: { height: 90 }, moves: [{ units: '10' }], object_ids: ['7'] })
      script.transactions.set(hashOf('a'), inBlock('final'))
      const final = (await status('a')).json()
      t.match(final, { status: 'final', fee: { amount: '0.000000000000000003' } })
      t.same(script.subjects.at(-1)?.keep, { seen: '90' }, 'what the family kept is handed back')
      const asked = script.asked.length
      script.transactions.set(hashOf('a'), UNKNOWN)
      t.same((await status('a')).json(), final, 'an end is told as it was kept')
      t.equal(script.asked.length, asked, 'without asking the chain')

      const told = (await one('a')).json()
      t.match(told, { status: 'final', ended_at: clock.now.toISOString(), next_look_at: null, checked_at: clock.now.toISOString() })
      t.match(told.history, [
        {
          step: 1,
          status: 'included',
          event: 'transaction.included',
          time: '2026-11-21T11:59:50.000Z',
          block: { height: 90, hash: 'b90' },
        },
        { step: 2, status: 'final', event: 'transaction.final' },
      ])
      t.match(told.steps, [{ step: 'broadcast', outcome: 'ok' }])
      t.equal(told.steps.length, 1)
      t.equal(told.differences, null, 'what its bytes promise is not known')
      for (const [promised, expected] of [
        ['10', []],
        ['12', [{ kind: 'staked', asset: 'native', promised: '12', moved: '10' }]],
      ] as const) {
        const text = JSON.stringify([{ kind: 'staked', asset: 'native', amount: promised }])
        await state.transact(() => ask(sql`update svc_transactions set promised = ${text}`), { now: () => clock.now })
        t.same((await one('a')).json().differences, expected, `${promised} promised, 10 moved`)
      }

      t.same((await list('', other)).transactions, [], 'another account sees nothing of it')
      t.equal((await one('a', '', other)).statusCode, 404)
      const foreign = { 'x-api-key': (await key('gamma')).value, 'x-network': '2' }
      t.match((await status('a', foreign)).json(), { status: 'unknown', first_seen: null }, 'and asks the chain for itself')
      t.same((await call('GET', '/api/v1/transactions?account=gamma', undefined, { token: other })).statusCode, 200)
      t.equal((await call('GET', '/api/v1/transactions?account=acme', undefined, { token: other })).statusCode, 400)
    },
    { memory: true },
  ),
)

await t.test('the same again keeps the first row; what is refused has a row, and what was not sent has none', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { list, broadcast, clock, status, script } = await world(t, state)
      await broadcast('a')
      const first = (await list()).transactions[0]
      clock.now = new Date(clock.now.getTime() + 60_000)
      await broadcast('a')
      const { transactions } = await list()
      t.match(transactions, [{ id: first.id, first_seen: first.first_seen, accepted_at: first.accepted_at, request_id: first.request_id }])
      t.equal(transactions.length, 1)
      script.transactions.set(hashOf('a'), inBlock('final'))
      await status('a')
      const ended = (await list()).transactions[0]
      await broadcast('a')
      t.same((await list()).transactions, [ended], 'one that has ended stays as it is')
    },
    { memory: true },
  ),
)

await t.test('no record of a broadcast without its row, and no row without a record, whatever fails', (t) =>
  onBoth(
    t,
    async (t, state) => {
      let broken = false
      const failing: Store = {
        ...state,
        appendAudit: (...given) => (broken ? Promise.reject(new Error('the database is away')) : state.appendAudit(...given)),
      }
      const { list, broadcast, records, call } = await world(t, failing, { fetch: desk({ post: new Error('hung up') }) })
      t.equal((await broadcast('left open')).statusCode, 502)
      t.match((await list()).transactions, [{ tx_hash: hashOf('left open'), status: 'unknown', accepted_at: null }])
      broken = true
      const refused = broadcast('never sent')
      t.equal((await refused).statusCode, 503)
      broken = false
      await records(2)
      t.equal((await call('POST', 'action/prepare', { unsigned_text: 'x', seal: 'y' })).statusCode, 200)
      const sent = (await records(3)).flatMap(({ action, txHash }) => (action === 'broadcast' && txHash !== null ? [txHash] : []))
      t.same(
        (await list()).transactions.map(({ tx_hash: hash }: { tx_hash: string }) => hash),
        sent,
      )
      t.same(sent, [hashOf('left open')])
    },
    { memory: true },
  ),
)

await t.test('bytes whose bounds cannot be read are sent, and followed by nobody', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { list, broadcast } = await world(t, state, { bounds: null })
      t.equal((await broadcast('a')).statusCode, 200)
      t.same((await list()).transactions, [])
    },
    { memory: true },
  ),
)

await t.test('a transaction with two ends keeps both, and who has signed it is handed to its family', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const ends = new Date('2026-12-01T00:00:00.000Z')
      const also = { kind: 'block_height', value: '99', estimatedAt: ends }
      const bounds = { wallet: 'p001', validUntil: { kind: 'nonce', value: '5', estimatedAt: null, also }, facts: {} }
      const { list, call, script } = await world(t, state, { config: { life: { follow: false } }, bounds })
      await call('POST', 'transaction/track', signedText('a'))
      const told = {
        kind: 'nonce',
        value: '5',
        estimated_at: null,
        also: { kind: 'block_height', value: '99', estimated_at: ends.toISOString() },
      }
      t.same((await list()).transactions[0].valid_until, told)
      await call('GET', `transaction/${hashOf('a')}`)
      t.same(script.subjects.at(-1)?.bounds, bounds, 'as the family wrote it')
      t.equal(script.subjects.at(-1)?.wallet, 'p001')
    },
    { memory: true },
  ),
)

await t.test('what was broadcast elsewhere is followed when it is told', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const config = { life: { follow: false, tracked_per_account: 2 } }
      const { list, call, records, script, clock } = await world(t, state, { config })
      const track = (body: object) => call('POST', 'transaction/track', body)
      t.match((await track({ tx_hash: hashOf('a') })).json(), { status: 'unknown', first_seen: clock.now.toISOString() })
      t.match((await list()).transactions, [{ origin: 'track', wallet: null, promised: null, valid_until: null }])
      await track(signedText('a'))
      t.match((await list()).transactions, [{ origin: 'track', wallet: 'p001', unsigned_hash: 'u-a', valid_until: { kind: 'nonce' } }])
      t.match(script.subjects.at(-1), { bounds: { wallet: 'p001' }, accepted: false })
      await track(signedText('a'))
      t.equal((await list()).transactions.length, 1)
      t.match(
        (await records(5)).filter(({ action }) => action === 'track'),
        [
          { action: 'track', txHash: hashOf('a') },
          { action: 'track', txHash: hashOf('a'), unsignedHash: 'u-a' },
          { action: 'track', unsignedHash: 'u-a' },
        ],
      )
      await track(signedText('b'))
      const refused = await track(signedText('c'))
      t.match([refused.statusCode, refused.json().code], [409, 'TRACKED_TOO_MANY'])
      t.equal((await track(signedText('b'))).statusCode, 200, 'what is tracked already may be told again')
      script.transactions.set(hashOf('b'), inBlock('final'))
      await track(signedText('b'))
      t.equal((await track(signedText('c'))).statusCode, 200, 'and when one has ended there is room')
      script.transactions.set(hashOf('d'), new Error('no node answers'))
      script.transactions.set(hashOf('c'), inBlock('final'))
      await track(signedText('c'))
      t.equal((await track(signedText('d'))).statusCode, 500)
      t.match((await list('?limit=1')).transactions, [{ tx_hash: hashOf('d') }], 'followed though the chain could not be asked')
    },
    { memory: true },
  ),
)

await t.test('the list is searched, and read page by page', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { list, broadcast, call, script, status, key, clock } = await world(t, state)
      const names = ['a', 'b', 'c_d', 'e%f']
      for (const name of names) {
        await broadcast(name)
        clock.now = new Date(clock.now.getTime() + 3_600_000)
      }
      const { value } = await key('gamma')
      await call('POST', 'action/broadcast', signedText('g'), { 'x-api-key': value, 'x-network': '2' })
      script.transactions.set(hashOf('a'), inBlock('final'))
      await status('a')
      const hashes = async (query: string) => (await list(query)).transactions.map(({ tx_hash: hash }: { tx_hash: string }) => hash)
      const all = names.toReversed().map(hashOf)
      t.same(await hashes(''), all)
      const first = await list('?limit=3')
      t.same(
        first.transactions.map(({ tx_hash: hash }: { tx_hash: string }) => hash),
        all.slice(0, 3),
      )
      t.same(await hashes(`?limit=3&before=${first.next}`), all.slice(3))
      t.same(await hashes('?status=final'), [hashOf('a')])
      t.same(await hashes('?status=open'), all.slice(0, 3))
      t.same(await hashes('?wallet=P001&protocol=paper&network=1'), all)
      t.same(await hashes('?network=2'), [])
      t.same(await hashes(`?q=${encodeURIComponent('H-B|SEAL')}`), [hashOf('b')], 'in whatever case')
      t.same(await hashes(`?q=${encodeURIComponent('u-b')}`), [hashOf('b')])
      t.same(await hashes('?q=100%25'), [])
      t.same(await hashes('?from=2026-11-21T14:00:00Z&to=2026-11-21T15:00:00Z'), [hashOf('c_d')])
      await state.run(() =>
        ask(
          sql`update svc_transactions set tx_hash = '0xABCDEF12345', wallet = 'p00123456789' where tx_hash = ${hashOf('b')} returning id`,
        ),
      )
      t.same(await hashes('?q=0xabcdef'), ['0xABCDEF12345'], 'by its beginning, in whatever case')
      t.same(await hashes('?q=P0012345'), ['0xABCDEF12345'])
      for (const q of ['0xabcde', 'xABCDEF1', '0xABCDEF123456', 'p001234']) t.same(await hashes(`?q=${q}`), [], q)
      for (const bad of ['?status=lost', '?before=x', '?limit=0', '?from=yesterday']) t.equal((await list(bad)).statusCode, 400, bad)
    },
    { memory: true },
  ),
)
