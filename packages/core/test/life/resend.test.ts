import type { Sighting } from '@svc/contract'
import { desk } from '@svc/testing/paper'
import t, { type Test } from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { takeResend } from '../../src/life/resend-rows.ts'
import { transactionOf } from '../../src/life/row.ts'
import { onBoth } from '../support/databases.ts'
import { following } from './heart.ts'
import { createScript, hashOf, inBlock, UNKNOWN } from './living.ts'

const { sql } = core()
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const memory = { memory: true }
const proven = { certainty: 'proven' } as const
const dropped = { ...UNKNOWN, status: 'pending', held: false } as const

/** A service whose node takes transactions and, as far as the script says, holds none. */
async function forgetting(t: Test, state: Store, options: { post?: () => unknown } = {}) {
  const node = desk()
  const posted: string[] = []
  const script = createScript()
  const served = await following(t, state, {
    script,
    fetch: async (url, init) => {
      if (String(url).endsWith('/post')) {
        posted.push(JSON.parse(String(init?.body)).signed_text)
        // The node answers afterwards: what it looked at was so before its answer.
        const said = await options.post?.()
        if (said instanceof Error) throw said
      }
      return node(url, init)
    },
  })
  script.transactions.set(hashOf('a'), dropped)
  const kept = async () =>
    (await state.run(() => ask<{ signed: string | null }>(sql`select signed from svc_transactions order by id`))).map(
      ({ signed }) => signed,
    )
  return { ...served, posted, kept }
}

await t.test('what no node holds is sent again: the same bytes, ever less often, five times, and each is on record before', (t) =>
  onBoth(
    t,
    async (t, state) => {
      let now = () => new Date()
      const sentAt: number[] = []
      const { broadcast, pass, posted, kept, call, token, clock, types } = await forgetting(t, state, {
        post: () => {
          sentAt.push(now().getTime())
        },
      })
      now = () => clock.now
      await broadcast('a')
      const begun = clock.now.getTime()
      t.same(await kept(), [JSON.stringify({ signed_text: 'a|seal' })])
      await pass(55_000, 5_000)
      t.equal(posted.length, 1, 'not before it is known to be dropped')
      await pass(5 * HOUR, 30_000)
      t.same(posted, Array(6).fill('a|seal'), 'once, and five times more')
      const minutes = sentAt.slice(1).map((at, index) => Math.round((at - (sentAt[index] ?? begun)) / MINUTE))
      t.ok(minutes[0] !== undefined && minutes[0] >= 1 && minutes[0] <= 3, `the first after ${minutes[0]} minutes`)
      for (const [index, least] of [5, 10, 20, 40].entries())
        t.ok((minutes[index + 1] ?? 0) >= least, `then after ${minutes[index + 1]}, at least ${least}`)
      t.same(await kept(), [null], 'which are forgotten then')
      const log = (await call('GET', '/api/v1/audit?action=resend', undefined, { token: (await token()).value })).json().records
      t.equal(log.length, 5)
      t.match(log[0], {
        ...{ account: 'acme', key: null, by_operator: false, method: 'LIFE', route: 'life.resend', protocol: 'paper', network: '1' },
        ...{ status: 200, tx_hash: hashOf('a'), unsigned_hash: 'u-a', wallet: 'p001', error: null },
      })
      t.ok((await types()).every((type) => type === 'transaction.not_held'))
    },
    memory,
  ),
)

