import { desk } from '@svc/testing/paper'
import t from 'tap'
import { onBoth } from '../support/databases.ts'
import { following } from './heart.ts'
import { hashOf, inBlock, UNKNOWN } from './living.ts'

const proven = { certainty: 'proven' } as const

await t.test('a broadcast of what was followed to its end asks no node, and says that end', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const node = desk()
      const { script, broadcast, pass, token, call, key } = await following(t, state, {
        fetch: node,
        config: { accounts: { acme: { name: 'Acme' }, delta: { name: 'Delta' } } },
      })
      const sent = () => node.asked.filter((word) => word === 'post').length
      for (const name of ['done', 'failed', 'replaced', 'expired', 'open', 'included']) await broadcast(name)
      t.equal(sent(), 6)
      script.transactions.set(hashOf('done'), inBlock('final'))
      script.transactions.set(hashOf('failed'), { ...inBlock('failed', { finality: 'final' }), error: { code: 'REVERTED', reason: 'No.' } })
      script.transactions.set(hashOf('replaced'), {
        ...UNKNOWN,
        ...proven,
        status: 'replaced',
        replacedBy: 'h-other',
        replacedBySame: true,
      })
      script.transactions.set(hashOf('expired'), { ...UNKNOWN, ...proven, status: 'expired' })
      script.transactions.set(hashOf('open'), { ...UNKNOWN, status: 'replaced' })
      script.transactions.set(hashOf('included'), inBlock('included'))
      await pass(60_000)
      const asked = script.asked.length
      // Whatever a node says now, as one that has pruned its blocks does.
      script.transactions.clear()
      t.match([(await broadcast('done')).statusCode, (await broadcast('done')).json()], [200, { tx_hash: hashOf('done') }])
      for (const [name, code] of [
        ['failed', 'TRANSACTION_FAILED'],
        ['replaced', 'TRANSACTION_REPLACED'],
        ['expired', 'TRANSACTION_EXPIRED'],
      ] as const) {
        const answer = await broadcast(name)
        t.match([answer.statusCode, answer.json()], [400, { code, tx_hash: hashOf(name) }])
      }
      t.match(
        (await broadcast('replaced')).body,
        /h-other has used .* That one does the very same: look it up, and craft no other unless it failed/,
      )
      t.equal(sent(), 6, 'nothing was sent')
      t.equal(script.asked.length, asked, 'and nobody was asked')
      const log = (await call('GET', '/api/v1/audit?limit=50', undefined, { token: (await token()).value })).json().records
      const repeats = log.filter(({ tx_hash }: { tx_hash: string }) => tx_hash === hashOf('failed'))
      t.match(
        repeats,
        [{ status: 400, error: { code: 'TRANSACTION_FAILED' }, action: 'broadcast' }, { status: 200 }],
        'each attempt is on record',
      )

      t.equal((await broadcast('open')).statusCode, 200)
      t.equal((await broadcast('included')).statusCode, 200)
      t.equal(sent(), 8, 'what can still change is sent, as ever')
      const other = await key('delta')
      t.equal((await broadcast('done', { 'x-api-key': other.value, 'x-network': '1' })).statusCode, 200)
      t.equal(sent(), 9, "another account's row is none of this one's")
    },
    { memory: true },
  ),
)
