import type { Control } from '@svc/contract/control'
import { desk } from '@svc/testing/paper'
import t, { type Test } from 'tap'
import type { Store } from '../../src/index.ts'
import { onBoth } from '../support/databases.ts'
import { mortal, seeded } from '../support/mortal.ts'
import { held, NO_ONE, ONE, power, unit } from './control-scene.ts'
import { following } from './heart.ts'
import { createScript, type Script } from './living.ts'

const memory = { memory: true }
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNITS = [unit('1', 6n * ONE), unit('2', 3n * ONE)]

async function replica(t: Test, state: Store, script: Script, now?: Date) {
  const life = mortal(state)
  const network = { name: 'paper one', endpoints: { desk: ['http://desk.invalid'] }, clerk: 'p002' }
  const config = { plugins: { '@svc/plugin-paper': { networks: { 1: network } } }, accounts: { acme: { name: 'Acme' } } }
  const usual = desk()
  const answering: typeof fetch = async (url, init) =>
    new URL(String(url)).pathname === '/host' ? Response.json({ host: 'desk' }) : usual(url, init)
  const served = await following(t, state, { script, config, fetch: answering, store: () => life.store })
  if (now) served.clock.now = now
  return { ...served, ...life }
}

function scripted(): Script {
  const script = createScript()
  script.departed = () => NO_ONE
  return script
}

await t.test('two replicas that are killed in the middle of their work tell each change of a position once, and lose none', (t) =>
  onBoth(
    t,
    async (t, state) => {
      for (const seed of [1, 2, 3]) {
        const script = scripted()
        const wallet = `p00${seed}`
        const replicas = [await replica(t, state, script), await replica(t, state, script)]
        const random = seeded(seed)
        let now = replicas[0]!.clock.now
        const beats = async () => {
          now = new Date(now.getTime() + 10 * MINUTE)
          script.dues.set(wallet, new Date(now.getTime() + MINUTE))
          for (const { clock } of replicas) clock.now = now
          await Promise.all(replicas.map(({ beat }) => beat()))
        }
        script.positions.set(wallet, held(UNITS))
        script.dues.set(wallet, new Date(now.getTime() + MINUTE))
        await replicas[0]!.call('PUT', `/api/v1/watch/paper/${wallet}`)
        await beats()
        await beats()
        const expected: string[] = []
        let control: readonly Control[] = []
        let kills = 0
        for (let change = 0; change < 25; change++) {
          control = control.length > 0 && random(3) === 0 ? [] : [power('staker', '1', `thief${change}`)]
          script.positions.set(wallet, held(UNITS, control))
          expected.push(control[0]?.holder ?? 'nobody')
          for (let tries = 0; tries < 3; tries++) {
            const victim = replicas[random(2)]!
            victim.kill(random(25))
            kills++
            await beats()
            victim.revive()
          }
          // A lease that a killed one held ends within these.
          for (let quiet = 0; quiet < 3; quiet++) await beats()
        }
        t.equal(kills, 75)
        const events = (await replicas[0]!.events()).filter(({ data }) => data.wallet === wallet)
        t.same(
          events.map(({ type, data }) => [type, data.after[0]?.holder ?? 'nobody']),
          expected.map((holder) => ['position.control_changed', holder]),
        )
        for (const { app } of replicas) await app.close()
      }
    },
    memory,
  ),
)

await t.test('what changed while nobody followed for ninety days is told once, with the times between which it came', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const script = scripted()
      script.positions.set('p001', held(UNITS))
      const before = await replica(t, state, script)
      await before.call('PUT', '/api/v1/watch/paper/p001')
      await before.pass(2_000)
      const seen = before.clock.now
      await before.app.close()

      script.positions.set('p001', held([unit('1', 6n * ONE)], [power('staker', '1', 'first')]))
      script.positions.set('p001', held([unit('1', 2n * ONE)], [power('staker', '1', 'second'), power('withdrawer', '1', 'second')]))
      script.departed = () => new Map([['2', null]])
      const after = await replica(t, state, script, new Date(seen.getTime() + 90 * DAY))
      await after.pass(2 * HOUR, 5 * MINUTE)
      const events = await after.events()
      t.same(events.map(({ type, data }) => [type, data.aspect ?? data.cause, data.amount?.amount]).sort(), [
        ['position.control_changed', 'staker', '6'],
        ['position.control_changed', 'withdrawer', '6'],
        ['position.lost', 'gone', '3'],
        ['position.lost', 'split', '4'],
      ])
      for (const { data } of events) {
        t.ok(new Date(data.last_seen_without) <= seen, `not after ${seen.toISOString()}: ${data.last_seen_without}`)
        t.ok(new Date(data.first_seen_with).getTime() >= seen.getTime() + 90 * DAY, data.first_seen_with)
      }
      await after.pass(40 * DAY, 6 * HOUR)
      t.equal((await after.events()).length, events.length, 'and nothing twice')
    },
    memory,
  ),
)