await t.test('what one endpoint alone has waiting after two usual waits is sent to those that have not heard of it', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const network = (names: readonly string[]) => ({
        ...{ name: 'paper', clerk: 'p002' },
        endpoints: { desk: names.map((name) => `http://${name}.test`) },
      })
      const holders = new Set<string>()
      const posted: string[] = []
      const deaf = new Set(['one'])
      const node = desk()
      const script = createScript()
      const served = await following(t, state, {
        script,
        config: {
          plugins: { '@svc/plugin-paper': { networks: { 1: network(['one', 'two', 'three']), 2: network(['one']) } } },
        },
        fetch: async (url, init) => {
          const { hostname, pathname } = new URL(String(url))
          const name = hostname.split('.')[0] ?? ''
          if (pathname === '/host') return Response.json({ host: name })
          if (pathname === '/post') {
            posted.push(name)
            // Whoever is not deaf passes it on to all that are not.
            const { signed_text: text } = JSON.parse(String(init?.body))
            for (const each of deaf.has(name) ? [name] : [name, 'two', 'three']) holders.add(`h-${text} ${each}`)
          }
          return node(url, init)
        },
      })
      for (const name of ['a', 'b'])
        script.transactions.set(hashOf(name), async ({ txHash }, host) =>
          holders.has(`${txHash} ${await host()}`) ? { ...UNKNOWN, status: 'pending', certainty: 'proven' } : dropped,
        )
      await served.broadcast('a')
      t.same(posted, ['one'])
      await served.pass(3_000, 1_000)
      t.same(posted, ['one'], 'nodes pass it on')
      await served.pass(10_000, 1_000)
      t.same(posted, ['one', 'two', 'three'], 'the same bytes, to each that has not heard of it')
      await served.pass(HOUR, MINUTE)
      t.same(posted, ['one', 'two', 'three'], 'which then have it')
      t.same(await served.types(), [])
      const log = await served.call('GET', '/api/v1/audit?action=resend', undefined, { token: (await served.token()).value })
      t.match(log.json().records, [{ method: 'LIFE', status: 200, tx_hash: hashOf('a') }])
      deaf.clear()
      await served.broadcast('b')
      await served.pass(MINUTE, 1_000)
      t.equal(posted.length, 4, 'what others have heard of is sent to nobody')
    },
    memory,
  ),
)

/** A service with the endpoints of these names, of which all but the deaf ones pass on what they take, and what each says of a transaction that it has or has not. */
async function several(
  t: Test,
  state: Store,
  { names, deaf = [], said }: { names: readonly string[]; deaf?: readonly string[]; said: (name: string, has: boolean) => Sighting },
) {
  const holders = new Set<string>()
  const posted: string[] = []
  const bodies = new Set<string>()
  const node = desk()
  const script = createScript()
  const network = { name: 'paper', clerk: 'p002', endpoints: { desk: names.map((name) => `http://${name}.test`) } }
  const other = { name: 'paper', clerk: 'p002', endpoints: { desk: ['http://other.test'] } }
  const served = await following(t, state, {
    script,
    config: { plugins: { '@svc/plugin-paper': { networks: { 1: network, 2: other } } } },
    fetch: async (url, init) => {
      const { hostname, pathname } = new URL(String(url))
      const name = hostname.split('.')[0] ?? ''
      if (pathname === '/host') return Response.json({ host: name })
      if (pathname === '/post') {
        posted.push(name)
        bodies.add(String(init?.body))
        for (const each of deaf.includes(name) ? [name] : [name, ...names.filter((one) => !deaf.includes(one))]) holders.add(each)
      }
      return node(url, init)
    },
  })
  script.transactions.set(hashOf('a'), async (_subject, host) => {
    const name = await host()
    return said(name, holders.has(name))
  })
  return { ...served, posted, bodies }
}

const waits: Sighting = { ...UNKNOWN, ...proven, status: 'pending' }
const blind: Sighting = { ...UNKNOWN, status: 'pending', held: null }

await t.test(
  'whoever asks where a transaction stands again and again does not keep it from being sent to those that have not heard of it',
  (t) =>
    onBoth(
      t,
      async (t, state) => {
        let blocks = 0
        // What a family keeps may be another with each block, so that there is something to write after each question.
        const said = (_name: string, has: boolean): Sighting => (has ? { ...waits, keep: { free_at: String(++blocks) } } : dropped)
        const { broadcast, pass, posted, call } = await several(t, state, { names: ['one', 'two'], deaf: ['one'], said })
        await broadcast('a')
        for (let questions = 0; questions < 40; questions++) {
          await pass(500, 500)
          await call('GET', `transaction/${encodeURIComponent(hashOf('a'))}`)
        }
        t.ok(blocks >= 40, 'each question found something new')
        t.same(posted, ['one', 'two'])
      },
      memory,
    ),
)

