import type { Condition } from '@svc/contract'
import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import { onBoth } from '../support/databases.ts'
import { own, replica, validator } from './condition-replica.ts'
import { eventsIn, following } from './heart.ts'
import { createScript, living } from './living.ts'

const { sql } = core()
await t.test('what was read while the clock was an hour ahead keeps nothing from being told when the clock is right', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const one = replica(store)
      await one.watch('acme')
      const p = { ...validator('active', null), kind: 'pool' as const, id: 'p' }
      await one.reads(60, [validator('active'), p])
      await one.reads(1, [validator('jailed')])
      t.same(
        (await eventsIn(store)).map(({ type }) => type),
        ['validator.jailed'],
      )
      const rows = await store.run(() => ask(sql`select id from svc_conditions`))
      t.same(rows, [{ id: 'v1' }], 'nor is what is there no longer compared for ever')
      await one.reads(3, [validator('active')])
      await one.reads(1, [validator('jailed')])
      t.equal((await eventsIn(store)).length, 1, 'a replica that is two minutes behind is outdated')
    },
    { memory: true },
  ),
)

await t.test('what has become of a validator is told once to all whom it concerns, by whichever replica', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const one = replica(store)
      for (const account of ['acme', 'beta', 'gamma', 'none']) await one.watch(account)
      await one.reads(0, [validator('active'), { ...validator('paused', null), kind: 'pool', id: 'p' }])
      t.same(await eventsIn(store), [], 'what is there at first was there before')
      await one.reads(5, [validator('jailed', 7), { ...validator('paused', null), kind: 'pool', id: 'p' }])
      const told = await eventsIn(store)
      t.same(
        told.map(({ account, type }) => [account, type]),
        [
          ['acme', 'validator.jailed'],
          ['acme', 'validator.commission_changed'],
          ['beta', 'validator.jailed'],
          ['beta', 'validator.commission_changed'],
        ],
        'nor to who has another validator, no network, or nothing there',
      )
      t.match(told[0], {
        subject: 'paper:1 validator v1',
        time: '2026-11-21T12:05:00.000Z',
        data: {
          network: 'paper:1',
          protocol: 'paper',
          kind: 'validator',
          id: 'v1',
          state: 'jailed',
          reason: 'is jailed',
          before: 'active',
        },
      })
      t.match(told[1]?.data, { commission_percent: 7, commission_percent_before: 5 })

      const jailed = [validator('jailed', 7), { ...validator('active', null), kind: 'pool' as const, id: 'p' }]
      await one.reads(10, jailed)
      await one.follower.close()
      const two = replica(store)
      await two.reads(11, jailed)
      await two.reads(12, [validator('jailed', null), ...jailed.slice(1)])
      t.equal((await eventsIn(store)).length, 4, 'a restart, and a commission that could not be read, tell nothing again')
      await two.reads(15, [validator('left', 7), { ...validator('paused', null), kind: 'pool', id: 'p' }])
      await two.reads(3, [validator('active', 7)])
      const more = (await eventsIn(store)).filter(({ account, sequence }) => account === 'acme' && sequence > 2)
      t.match(more, [{ type: 'validator.left' }, { type: 'pool.paused' }])
      t.equal(more.length, 2, 'and what was read before tells nothing after')
      await two.reads(20, [validator('jailed', 7)], own)
      await two.reads(25, [validator('left', 7)], own)
      t.match((await eventsIn(store)).at(-1), { account: 'gamma', type: 'validator.left' })
      await two.follower.close()
    },
    { memory: true },
  ),
)

await t.test('that a validator is outside the active set is told once, when it has been for an hour', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const one = replica(store)
      await one.watch('acme')
      const told = async () => (await eventsIn(store)).map(({ type, time }) => `${type} ${time}`)
      await one.reads(0, [validator('active')])
      await one.reads(5, [validator('inactive')])
      await one.reads(30, [validator('active')])
      await one.reads(40, [validator('inactive')])
      await one.reads(99, [validator('inactive')])
      t.same(await told(), [], 'neither what came and went, nor what is younger than an hour')
      await one.follower.close()
      const two = replica(store)
      await two.reads(100, [validator('inactive')])
      t.same(await told(), ['validator.inactive 2026-11-21T13:40:00.000Z'], 'over a restart too')
      await two.reads(105, [validator('inactive')])
      await two.reads(400, [validator('inactive')])
      t.equal((await told()).length, 1, 'once')
      await two.reads(405, [validator('active')])
      await two.reads(410, [validator('inactive')])
      await two.reads(700, [validator('inactive')])
      t.equal((await told()).length, 2, 'and again when it was active in between, whenever it was read')
      await two.reads(800, [{ ...validator('inactive'), kind: 'pool' }])
      await two.reads(900, [{ ...validator('inactive'), kind: 'pool' }])
      t.equal((await told()).length, 2, 'of validators alone')
      await two.follower.close()
    },
    { memory: true },
  ),
)

await t.test('what a customer meets is read, shown and told within seconds, and a hundred who meet it cost one reading', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const script = createScript()
      const pool = (state: Condition['state']): Condition => ({ ...validator(state, null), kind: 'pool', id: 'p' })
      script.conditions = [pool('active')]
      const { call, pass, types, token } = await following(t, state, { script, plugins: [living(script, { conditionMinutes: 2880 })] })
      const gives = async () => (await call('POST', 'action/give', { address: 'p001', amount: 1 })).json().code
      const shown = async () => {
        const answer = await call('GET', '/api/v1/protocols', undefined, { token: (await token()).value })
        return answer.json()[0].networks[0].staked_with[0].state
      }
      t.equal(await gives(), undefined)
      await pass(10 * 60_000)
      t.equal(script.conditionsAsked, 1)
      script.conditions = [pool('paused')]
      await pass(60 * 60_000)
      t.same([script.conditionsAsked, await shown(), await types()], [1, 'active', []], 'its pace is two days')
      t.equal(await gives(), 'DESK_SHUT')
      await pass(2_000)
      t.same([await shown(), await types()], ['paused', ['pool.paused']])
      t.same(new Set(await Promise.all(Array.from({ length: 20 }, gives))), new Set(['DESK_SHUT']))
      await pass(60 * 60_000)
      t.equal(script.conditionsAsked, 2)
      script.conditions = [pool('active')]
      t.equal(await gives(), undefined)
      await pass(2_000)
      t.same([script.conditionsAsked, await shown()], [3, 'active'], 'nor does it stay shut for those who look, when one was served')
      script.conditions = [pool('paused')]
      for (let minute = 0; minute < 4; minute++) {
        t.equal(await gives(), 'DESK_SHUT')
        await pass(60_000)
      }
      t.equal(script.conditionsAsked, 3, 'what turns every moment is read no more often than every five minutes')
      await pass(60_000)
      t.equal(await gives(), 'DESK_SHUT')
      await pass(2_000)
      t.same([script.conditionsAsked, await types()], [4, ['pool.paused', 'pool.paused']])
    },
    { memory: true },
  ),
)
