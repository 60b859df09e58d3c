import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import { onBoth } from '../support/databases.ts'
import { keeping } from './booking.ts'

const { sql } = core()
const memory = { memory: true }
const DAY = 86_400_000
const MON = 10n ** 18n

await t.test('a position is listed as it was last read, with what it earned by its book', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, chain, watch, later, token } = await keeping(t, state)
      const headers = { token: (await token()).value }
      const list = async (query = '') => (await call('GET', `/api/v1/positions${query}`, undefined, headers)).json()
      t.same((await list()).positions, [])
      await watch()
      const fresh = await list()
      t.match(fresh.positions, [{ address: 'p001', state: 'unread', read_at: null, staked: null, earned_30d: null, book: null }])
      t.match(fresh.totals, [{ network: 'paper:1', wallets: 1, staked: '0', missing: 1 }])
      await later(2_000)
      t.match((await list()).positions, [{ state: 'empty', staked: '0', unclaimed: '0', earned_30d: null, rate_percent: null }])
      chain.block(['deposit', 1_000n * MON + 1n, 'wallet', 'stake'])
      chain.pay(3n * MON)
      await later(1.2 * DAY)
      for (let day = 0; day < 9; day++) {
        chain.pay(10n ** 17n)
        await later(DAY)
      }
      const { positions, totals, counts, next } = await list()
      t.match(positions, [
        {
          account: 'acme',
          protocol: 'paper',
          network: 'paper:1',
          network_id: '1',
          symbol: null,
          address: 'p001',
          state: 'earning',
          staked: '1000.000000000000000001',
          activating: null,
          unclaimed: '3.9',
          next_due: null,
          earned_30d: '3.9',
          slashed_30d: false,
          book: { complete: true, unexplained: '0' },
        },
      ])
      t.equal(positions[0].earned_days, 8)
      t.match(positions[0].rate_percent, /^1[0-9]\.\d{6}$/)
      t.same(totals, [{ network: 'paper:1', symbol: null, wallets: 1, staked: '1000.000000000000000001', activating: '0', missing: 0 }])
      t.match(counts, { earning: 1, empty: 0, unread: 0 })
      t.equal(next, null)
      const other = { token: (await token('beta')).value }
      t.same((await call('GET', '/api/v1/positions', undefined, other)).json().positions, [], 'another account sees nothing of it')
      t.equal((await call('GET', '/api/v1/positions?account=acme', undefined, other)).json().code, 'UNKNOWN_ACCOUNT')
      t.equal((await call('GET', '/api/v1/positions', undefined, {})).statusCode, 401)
      t.equal((await call('GET', '/api/v1/positions/paper/1/p001', undefined, other)).json().code, 'NOT_WATCHED')
    },
    memory,
  ),
)

await t.test('what nothing explains comes first, and pages follow one another', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, chain, watch, later, token } = await keeping(t, state)
      const headers = { token: (await token()).value }
      const list = async (query = '') => (await call('GET', `/api/v1/positions${query}`, undefined, headers)).json()
      await call('PUT', '/api/v1/watch/paper/p003', undefined, undefined)
      await watch()
      await later(2_000)
      chain.block(['deposit', 5n * MON, 'wallet', 'stake'])
      await later(1.2 * DAY)
      chain.block(['claim', 0n, 'rewards', 'wallet'])
      chain.flows = []
      chain.amounts.stake = 2n * MON
      await later(1.2 * DAY)
      const { positions, counts } = await list()
      t.equal(counts.unexplained, 2, JSON.stringify(counts))
      t.match(positions[0], { state: 'unexplained', book: { complete: false, unexplained: '3' } })
      t.same(
        (await list('?state=unexplained&limit=1')).positions.map(({ address }: { address: string }) => address),
        ['p003'],
      )
      const first = await list('?limit=1')
      const second = await list(`?limit=1&after=${first.next}`)
      t.same([...first.positions, ...second.positions], positions)
      t.equal(second.next, null)
      t.same((await list('?wallet=P00')).positions.length, 2)
      t.match((await list('?wallet=001')).positions, [{ address: 'p001' }])
      t.same((await list('?wallet=009')).positions, [])
      t.equal((await list('?after=x')).code, 'REQUEST_INVALID')
    },
    memory,
  ),
)

