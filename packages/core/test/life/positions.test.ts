import type { Balance, StakedObject } from '@svc/contract'
import fc from 'fast-check'
import t from 'tap'
import { ulid } from 'ulid'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { compare } from '../../src/life/position.ts'
import { crossed, growsIn, unitsOf } from '../../src/life/rewards.ts'
import { inMemory, onBoth } from '../support/databases.ts'
import { following } from './heart.ts'
import { hashOf, inBlock, NOTHING } from './living.ts'

const { sql } = core()
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const memory = { memory: true }
const ONE = 10n ** 18n

const object = (id: string, status: StakedObject['status'], changes: Partial<StakedObject> = {}): StakedObject => ({
  id,
  type: 'delegation',
  status,
  amount: ONE,
  rewards: null,
  validator: 'v1',
  activationEpoch: null,
  withdrawableEpoch: null,
  withdrawableAt: null,
  ...changes,
})
const holding = (...objects: StakedObject[]): Balance => ({ ...NOTHING, staked: ONE, objects })
const watch = { address: 'p001', amount: 1 }

async function receiver(store: Store, thresholds: object | null): Promise<string> {
  const id = ulid()
  await store.transact(({ now }) =>
    ask(sql`insert into svc_webhooks (ulid, account, url, rewards_threshold, status, secret_version, pepper, created_at, updated_at)
      values (${id}, 'acme', 'https://a.example/', ${thresholds && JSON.stringify(thresholds)}, 'enabled', 1, 'p', ${now}, ${now}) returning ulid`),
  )
  return id
}

await t.test('a wallet is watched from its first craft on, and by request, until it is given up', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, pass, script, clock, key, records } = await following(t, state, { config: { life: { watched_per_account: 2 } } })
      const list = async (query = '') => (await call('GET', `/api/v1/watch${query}`)).json().watches
      t.equal((await call('POST', 'action/give', watch)).statusCode, 200)
      await call('POST', 'action/give', watch)
      t.match(await list(), [
        { protocol: 'paper', network: '1', address: 'p001', origin: 'craft', created_at: clock.now.toISOString(), read_at: null },
      ])
      t.same(script.asked, [], 'a craft asks for no position')
      await pass(2_000)
      t.same(script.asked, [{ what: 'position', of: 'p001', chainId: '1' }], 'which is read right after it, before anything of it can land')
      t.match(await list(), [{ read_at: /^2026-11-21T12:00/ }])

      const put = (address: string, headers?: Record<string, string>, protocol = 'paper') =>
        call('PUT', `/api/v1/watch/${protocol}/${address}`, undefined, headers)
      t.match((await put('P002')).json(), { address: 'p002', origin: 'request' })
      t.equal((await put('p002')).statusCode, 200, 'once more changes nothing')
      t.match([(await put('p003')).statusCode, (await put('p003')).json().code], [409, 'WATCHED_TOO_MANY'])
      t.match((await put('nobody')).json(), { code: 'ADDRESS_INVALID' })
      t.equal((await put('p002', undefined, 'evm-three')).statusCode, 404)
      const { value } = await key('beta')
      t.equal((await put('p002', { 'x-api-key': value })).statusCode, 404, 'not there for this account')
      t.same((await call('GET', '/api/v1/watch', undefined, { 'x-api-key': (await key('gamma')).value })).json().watches, [])

      const remove = (address: string) => call('DELETE', `/api/v1/watch/paper/${address}`)
      t.equal((await remove('p001')).statusCode, 200)
      t.match((await remove('p001')).json(), { code: 'NOT_WATCHED' })
      await call('POST', 'action/give', watch)
      t.match(await list(), [{ address: 'p002' }], 'a craft does not bring it back')
      t.equal((await put('p001')).statusCode, 200)
      const first = (await call('GET', '/api/v1/watch?limit=1')).json()
      t.same([first.watches.length, (await list(`?after=${first.next}`)).length, (await list('?protocol=none')).length], [1, 1, 0])
      const changes = (await records(12)).filter(({ action }) => action === 'watch' || action === 'unwatch')
      t.match(changes[0], { action: 'watch', wallet: 'p002', protocol: 'paper', network: '1', status: 200 })
    },
    memory,
  ),
)

