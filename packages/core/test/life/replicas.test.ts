import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import { onBoth } from '../support/databases.ts'
import { consistent } from './consistent.ts'
import { following } from './heart.ts'
import { createScript, hashOf, inBlock, UNKNOWN } from './living.ts'

const { sql } = core()
const MINUTE = 60_000

await t.test('of several replicas one looks at a time, and another takes over', (t) =>
  onBoth(t, async (t, state, { open }) => {
    const script = createScript()
    const one = await following(t, state, { script })
    const two = await following(t, await open(), { script })
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`)
    for (const name of names) {
      script.transactions.set(hashOf(name), { ...UNKNOWN, status: 'pending' })
      await (name.endsWith('5') ? two : one).broadcast(name)
    }
    const both = async (ms: number, each = 1_000) => {
      for (let left = ms; left > 0; left -= each) {
        for (const { clock } of [one, two]) clock.now = new Date(clock.now.getTime() + each)
        await Promise.all([one.beat(), two.beat()])
      }
    }
    await both(3_000)
    const looks = names.map((name) => one.looksAt(name))
    t.ok(
      looks.every((count) => count >= 1 && count <= 2),
      `at once, and 2 s later: ${looks}`,
    )
    for (const name of names) script.transactions.set(hashOf(name), inBlock('included'))
    await both(2 * MINUTE, 10_000)
    await one.app.close()
    for (const name of names) script.transactions.set(hashOf(name), inBlock('final'))
    await two.pass(2 * MINUTE, 10_000)
    await consistent(t, state, names.length)
  }),
)

await t.test('what a replica had in hand when it died is looked at when its lease is over', (t) =>
  onBoth(t, async (t, state, { open }) => {
    const script = createScript()
    const one = await following(t, state, { script })
    let hangUp = () => {}
    const hanging = new Promise<never>((_, reject) => {
      hangUp = () => reject(new Error('hung up'))
    })
    script.transactions.set(hashOf('a'), () => hanging)
    await one.broadcast('a')
    one.clock.now = new Date(one.clock.now.getTime() + 1_000)
    void one.beat()
    while (one.looksAt('a') === 0) await new Promise((resolve) => setImmediate(resolve))
    // From here on the first one is silent, with the look under way and its leases held.
    script.transactions.set(hashOf('a'), inBlock('final'))
    const two = await following(t, await open(), { script })
    await two.pass(25_000, 5_000)
    t.same(await two.types(), [], 'not before')
    await two.pass(2 * MINUTE, 5_000)
    t.same(await two.types(), ['transaction.final'])
    hangUp()
    await new Promise((resolve) => setTimeout(resolve, 50))
    await consistent(t, state, 1)
  }),
)

await t.test('rows of another version are followed on', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, script, clock } = await following(t, state)
      for (const name of ['a', 'b']) await broadcast(name)
      script.transactions.set(hashOf('a'), inBlock('included'))
      await pass(MINUTE)
      const [row] = await state.run(() => ask<{ look: string }>(sql`select look from svc_transactions where tx_hash = ${hashOf('a')}`))
      const older = JSON.parse(String(row?.look))
      const newer = JSON.stringify({ ...older, look: { ...older.look, heard: 'of something' } })
      // As a process of another version has left them: one in hand, one never looked at, with members that are not known here.
      await state.run((database) =>
        ask(sql`update svc_transactions set look = ${newer}, lease_until = ${database.at(new Date(clock.now.getTime() + 30_000))}
          where tx_hash = ${hashOf('a')}`),
      )
      await state.run(() =>
        ask(sql`update svc_transactions set look = null, keep = ${'{"from":"before"}'}, fence = 41 where tx_hash = ${hashOf('b')}`),
      )
      for (const name of ['a', 'b']) script.transactions.set(hashOf(name), inBlock('final'))
      await pass(3 * MINUTE)
      t.same(script.subjects.findLast(({ txHash }) => txHash === hashOf('b'))?.keep, { from: 'before' })
      await consistent(t, state, 2)
    },
    { memory: true },
  ),
)
