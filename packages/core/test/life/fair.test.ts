import { type Balance, declareErrors } from '@svc/contract'
import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { onBoth } from '../support/databases.ts'
import { following } from './heart.ts'
import { createScript, hashOf, inBlock, NOTHING, UNKNOWN } from './living.ts'

const { sql } = core()
const { unavailable } = declareErrors({ TRANSACTION_UNSEEN: [503, 'No endpoint keeps the time of the transaction.'] })
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const memory = { memory: true }
const TWO = { accounts: { acme: { name: 'Acme' }, delta: { name: 'Delta' } } }

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
const name = (index: number) => `p${String(index + 1).padStart(3, '0')}`

await t.test('200 fresh wallets are read within the second of their craft, and nothing of what they do is lost', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, pass, beat, script, clock, types, key } = await following(t, state)
      // Wallets that are overdue for a reading for which there is no budget, which waits for hours.
      for (const address of ['p900', 'p901']) await call('PUT', `/api/v1/watch/paper/${address}`)
      await pass(2 * SECOND)
      await state.transact(({ now }) => ask(sql`update svc_watches set sweep_at = ${now} returning id`), { now: () => clock.now })
      for (let wave = 0; wave < 5; wave++) {
        const wallets = Array.from({ length: 40 }, (_, index) => name(wave * 40 + index))
        const headers = { 'x-api-key': (await key()).value, 'x-network': '1' }
        for (const address of wallets) t.equal((await call('POST', 'action/give', { address, amount: 1 }, headers)).statusCode, 200)
        clock.now = new Date(clock.now.getTime() + SECOND)
        await beat()
        const read = new Set(script.asked.filter(({ what }) => what === 'position').map(({ of }) => of))
        t.same(
          wallets.filter((address) => !read.has(address)),
          [],
          `wave ${wave + 1}: all of them in the first beat`,
        )
        for (const address of wallets) script.positions.set(address, active)
      }
      await state.transact(({ now }) => ask(sql`update svc_watches set due_at = ${now} returning id`), { now: () => clock.now })
      await pass(MINUTE)
      t.equal((await types()).filter((type) => type === 'position.active').length, 200)
    },
    memory,
  ),
)

await t.test('who has just begun to use a wallet is read before what waits, also where the budget is all but used up', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, pass, script, clock } = await following(t, state, { config: { life: { looks_per_minute: 60 } } })
      for (let index = 0; index < 100; index++) await call('PUT', `/api/v1/watch/paper/${name(index)}`)
      await pass(3 * MINUTE, SECOND)
      await state.transact(({ now }) => ask(sql`update svc_watches set due_at = ${now} returning id`), { now: () => clock.now })
      await pass(10 * SECOND)
      script.asked.length = 0
      await call('POST', 'action/give', { address: 'p900', amount: 1 })
      await pass(2 * SECOND)
      t.ok(script.asked.length < 30, `${script.asked.length} readings: there is a budget`)
      t.ok(script.asked.some(({ of }) => of === 'p900'))
    },
    memory,
  ),
)

await t.test('wallets of one account that are due wait for none of what another has many of', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, pass, script, clock, key } = await following(t, state, { config: { ...TWO, life: { looks_per_minute: 60 } } })
      const other = { 'x-api-key': (await key('delta')).value }
      for (let index = 0; index < 100; index++) await call('PUT', `/api/v1/watch/paper/${name(index)}`)
      await call('PUT', '/api/v1/watch/paper/p900', undefined, other)
      await pass(3 * MINUTE, SECOND)
      const due = (account: string) =>
        state.transact(({ now }) => ask(sql`update svc_watches set due_at = ${now} where account = ${account} returning id`), {
          now: () => clock.now,
        })
      await due('acme')
      await pass(10 * SECOND)
      script.asked.length = 0
      await due('delta')
      await pass(2 * SECOND)
      t.ok(script.asked.some(({ of }) => of === 'p900'))
      t.ok(script.asked.length < 30)
    },
    memory,
  ),
)