await t.test('what leaves by itself is told when it is gone after its time, and only then', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, script, clock, events, call } = await following(t, state)
      const leaving = (id: string, hours: number) =>
        object(id, 'deactivating', { withdrawableAt: new Date(clock.now.getTime() + hours * HOUR), amount: 2n * ONE })
      script.positions.set('p001', holding(leaving('1', 2), leaving('2', 2), leaving('3', 48), object('4', 'withdrawable')))
      await call('PUT', '/api/v1/watch/paper/p001')
      await pass(2_000)
      const time = new Date(clock.now.getTime() + 2 * HOUR - 2_000).toISOString()
      script.dues.set('p001', new Date(time))
      await pass(3 * HOUR, 5 * MINUTE)
      t.same(await events(), [], 'what is late is there still')
      script.positions.set('p001', holding(object('2', 'withdrawable', { withdrawableEpoch: 7 })))
      script.dues.delete('p001')
      script.transactions.set(hashOf('a'), inBlock('final'))
      await broadcast('a')
      await pass(MINUTE)
      const told = (await events()).slice(1)
      t.match(
        told.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
        [
          { type: 'position.withdrawable', data: { object_id: '2', withdrawable_epoch: 7 } },
          {
            type: 'position.withdrawn',
            data: { object_id: '1', amount: { amount: '2' }, withdrawable_at: time, withdrawable_epoch: null, validator: 'v1' },
          },
        ],
        'one that was cancelled before its time, and one that had to be withdrawn, are not',
      )
      t.equal(told.length, 2)
    },
    memory,
  ),
)

await t.test('a stake that has no unit turns active by what its bucket gains, whatever exits have', async (t) => {
  const at = new Date(0)
  const exit = object('7', 'deactivating')
  const balance = (activating: bigint, staked: bigint, ...objects: StakedObject[]) => ({ ...NOTHING, activating, staked, objects })
  const { kept } = compare(null, balance(3n, 1n, exit), at)
  t.same(compare(kept, balance(1n, 3n, exit), at).news, [{ type: 'position.active', object: null, amount: 2n }])
  t.same(compare(kept, balance(0n, 1n, exit), at).news, [], 'and not by what has gone elsewhere')
  t.match(
    compare(compare(null, balance(0n, 1n, exit), at).kept, balance(0n, 3n, exit), at).news,
    [{ amount: 2n }],
    'nor is one missed that was never seen waiting',
  )
  const unwaiting = (staked: bigint) => ({ ...balance(0n, staked, exit), activating: null })
  t.same(compare(compare(null, unwaiting(1n), at).kept, unwaiting(2n), at).news, [], 'where nothing waits, rewards may be what is gained')
  const units = compare(null, balance(3n, 1n, object('1', 'activating')), at)
  t.match(
    compare(units.kept, balance(0n, 4n, object('1', 'active')), at).news,
    [{ object: { id: '1' } }],
    'one that has a unit is told once',
  )
})

