import type { Balance } from '@svc/contract'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import { lastOf } from '../../src/life/claim.ts'
import { claimWatches, saveBase, savePosition } from '../../src/life/watches.ts'
import { onBoth } from '../support/databases.ts'
import { following } from './heart.ts'
import { NOTHING } from './living.ts'

const { sql } = core()
const memory = { memory: true }
const place = { protocol: 'paper', network: '1' }
const active: Balance = {
  ...NOTHING,
  staked: 5n,
  objects: [
    {
      ...{ id: '1', type: 'delegation', status: 'active', amount: 5n, rewards: null, validator: 'v1' },
      ...{ activationEpoch: null, withdrawableEpoch: null, withdrawableAt: null },
    },
  ],
}

await t.test('a first reading that is overtaken is what the next one is compared with', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, pass, script, types, clock } = await following(t, state)
      await call('PUT', '/api/v1/watch/paper/p001')
      // While it is being read, a transaction of it is final: it is to be read again.
      const overtake = () => {
        script.positions.set('p001', active)
        return state.transact(
          ({ now }) => ask(sql`update svc_watches set due_at = ${now}, lease_until = null, fence = fence + 1 returning id`),
          { now: () => clock.now },
        )
      }
      let overtaken = 0
      script.dues.get = (() => (overtaken++ === 0 ? overtake().then(() => null) : null)) as never
      await pass(1_000)
      t.ok(overtaken >= 1)
      await pass(5_000)
      t.same(await types(), ['position.active'])
    },
    memory,
  ),
)

await t.test('who reads a wallet while its first reading is kept as the base writes nothing, and it is read again at once', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, clock } = await following(t, state)
      await call('PUT', '/api/v1/watch/paper/p001')
      const run = <T>(work: Parameters<typeof state.transact<T>>[0]) => state.transact(work, { now: () => clock.now })
      const claim = () => run((database) => claimWatches(database, place, { most: 1, leaseMs: 60_000, after: '', reason: 'first' }))
      const [early] = await claim()
      await run(() => ask(sql`update svc_watches set lease_until = null, fence = fence + 1 returning id`))
      const [late] = await claim()
      if (!early || !late) throw new Error('it is due')
      const reading = { position: '"late"', dueMs: null, sweepMs: null, digest: null, compareMs: null }
      t.equal(await run((database) => savePosition(database, early, reading)), false)
      t.equal(await run((database) => saveBase(database, early, '"base"')), true)
      t.equal(await run((database) => savePosition(database, late, reading)), false, 'it has nothing to compare with')
      t.equal(await run((database) => saveBase(database, late, '"late"')), false)
      const [again] = await claim()
      t.equal(again?.position, '"base"')
    },
    memory,
  ),
)

await t.test('a wallet for which there was no room is watched from a craft on for which there is', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, clock } = await following(t, state, { config: { life: { watched_per_account: 1 } } })
      const craft = (address: string) => call('POST', 'action/give', { address, amount: 1 })
      const watched = async () => (await call('GET', '/api/v1/watch')).json().watches.map(({ address }: { address: string }) => address)
      await craft('p001')
      await craft('p002')
      t.same(await watched(), ['p001'])
      await call('DELETE', '/api/v1/watch/paper/p001')
      await craft('p002')
      t.same(await watched(), [], 'an account that was full is not counted for a minute')
      clock.now = new Date(clock.now.getTime() + 60_000)
      await craft('p002')
      t.same(await watched(), ['p002'])
      await craft('p001')
      t.same(await watched(), ['p002'], 'what was given up stays so')
    },
    memory,
  ),
)

await t.test('a wallet whose record could not be saved is not taken for watched', (t) =>
  onBoth(
    t,
    async (t, state) => {
      let fails = true
      const { call } = await following(t, state, {
        store: (real) => ({
          ...real,
          // All of it is undone: the record alone is saved later.
          appendAudit: async (records, also) => {
            if (!fails || !records.some(({ action }) => action === 'give')) return real.appendAudit(records, also)
            fails = false
            await real.appendAudit(records)
            throw Object.assign(new Error('the connection was lost'), { statusCode: 503 })
          },
        }),
      })
      const craft = () => call('POST', 'action/give', { address: 'p001', amount: 1 })
      t.equal((await craft()).statusCode, 503)
      await state.transact(() => ask(sql`delete from svc_watches`))
      await eventually(
        'a craft is answered',
        async () => (await craft()).statusCode,
        (status) => status === 200,
      )
      t.equal((await call('GET', '/api/v1/watch')).json().watches.length, 1)
    },
    memory,
  ),
)

await t.test('what a dead process had in hand while the clock was an hour ahead is followed when the clock is right', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, broadcast, pass, script, clock } = await following(t, state)
      await call('PUT', '/api/v1/watch/paper/p001')
      await broadcast('a')
      const hour = clock.now.getTime() + 3_600_000
      for (const table of ['svc_watches', 'svc_transactions'])
        await state.transact((database) => ask(sql`update ${sql.raw(table)} set lease_until = ${database.at(new Date(hour))} returning id`))
      await state.transact((database) =>
        ask(sql`insert into svc_leases (name, owner, until, fence)
          select 'follow paper 1 ' || kind, 'dead', ${database.at(new Date(hour))}, 5 from (select 'transactions' as kind union select 'positions') as kinds
          returning name`),
      )
      await pass(2_000)
      t.same(script.asked.map(({ what }) => what).toSorted(), ['position', 'transaction'])
    },
    memory,
  ),
)

t.test('whose turn was the last', async (t) => {
  for (const [accounts, after, last] of [
    [['b', 'c'], 'a', 'c'],
    [['c', 'b'], 'a', 'c'],
    [['a', 'c'], 'b', 'a'],
    [['b', 'a', 'c'], 'b', 'b'],
    [['a'], 'a', 'a'],
    [[], 'b', 'b'],
  ] as const)
    t.equal(lastOf(accounts, after), last, `${accounts.join(' ')} after ${after}`)
})