await t.test('what nodes do not show is sent to each endpoint once it is in no block, and no more once it is in one', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const said = (name: string, has: boolean) => (has && name === 'two' ? inBlock('final') : blind)
      const { broadcast, pass, posted, bodies, types } = await several(t, state, { names: ['one', 'two'], deaf: ['one'], said })
      await broadcast('a')
      await pass(4_000, 1_000)
      t.same(posted, ['one'], 'nodes pass it on')
      await pass(10_000, 1_000)
      t.same(posted, ['one', 'one', 'two'], 'to each, since nobody knows who has heard of it')
      await pass(12 * HOUR, 5 * MINUTE)
      t.equal(bodies.size, 1, 'the very same bytes')
      t.same(posted, ['one', 'one', 'two'], 'it is in a block, by one voice')
      t.same(await types(), ['transaction.included'])
    },
    memory,
  ),
)

await t.test('what one endpoint alone was asked for is not sent to it again where nodes do not show what waits', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, posted } = await several(t, state, { names: ['one'], said: () => blind })
      await broadcast('a')
      await pass(2 * HOUR, MINUTE)
      t.same(posted, ['one'])
    },
    memory,
  ),
)

await t.test('an endpoint that says of everything that it has never seen it is sent each transaction five times, and others none', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const said = (name: string, has: boolean) => (name !== 'liar' && has ? waits : dropped)
      const { broadcast, pass, posted } = await several(t, state, { names: ['well', 'liar'], said })
      await broadcast('a')
      await pass(6 * HOUR, MINUTE)
      t.same(posted, ['well', ...Array(5).fill('liar')])
    },
    memory,
  ),
)

await t.test('where all of many endpoints deny it, three get it at a time, and others the next time', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const names = ['a', 'b', 'c', 'd', 'e']
      const { broadcast, pass, posted, types } = await several(t, state, { names, said: () => dropped })
      await broadcast('a')
      await pass(15_000, 1_000)
      t.same(posted, ['a', 'a', 'b', 'c'])
      await pass(10 * HOUR, MINUTE)
      t.same(posted.slice(4), ['d', 'e', 'a', 'b', 'c', 'd', 'e', 'a', 'b', 'c', 'd', 'e'])
      t.ok(
        (await types()).every((type) => type === 'transaction.not_held'),
        'no end is told on it',
      )
    },
    memory,
  ),
)

await t.test('each attempt is on record before it is made, and is not made where it could not be', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const seen: unknown[] = []
      let full = false
      const store: Store = {
        ...state,
        appendAudit: (records, also) =>
          full && records.some(({ action }) => action === 'resend')
            ? Promise.reject(Object.assign(new Error('the disk is full'), { statusCode: 503 }))
            : state.appendAudit(records, also),
      }
      let first = true
      const { broadcast, pass, posted } = await forgetting(t, store, {
        post: async () => {
          if (!first)
            seen.push(
              await state.run(() => ask(sql`select status, rev, action from svc_audit where action = 'resend' order by id desc limit 1`)),
            )
          first = false
        },
      })
      await broadcast('a')
      await pass(3 * MINUTE, 10_000)
      t.equal(posted.length, 2)
      t.match(seen, [[{ status: 0, action: 'resend' }]])
      full = true
      await pass(HOUR, MINUTE)
      t.equal(posted.length, 2, 'nothing is sent that is not on record')
    },
    memory,
  ),
)