await t.test('a position is read when something is due, and what has changed is told once', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, script, clock, events, call } = await following(t, state)
      await call('PUT', '/api/v1/watch/paper/p001')
      await pass(2_000)
      const reads = () => script.asked.filter(({ what }) => what === 'position').length
      t.equal(reads(), 1)
      script.positions.set('p001', holding(object('1', 'activating')))
      script.dues.set('p001', new Date(clock.now.getTime() + 5 * HOUR))
      script.transactions.set(hashOf('a'), inBlock('final'))
      await broadcast('a')
      await pass(MINUTE)
      t.equal(reads(), 2, 'after a transaction of it is final')
      await pass(4 * HOUR, 30 * MINUTE)
      t.equal(reads(), 2, 'and not before something is due')
      const active = holding(object('1', 'active'))
      script.positions.set('p001', active)
      script.dues.delete('p001')
      await pass(70 * MINUTE, 10 * MINUTE)
      t.equal(reads(), 3)
      t.match((await events()).slice(1), [
        {
          type: 'position.active',
          subject: 'paper:1 p001',
          data: {
            network: 'paper:1',
            protocol: 'paper',
            wallet: 'p001',
            object_id: '1',
            amount: { amount: '1' },
            validator: 'v1',
            step: 1,
          },
        },
      ])
      t.equal((await events()).length, 2)

      const at = new Date(clock.now.getTime() + 2 * HOUR)
      script.positions.set('p001', holding(object('1', 'deactivating', { withdrawableAt: at })))
      script.dues.set('p001', at)
      await broadcast('b')
      script.transactions.set(hashOf('b'), inBlock('final'))
      await pass(MINUTE)
      const before = reads()
      await pass(3 * HOUR, 5 * MINUTE)
      const late = reads() - before
      t.ok(late >= 3 && late <= 8, `${late} readings of what is late: less and less often`)
      script.positions.set('p001', holding(object('1', 'withdrawable', { withdrawableAt: at })))
      script.dues.delete('p001')
      await pass(HOUR, 5 * MINUTE)
      script.positions.set('p001', active)
      script.positions.set('p001', holding(object('1', 'deactivating')))
      await pass(DAY + 4 * HOUR, HOUR)
      script.positions.set('p001', holding(object('1', 'withdrawable')))
      await pass(DAY + 4 * HOUR, HOUR)
      const told = (await events()).filter(({ type }) => type === 'position.withdrawable')
      t.match(
        told,
        [{ time: at.toISOString(), data: { object_id: '1', withdrawable_at: at.toISOString() } }],
        'once, whatever a node that is behind says',
      )
      t.equal(told.length, 1)
    },
    memory,
  ),
)

await t.test('what nobody expected is found by a sweep, as far as its budget goes', async (t) => {
  const state = await inMemory(t)
  const { call, pass, script, types } = await following(t, state, { config: { life: { sweeps_per_day: 2 } } })
  for (const address of ['p001', 'p002', 'p003', 'p004']) {
    script.positions.set(address, holding(object('1', 'activating')))
    await call('PUT', `/api/v1/watch/paper/${address}`)
  }
  script.positions.set('p005', { ...NOTHING, activating: null, rewards: null, objects: null })
  await call('PUT', '/api/v1/watch/paper/p005')
  script.positions.set('p006', NOTHING)
  await call('PUT', '/api/v1/watch/paper/p006')
  await pass(MINUTE)
  for (const address of ['p001', 'p002', 'p003', 'p004']) script.positions.set(address, holding(object('1', 'active')))
  script.asked.length = 0
  await pass(6 * DAY, HOUR)
  const swept = script.asked.map(({ of }) => of)
  t.equal(new Set(swept).size, 4, 'each in its turn')
  t.ok(swept.length >= 9 && swept.length <= 12, `${swept.length} sweeps in six days`)
  t.notOk(swept.includes('p005'), 'of what nothing could be told')
  t.notOk(swept.includes('p006'), 'nor, that often, one that has nothing')
  t.same(await types(), Array(4).fill('position.active'))
})

await t.test('rewards are told to each receiver from its threshold on, and again after they were claimed', async (t) => {
  const state = await inMemory(t)
  const { call, pass, script, events, clock } = await following(t, state)
  const low = await receiver(state, { paper: '1.5' })
  const high = await receiver(state, { paper: '3' })
  await receiver(state, null)
  await receiver(state, { other: '0' })
  const began = clock.now.getTime()
  let claimed = 0n
  const grow = () => {
    // A tenth of a token an hour.
    const units = (BigInt(clock.now.getTime() - began) * ONE) / BigInt(10 * HOUR) - claimed
    script.positions.set('p001', { ...NOTHING, staked: ONE, rewards: units })
  }
  const grows = async (ms: number) => {
    for (let left = ms; left > 0; left -= 30 * MINUTE) {
      grow()
      await pass(30 * MINUTE, 30 * MINUTE)
    }
  }
  await call('PUT', '/api/v1/watch/paper/p001')
  await grows(60 * HOUR)
  const told = await events()
  t.match(told, [
    { type: 'position.rewards_claimable', data: { rewards: { amount: /^2\.4|^[12]\.\d/ } } },
    { type: 'position.rewards_claimable', data: { rewards: { amount: /^3/ } } },
  ])
  t.equal(told.length, 2)
  const to = async () =>
    (
      await state.run(() =>
        ask<{ webhook: string }>(sql`select d.webhook from svc_deliveries d join svc_events e on e.id = d.event order by e.sequence`),
      )
    ).map(({ webhook }) => webhook)
  t.same(await to(), [low, high])
  t.ok(script.asked.length <= 8, `${script.asked.length} readings: it is worked out when they come to it`)
  claimed = 6n * ONE
  await grows(80 * HOUR)
  t.same((await to()).slice(2).toSorted(), [low, high].toSorted())
})