/** Puts hashes of nobody's beside what an account follows, as tracking them one by one would. */
async function track(state: Store, account: string, count: number, at: Date, bounds: object | null = null): Promise<void> {
  await state.transact(
    function* (database) {
      for (let from = 0; from < count; from += 500) {
        const rows = Array.from({ length: Math.min(500, count - from) }, (_, index) => {
          const id = `${account}-${String(from + index).padStart(6, '0')}`
          return sql`(${id}, ${account}, 'paper', '1', ${`h-garbage-${from + index}`}, 'track', ${id}, 'r', 'unknown', 'none', 'likely', '[]',
            ${database.at(at)}, ${database.at(at)}, 0, 0, 0, ${bounds && JSON.stringify(bounds)})`
        })
        yield* ask(sql`insert into svc_transactions (id, account, protocol, network, tx_hash, origin, audit, request_id, status, finality, certainty,
          history, first_seen, next_at, looks, failures, fence, bounds) values ${sql.join(rows, sql`, `)} returning id`)
      }
    },
    { now: () => at },
  )
}

for (const [hashes, bounds, failure] of [
  [0, null, null],
  [10_000, null, null],
  [2_000, null, unavailable('TRANSACTION_UNSEEN', 'The endpoints no longer hold that time.', 5)],
  [2_000, { wallet: 'p009', validUntil: { kind: 'nonce', value: '1', estimatedAt: null }, facts: {} }, null],
] as const)
  await t.test(
    `a broadcast is final within seconds while another account tracks ${hashes} ${bounds ? 'transactions that never come' : failure ? 'hashes of which nothing can be told' : "hashes of nobody's"}`,
    (t) =>
      onBoth(
        t,
        async (t, state) => {
          const script = createScript()
          const { broadcast, pass, beat, events, clock, key, looksAt } = await following(t, state, { config: TWO, script })
          const other = { 'x-api-key': (await key('delta')).value, 'x-network': '1' }
          await track(state, 'acme', hashes, clock.now, bounds)
          if (failure) for (let index = 0; index < hashes; index++) script.transactions.set(`h-garbage-${index}`, failure)
          // Until the budget that was saved up is used up, and half of a minute more.
          await pass(90 * SECOND)
          await broadcast('a', other)
          const sent = clock.now.getTime()
          script.transactions.set(hashOf('a'), () => (clock.now.getTime() - sent < 3 * SECOND ? UNKNOWN : inBlock('final')))
          for (let second = 0; second < 20 && (await events()).length === 0; second++) {
            clock.now = new Date(clock.now.getTime() + SECOND)
            await beat()
          }
          t.match(await events(), [{ account: 'delta', type: 'transaction.final' }])
          const took = clock.now.getTime() - sent
          t.ok(took <= 4 * SECOND, `told after ${took} ms, with ${looksAt('a')} looks`)
          if (hashes > 0) t.ok(script.asked.length > 500, 'the others were looked at meanwhile')
        },
        memory,
      ),
  )

await t.test('of one account, what it sent comes before what it merely knows by hash, and hearsay is asked for ever more seldom', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, clock, looksAt, script } = await following(t, state, { config: { life: { looks_per_minute: 60 } } })
      await track(state, 'acme', 300, clock.now)
      await pass(70 * SECOND)
      await broadcast('a')
      await pass(SECOND)
      t.equal(looksAt('a'), 1, 'before 300 that are due')
      script.transactions.set(hashOf('a'), inBlock('final'))
      await pass(6 * HOUR, MINUTE)
      script.asked.length = 0
      await pass(2 * HOUR, MINUTE)
      t.ok(script.asked.length <= 3 * 300, `${script.asked.length} looks at 300 hashes in two hours: each hour`)
      t.ok(script.asked.length >= 300)
    },
    memory,
  ),
)