await t.test('a position whose reading is late is stale, be it that nobody tries, or that it fails', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, chain, watch, later, token, clock } = await keeping(t, state, { bare: true })
      const headers = { token: (await token()).value }
      const stands = async () => (await call('GET', '/api/v1/positions', undefined, headers)).json().positions[0].state
      chain.amounts.stake = 3n
      await watch()
      await later(2_000)
      t.equal(await stands(), 'earning')
      const before = clock.now
      clock.now = new Date(before.getTime() + 2 * DAY)
      t.equal(await stands(), 'stale', 'nobody has read it for two days')
      clock.now = before
      const { amounts } = chain
      let fails = true
      Object.defineProperty(chain, 'amounts', {
        get: () => {
          if (fails) throw new Error('gone')
          return amounts
        },
      })
      await later(1.2 * DAY)
      t.equal(await stands(), 'earning', 'a few failures are no news')
      for (let hour = 0; hour < 12; hour++) await later(3_600_000)
      t.equal(await stands(), 'stale')
      fails = false
      await later(3_600_000)
      t.equal(await stands(), 'earning')
    },
    memory,
  ),
)

await t.test('a wallet’s days are those of its book; what was not read is not carried over', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, chain, watch, later, token } = await keeping(t, state)
      const headers = { token: (await token()).value }
      const read = async (path = 'paper/1/p001') => (await call('GET', `/api/v1/positions/${path}`, undefined, headers)).json()
      t.match(await read(), { code: 'NOT_WATCHED', error: /p001/ })
      await watch()
      await later(2_000)
      chain.block(['deposit', 10n * MON, 'wallet', 'stake'])
      chain.pay(1n)
      await later(1.2 * DAY)
      chain.lie = () => new Error('gone')
      await later(3 * DAY)
      chain.lie = (_host, _word, answer) => answer
      chain.pay(2n)
      await later(1.2 * DAY)
      const { days, buckets, earned_30d } = await read()
      t.same(buckets, [
        { name: 'stake', kind: 'principal', role: 'earning' },
        { name: 'rewards', kind: 'accrual', role: 'unclaimed' },
        { name: 'foreign', kind: 'accrual', role: 'foreign' },
      ])
      t.equal(earned_30d, '0.000000000000000003')
      t.same(
        days.map(({ day }: { day: string }) => day),
        ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'],
      )
      t.ok(
        days.some(
          ({ buckets, earned, complete }: { buckets: unknown; earned: unknown; complete: boolean }) =>
            buckets === null && earned === null && !complete,
        ),
        'a day in which nothing was read',
      )
      t.match(days.at(-1).buckets ?? days.at(-2).buckets, [
        { bucket: 'stake', amount: '10', amount_base: `${10n * MON}` },
        { bucket: 'rewards' },
      ])
      t.equal((await read('paper/1/p001?days=2')).days.length, 2)
      t.match(await read('paper/2/p001'), { code: 'NOT_WATCHED' })
      t.match(await read('paper/1/p001?days=0'), { code: 'REQUEST_INVALID' })
    },
    memory,
  ),
)

await t.test('a book that others have filled takes the figures of its own row, and no other', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, chain, watch, later, token } = await keeping(t, state)
      const headers = { token: (await token()).value }
      const list = async () => (await call('GET', '/api/v1/positions', undefined, headers)).json()
      await call('PUT', '/api/v1/watch/paper/p003', undefined, undefined)
      await watch()
      await later(2_000)
      chain.block(['deposit', MON, 'wallet', 'stake'])
      chain.pay(3n * MON)
      await later(1.2 * DAY)
      t.match((await list()).positions, [{ earned_30d: '3' }, { earned_30d: '3' }])
      for (let part = 0; part < 16; part++)
        await state.run(() =>
          ask(sql`insert into svc_lines (book, n, mark, at, closing, opening, flags, source, booked_at)
            select book, n + ${100 * (part + 1)} + row_number() over (order by n), mark, at, closing, opening, flags, source, booked_at from
              (select l.* from svc_lines l, (${sql.join(
                Array.from({ length: 100 }, (_, index) => sql`select ${index} as i`),
                sql` union all `,
              )}) as numbers where l.n = 1 and l.book = (select id from svc_books where wallet = 'p001')) as copies returning n`),
        )
      const { positions } = await list()
      t.same(positions.map(({ address, earned_30d }: { address: string; earned_30d: string | null }) => [address, earned_30d]).toSorted(), [
        ['p001', null],
        ['p003', '3'],
      ])
    },
    memory,
  ),
)