t.test('of a position each change is told, and nothing twice', async (t) => {
  const status = fc.constantFrom(
    'activating' as const,
    'active' as const,
    'deactivating' as const,
    'withdrawable' as const,
    'unknown' as const,
  )
  const reading = fc.uniqueArray(fc.tuple(fc.constantFrom('1', '2', '3'), status), { selector: ([id]) => id })
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 12 }), (readings) => {
      let kept: Parameters<typeof compare>[0] = null
      const told = new Map<string, string>()
      for (const each of readings) {
        const made = compare(kept, holding(...each.map(([id, state]) => object(id, state))), new Date(0))
        for (const { type, object: unit } of made.news) {
          const id = String(unit?.id)
          if (kept === null || told.get(id) === type) return false
          const state = each.find(([other]) => other === id)?.[1]
          const isStay = type === 'position.exit_cancelled' && (state === 'active' || state === 'activating')
          if (type !== `position.${state}` && !isStay) return false
          told.set(id, type)
        }
        // What is told of a unit may be told again once it was something else, or gone.
        for (const id of ['1', '2', '3']) {
          const now = each.find(([other]) => other === id)?.[1]
          if (now === undefined || (now === 'active' && told.get(id) === 'position.withdrawable')) told.delete(id)
          if (told.get(id) === 'position.exit_cancelled' && now === 'deactivating') told.delete(id)
          if (told.get(id) === 'position.active' && now !== 'active' && now !== 'unknown') told.delete(id)
        }
        kept = made.kept
      }
      return true
    }),
    { numRuns: 1_000 },
  )
  t.pass()
})

t.test('thresholds are compared to the last unit', async (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
      const digits = units.toString().padStart(decimals + 1, '0')
      const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
      const at = (rewards: bigint) => crossed(rewards, {}, [{ webhook: 'w', threshold: text }], decimals)
      return (
        unitsOf(text, decimals) === units && at(units).now.length === 1 && at(units - 1n).now.length === 0 && at(units - 1n).next === units
      )
    }),
  )
  t.equal(unitsOf('0.0001', 2), 1n, 'finer than a unit')
  t.equal(growsIn(30n, 20n, { rewards: 10n, agoMs: 500 }), 500)
  t.equal(growsIn(30n, 10n, { rewards: 10n, agoMs: 500 }), null)
})

await t.test('dust that strangers give hides neither what a wallet staked nor what has left', async (t) => {
  const dust = (count: number) => Array.from({ length: count }, (_, n) => ({ ...object(`dust-${n}`, 'active'), amount: 1n }))
  const own = (status: StakedObject['status'], id = 'own') => ({ ...object(id, status), amount: 10n })
  const at = new Date(0)
  const leaving = { ...own('deactivating', 'leaving'), withdrawableAt: at }
  const first = compare(null, holding(...dust(2_500), own('activating'), leaving), at)
  const second = compare(first.kept, holding(...dust(2_500), own('active')), at)
  t.same(
    second.news.map(({ type, object: unit }) => `${type} ${unit?.id}`),
    ['position.active own', 'position.withdrawn leaving'],
  )
  t.equal(Object.keys(second.kept.objects ?? {}).length, 2_000)
  const beyond = compare(
    compare(null, holding({ ...leaving, amount: 1n, id: 'small' }), at).kept,
    holding(...dust(2_500), { ...leaving, amount: 0n, id: 'small' }),
    at,
  )
  t.same(
    beyond.news.filter(({ type }) => type === 'position.withdrawn'),
    [],
    'what is there and not compared has not left',
  )
  const unread = compare(null, holding(...dust(2_500), { ...own('activating'), amount: null }), at)
  t.ok(unread.kept.objects?.own, 'one whose amount is not known is compared')
})