await t.test('nothing is sent again of what has ended, was not taken, is held, or was tracked', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, posted, script, kept, call } = await forgetting(t, state)
      for (const name of ['done', 'gone', 'held']) await broadcast(name)
      t.equal((await call('POST', 'transaction/track', { signed_text: 'tracked|seal' })).statusCode, 200)
      script.transactions.set(hashOf('done'), inBlock('final'))
      script.transactions.set(hashOf('gone'), { ...UNKNOWN, ...proven, status: 'expired' })
      script.transactions.set(hashOf('held'), { ...UNKNOWN, ...proven, status: 'pending' })
      script.transactions.set(hashOf('tracked'), dropped)
      // The others of this wallet and nonce are its rivals.
      await state.transact(() => ask(sql`update svc_transactions set wallet = 'p009' where tx_hash = ${hashOf('held')} returning id`))
      await pass(3 * MINUTE, 10_000)
      t.equal(posted.length, 3)
      t.same(
        await kept(),
        [null, null, JSON.stringify({ signed_text: 'held|seal' }), null],
        'and the bytes of what has ended are forgotten',
      )
      script.transactions.set(hashOf('held'), dropped)
      await pass(2 * MINUTE, 10_000)
      t.equal(posted.at(-1), 'held|seal')
      script.transactions.set(hashOf('held'), inBlock('final'))
      await pass(3 * HOUR, MINUTE)
      t.equal(posted.length, 4, 'once it has landed, no more')
      t.same(await kept(), [null, null, null, null])
    },
    memory,
  ),
)

await t.test('what was sent again is looked at soon, and its bytes are forgotten in the moment in which it has ended', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, posted, script, looksAt, kept } = await forgetting(t, state)
      await broadcast('a')
      for (let second = 0; second < 200 && posted.length < 2; second++) await pass(1_000)
      t.equal(posted.length, 2)
      script.transactions.set(hashOf('a'), { ...UNKNOWN, ...proven, status: 'pending' })
      const before = looksAt('a')
      await pass(5_000)
      t.ok(looksAt('a') >= before + 2, `${looksAt('a') - before} looks in five seconds, as after a broadcast`)
      t.same(await kept(), [JSON.stringify({ signed_text: 'a|seal' })])
      script.transactions.set(hashOf('a'), inBlock('final'))
      for (const looks = looksAt('a'); looksAt('a') === looks; ) await pass(1_000)
      t.same(await kept(), [null])
    },
    memory,
  ),
)

await t.test('what the chain or its nodes say to it is recorded, and keeps nothing from being followed', (t) =>
  onBoth(
    t,
    async (t, state) => {
      let first = true
      const { broadcast, pass, posted, call, token, script, types } = await forgetting(t, state, {
        post: () => {
          const refused = first ? null : new Error('the connection was reset')
          first = false
          return refused
        },
      })
      await broadcast('a')
      await pass(10 * MINUTE, 10_000)
      t.ok(posted.length >= 2)
      const log = (await call('GET', '/api/v1/audit?action=resend', undefined, { token: (await token()).value })).json().records
      t.match(log.at(-1), { status: 502, outcome: 'failed', error: { code: 'UPSTREAM_UNAVAILABLE' } })
      script.transactions.set(hashOf('a'), inBlock('final'))
      await pass(HOUR, MINUTE)
      t.equal((await types()).at(-1), 'transaction.final')
    },
    memory,
  ),
)

await t.test('a day after the first sight nothing is sent any more, and the bytes are forgotten', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, posted, script, kept } = await forgetting(t, state)
      script.transactions.set(hashOf('a'), { ...UNKNOWN, ...proven, status: 'pending' })
      await broadcast('a')
      await pass(23 * HOUR, 10 * MINUTE)
      t.same(await kept(), [JSON.stringify({ signed_text: 'a|seal' })])
      await pass(2 * HOUR, 10 * MINUTE)
      t.same(await kept(), [null])
      script.transactions.set(hashOf('a'), dropped)
      await pass(3 * HOUR, 10 * MINUTE)
      t.same(posted, ['a|seal'])
    },
    memory,
  ),
)

