import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { KeptObject, KeptPosition } from '../../src/life/kept-position.ts'
import { readStanding, readStandings } from '../../src/life/standings.ts'
import { onBoth } from '../support/databases.ts'
import { keeping } from './booking.ts'

const { sql } = core()
const memory = { memory: true }
const NOW = new Date('2026-11-28T12:00:00.000Z')
const LATER = '2026-12-12T12:00:00.000Z'

const leaving = (id: string, at: string): KeptObject => ({
  status: 'deactivating',
  holds: '5',
  leaves: { at, amount: '5', type: 'withdrawal_request', validator: id },
})
const position = (more: Partial<KeptPosition>): KeptPosition => ({
  at: NOW.toISOString(),
  staked: '0',
  activating: null,
  rewards: null,
  objects: null,
  told: {},
  step: 0,
  overdue: 0,
  ...more,
})

/** Positions as readings leave them, with the state and what its owner waits for. */
const CASES: readonly (readonly [name: string, position: KeptPosition, state: string, due: object | null])[] = [
  ['nothing', position({}), 'empty', null],
  ['stake without units', position({ staked: '7' }), 'earning', null],
  ['stake that waits without units', position({ staked: '7', activating: '1' }), 'activating', null],
  ['a unit that waits', position({ objects: { a: { status: 'activating' }, b: { status: 'active' } } }), 'activating', null],
  ['a unit that earns', position({ objects: { a: { status: 'active' } } }), 'earning', null],
  ['a unit that could not be read', position({ objects: { a: { status: 'unknown' } } }), 'earning', null],
  [
    'units on their way out: the first of them',
    position({ staked: '7', activating: '1', objects: { a: leaving('v', '2026-12-13T00:00:00.000Z'), b: leaving('v', LATER) } }),
    'leaving',
    { kind: 'leaves', at: new Date(LATER), amount: 10n },
  ],
  [
    'a unit whose time has passed',
    position({ objects: { a: leaving('v', '2026-11-28T11:00:00.000Z') } }),
    'leaving',
    { kind: 'leaves', at: null, amount: 5n },
  ],
  [
    'a unit without a time or an amount',
    position({ objects: { a: { status: 'deactivating' } } }),
    'leaving',
    { kind: 'leaves', at: null, amount: null },
  ],
  [
    'a unit to withdraw among others',
    position({ objects: { a: leaving('v', LATER), b: { status: 'withdrawable', withdrawable: true, amount: '3' } } }),
    'withdrawable',
    { kind: 'withdrawable', at: null, amount: 3n },
  ],
]

await t.test('the state of a position is its worst, and its owner waits for what comes first', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const served = await keeping(t, store)
      await served.watch()
      const [own] = await readStandings(store, {}, NOW)
      t.match(own, { wallet: 'p001', state: 'unread', staked: null, nextDue: null })
      for (const [index, [, kept]] of CASES.entries())
        await store.run(() =>
          ask(sql`insert into svc_watches (id, account, protocol, network, wallet, origin, created_at, position, read_at, failures, fence)
            select ${`02J${String(index).padStart(23, '0')}`}, account, protocol, ${index === 0 ? '99' : '1'}, ${`W${index}x`}, origin, created_at,
              ${JSON.stringify(kept)}, created_at, 0, 0 from svc_watches where wallet = 'p001' returning id`),
        )
      const [, ...standings] = await readStandings(store, {}, NOW)
      for (const [index, [name, , state, nextDue]] of CASES.entries()) {
        t.equal(standings[index]?.state, state, name)
        t.same(standings[index]?.nextDue, nextDue, name)
      }
      t.same(
        (await readStandings(store, { wallet: 'w3X' }, NOW)).map(({ wallet }) => wallet),
        ['W3x'],
        'a part of an address, in either case',
      )
      t.equal((await readStandings(store, { network: '99' }, NOW)).length, 1)
      t.same(await readStandings(store, { protocol: 'stone' }, NOW), [])
      t.same(await readStandings(store, { account: 'beta' }, NOW), [])

      const headers = { token: (await served.token()).value }
      const list = async (query: string) => (await served.call('GET', `/api/v1/positions${query}`, undefined, headers)).json()
      const gone = await list('?network=99')
      t.match(gone.positions, [
        { network: '99', network_id: '99', symbol: null, state: 'empty', staked: null, activating: null, earned_30d: null },
      ])
      t.match(gone.totals, [{ network: '99', wallets: 1, missing: 1 }], 'of a network that is there no longer no amount is told')

      const key = { account: 'acme', protocol: 'paper', network: '1', wallet: 'p001' }
      t.match(await readStanding(store, key, NOW), { wallet: 'p001' })
      t.equal(await readStanding(store, { ...key, account: 'beta' }, NOW), null)
      t.equal((await served.call('DELETE', '/api/v1/watch/paper/p001')).statusCode, 200)
      t.equal(await readStanding(store, key, NOW), null, 'what is watched no longer is in no list')
      t.equal((await readStandings(store, {}, NOW)).length, CASES.length)
    },
    memory,
  ),
)