await t.test('an attempt is taken by one, in its time, and never beside a rival or by who was overtaken', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, clock, kept } = await forgetting(t, state)
      await broadcast('a')
      const run = <T>(work: Parameters<typeof state.transact<T>>[0]) => state.transact(work, { now: () => clock.now })
      const set = (change: ReturnType<typeof sql>, name = 'a') =>
        run(() => ask(sql`update svc_transactions set ${change} where tx_hash = ${hashOf(name)} returning id`))
      const row = async (name = 'a') => {
        const [found] = await run(() => ask(sql`select * from svc_transactions where tx_hash = ${hashOf(name)}`))
        return transactionOf(found ?? {})
      }
      const take = async (behind = 0) => {
        const now = await row()
        return run((database) => takeResend(database, now, now.fence - behind))
      }
      const later = (ms: number) => {
        clock.now = new Date(clock.now.getTime() + ms)
      }
      t.equal(await take(1), null, 'somebody has changed it since')
      for (const [change, back] of [
        [sql`ended_at = first_seen`, sql`ended_at = null`],
        [sql`status = 'unknown'`, sql`status = 'pending'`],
        [sql`accepted_at = null`, sql`accepted_at = first_seen`],
        [sql`resends = 5`, sql`resends = 0`],
        [sql`wallet = null`, sql`wallet = 'p001'`],
      ] as const) {
        await set(change)
        t.equal(await take(), null)
        await set(back)
      }
      // Of the same wallet and nonce, as the bounds of this family always are.
      await broadcast('rival')
      t.equal(await take(), null, 'beside a rival')
      for (const status of ['included', 'final', 'failed']) {
        await set(sql`status = ${status}`, 'rival')
        t.equal(await take(), null, `a rival that is ${status}`)
      }
      await set(sql`wallet = 'p002'`, 'rival')
      await set(sql`status = 'pending'`, 'rival')
      const before = await row()
      t.same(await take(), { signed_text: 'a|seal' }, "another wallet's is none")
      t.equal(await run((database) => takeResend(database, before, before.fence)), null, 'by one')
      later(5 * MINUTE - 1)
      t.equal(await take(), null, 'not so soon')
      later(1)
      t.same(await take(), { signed_text: 'a|seal' })
      later(5 * MINUTE)
      t.equal(await take(), null, 'and later each time')
      later(5 * MINUTE)
      await set(sql`wallet = 'p001'`, 'rival')
      for (const status of ['replaced', 'expired']) {
        await set(sql`status = ${status}`, 'rival')
        await set(sql`resent_at = null`)
        t.ok(await take(), `one that is ${status} is no rival any more`)
      }
      await set(sql`resends = 1, resent_at = null`)
      await set(sql`status = 'pending', bounds = replace(bounds, '"5"', '"6"')`, 'rival')
      t.ok(await take(), 'nor is one with another nonce')
      await set(sql`resends = 1, resent_at = null, bounds = replace(bounds, '"nonce"', '"epoch"')`)
      t.equal(await take(), null, 'where their validity says nothing, any that came later')
      const twoEnds = (nonce: string) => {
        const also = { kind: 'nonce', value: nonce, estimatedAt: null }
        return JSON.stringify({ wallet: 'p001', validUntil: { kind: 'block_height', value: '99', estimatedAt: null, also }, facts: {} })
      }
      await set(sql`resends = 1, resent_at = null, bounds = ${twoEnds('5')}`)
      await set(sql`bounds = ${twoEnds('6')}`, 'rival')
      t.ok(await take(), 'where the nonce is the other of two ends, one with another nonce is no rival')
      await set(sql`resends = 1, resent_at = null`)
      await set(sql`bounds = ${twoEnds('5')}`, 'rival')
      t.equal(await take(), null, 'and one with the same is')
      await set(sql`resends = 1, resent_at = null, bounds = replace(bounds, '"nonce"', '"epoch"')`)
      await set(sql`ended_at = first_seen`, 'rival')
      t.ok(await take(), 'and is open')
      await set(sql`resends = 1, resent_at = null`)
      later(24 * HOUR)
      t.equal(await take(), null, 'not after a day')
      t.ok((await kept())[0])
    },
    memory,
  ),
)
