import type { Sighting } from '@svc/contract'
import { eventually } from '@svc/testing/eventually'
import { desk } from '@svc/testing/paper'
import t from 'tap'
import type { Store } from '../../src/index.ts'
import { inMemory, onBoth } from '../support/databases.ts'
import { following } from './heart.ts'
import { createScript, hashOf, inBlock, UNKNOWN } from './living.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const memory = { memory: true }
const proven = { certainty: 'proven' } as const

await t.test('a transaction is followed to its end by itself, and each state is told once', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, broadcast, pass, events, one, looksAt, call, clock } = await following(t, state)
      await call('POST', 'action/broadcast', { signed_text: 'a|seal' }, undefined)
      await broadcast('a')
      await pass(1_000)
      t.equal(looksAt('a'), 1, 'at once')
      t.equal(script.subjects[0]?.accepted, true)
      await pass(10_000)
      t.same(await events(), [])
      script.transactions.set(hashOf('a'), { ...inBlock('included'), keep: { seen: '90' } })
      await pass(20_000)
      const block = { height: 90, hash: 'b90', time: '2026-11-21T11:59:50.000Z' }
      t.match(await events(), [
        {
          account: 'acme',
          type: 'transaction.included',
          subject: `paper:1 ${hashOf('a')}`,
          time: '2026-11-21T11:59:50.000Z',
          data: {
            network: 'paper:1',
            protocol: 'paper',
            wallet: 'p001',
            tx_hash: hashOf('a'),
            status: 'included',
            finality: 'included',
            step: 1,
            block,
            fee: { amount: '0.000000000000000003' },
            moves: [{ kind: 'staked', asset: 'native', units: '10' }],
            object_ids: ['7'],
            unsigned_hash: 'u-a',
          },
        },
      ])
      script.transactions.set(hashOf('a'), inBlock('final'))
      await pass(2 * MINUTE)
      const asked = looksAt('a')
      await pass(HOUR, MINUTE)
      t.equal(looksAt('a'), asked, 'what has ended is left alone')
      const told = await events()
      t.match(told.at(-1), { type: 'transaction.final', data: { status: 'final', finality: 'final', step: 2 } })
      t.equal(told.length, 2)
      t.match(await one('a'), { status: 'final', next_look_at: null, history: [{ step: 1 }, { step: 2 }] })
      t.ok(clock.now)
    },
    memory,
  ),
)

await t.test('a transaction that is looked at while it is being sent is looked at again as soon as it is taken', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const real = desk()
      const script = createScript()
      let sending = async () => {}
      const { beat, broadcast, pass, looksAt, types } = await following(t, state, {
        script,
        fetch: async (...given) => {
          await sending()
          return real(...given)
        },
      })
      const { promise: seen, resolve: see } = Promise.withResolvers<Sighting>()
      const { promise: looking, resolve: looks } = Promise.withResolvers<void>()
      script.transactions.set(hashOf('a'), () => {
        looks()
        return seen
      })
      let early: Promise<void> | undefined
      sending = async () => {
        sending = async () => {}
        early = beat()
        await looking
      }
      t.equal((await broadcast('a')).statusCode, 200)
      t.equal(looksAt('a'), 1, 'it has been looked at before it was taken')
      script.transactions.set(hashOf('a'), inBlock('included'))
      see(UNKNOWN)
      await early
      await pass(1_000)
      t.equal(looksAt('a'), 2)
      t.same(await types(), ['transaction.included'])
    },
    memory,
  ),
)

await t.test('who waits long is asked about less and less often', async (t) => {
  const state = await inMemory(t)
  const { broadcast, pass, looksAt, script, one, call } = await following(t, state)
  script.transactions.set(hashOf('a'), { ...UNKNOWN, status: 'pending' })
  await broadcast('a')
  const looks = async (ms: number, step?: number) => {
    const before = looksAt('a')
    await pass(ms, step)
    return looksAt('a') - before
  }
  const soon = await looks(MINUTE, 1_000)
  t.ok(soon >= 5 && soon <= 7, `${soon} in the first minute: at once, and after 2, 4, 8, 16 and 32 s more`)
  const hour = await looks(HOUR, 10_000)
  t.ok(hour >= 50 && hour <= 61, `${hour} in an hour: each minute`)
  await pass(23 * HOUR, 10 * MINUTE)
  const day = await looks(24 * HOUR, 10 * MINUTE)
  t.ok(day >= 20 && day <= 25, `${day} in the second day: each hour`)
  await pass(5 * 24 * HOUR, HOUR)
  const week = await looks(7 * 24 * HOUR, HOUR)
  t.ok(week >= 6 && week <= 8, `${week} in the second week: each day`)
  t.match(await one('a'), { status: 'pending' })

  await call('POST', 'transaction/track', { tx_hash: hashOf('nobody knows') })
  await pass(25 * HOUR, 10 * MINUTE)
  t.match(await one('nobody knows'), { status: 'unknown', next_look_at: null }, 'what nobody ever saw is given up after a day')
  t.equal((await call('POST', 'transaction/track', { tx_hash: hashOf('nobody knows') })).statusCode, 200)
  t.not((await one('nobody knows')).next_look_at, null, 'until somebody asks for it again')
})

await t.test('each end is told as it is, and what is only likely is not told', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, events, script, one } = await following(t, state)
      for (const name of ['failed', 'replaced', 'expired', 'likely']) await broadcast(name)
      const error = { code: 'REVERTED', reason: `No. ${'x'.repeat(30_000)}` }
      script.transactions.set(hashOf('failed'), { ...inBlock('failed'), error })
      script.transactions.set(hashOf('replaced'), { ...UNKNOWN, ...proven, status: 'replaced', replacedBy: 'h-other' })
      script.transactions.set(hashOf('expired'), { ...UNKNOWN, ...proven, status: 'expired' })
      script.transactions.set(hashOf('likely'), { ...UNKNOWN, status: 'replaced' })
      await pass(1_000)
      t.same(await events(), [], 'a failure that can still change, and a negative that has not stood')
      t.match([(await one('failed')).status, (await one('replaced')).status], ['failed', 'pending'])
      script.transactions.set(hashOf('failed'), { ...inBlock('failed', { finality: 'final' }), error })
      await pass(MINUTE)
      const told = await events()
      t.same(told.map(({ type, data }) => [type, data.tx_hash]).toSorted(), [
        ['transaction.expired', hashOf('expired')],
        ['transaction.failed', hashOf('failed')],
        ['transaction.replaced', hashOf('replaced')],
      ])
      t.match(told.find(({ type }) => type === 'transaction.failed')?.data, { error: { code: 'REVERTED' }, finality: 'final', moves: [] })
      t.match(told.find(({ type }) => type === 'transaction.replaced')?.data, { replaced_by: 'h-other', block: null })
      t.match(await one('likely'), { status: 'pending', certainty: 'likely', ended_at: null })
    },
    memory,
  ),
)

await t.test('a reorganisation is told once it is one, and what comes after it', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, types, script, one, events, looksAt } = await following(t, state)
      await broadcast('a')
      script.transactions.set(hashOf('a'), inBlock('included'))
      await pass(2_000)
      script.transactions.set(hashOf('a'), { ...UNKNOWN, lookedAt: 89n })
      await pass(3 * MINUTE)
      t.same(await types(), ['transaction.included'], 'a node that is behind knows nothing of it')
      script.transactions.set(hashOf('a'), { ...UNKNOWN, lookedAt: null })
      await pass(3 * MINUTE)
      t.same(await types(), ['transaction.included'], 'nor one that does not say how far it is')
      script.transactions.set(hashOf('a'), UNKNOWN)
      for (const looks = looksAt('a'); looksAt('a') === looks; ) await pass(2_000)
      t.match(await one('a'), { status: 'included', certainty: 'likely' }, 'missed once')
      script.transactions.set(hashOf('a'), inBlock('included'))
      await pass(MINUTE)
      t.match(await one('a'), { status: 'included', certainty: 'proven' })
      script.transactions.set(hashOf('a'), UNKNOWN)
      await pass(3 * MINUTE)
      t.same(await types(), ['transaction.included', 'transaction.reorged'])
      t.match((await events()).at(-1)?.data, { status: 'unknown', block: null, moves: [], fee: null, step: 2 })
      script.transactions.set(hashOf('a'), inBlock('included', { height: 95n }))
      await pass(2 * MINUTE)
      script.transactions.set(hashOf('a'), inBlock('final', { height: 96n }))
      await pass(2 * MINUTE)
      t.same(await types(), [
        'transaction.included',
        'transaction.reorged',
        'transaction.included',
        'transaction.reorged',
        'transaction.final',
      ])
      const { history } = await one('a')
      t.same(
        history.map(({ step }: { step: number }) => step),
        [1, 2, 3, 4, 5],
      )
    },
    memory,
  ),
)

const TWO_VOICES = {
  plugins: {
    '@svc/plugin-paper': {
      networks: { 1: { name: 'paper one', endpoints: { desk: ['http://desk.invalid', 'http://second.invalid'] }, clerk: 'p002' } },
    },
  },
}

await t.test('what two endpoints show otherwise than promised is told besides', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const script = createScript()
      const config = { ...TWO_VOICES, accounts: { acme: { name: 'Acme' } } }
      const { pass, events, list, store, broadcast } = await following(t, state, { script, config })
      await broadcast('a')
      const promised = JSON.stringify([{ kind: 'staked', asset: 'native', amount: '12' }])
      const { core } = await import('../../src/db/drizzle.ts')
      const { ask } = await import('../../src/db/work.ts')
      const { sql } = core()
      await store.run(() => ask(sql`update svc_transactions set promised = ${promised}`))
      script.transactions.set(hashOf('a'), inBlock('final'))
      await pass(MINUTE)
      t.match(await events(), [
        { type: 'transaction.final' },
        { type: 'transaction.amounts_differ', data: { differences: [{ kind: 'staked', asset: 'native', promised: '12', moved: '10' }] } },
      ])
      t.match(await list(), [{ promised: [{ units: '12' }], moves: [{ units: '10' }] }])
    },
    memory,
  ),
)

await t.test('what one endpoint shows otherwise than promised is told, stays open, and ends when the chain shows what was promised', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const script = createScript()
      const { pass, events, list, store, broadcast } = await following(t, state, { script })
      await broadcast('a')
      const promised = JSON.stringify([{ kind: 'staked', asset: 'native', amount: '12' }])
      const { core } = await import('../../src/db/drizzle.ts')
      const { ask } = await import('../../src/db/work.ts')
      const { sql } = core()
      await store.run(() => ask(sql`update svc_transactions set promised = ${promised}`))
      script.transactions.set(hashOf('a'), inBlock('final'))
      script.moved = () => ({ moves: [], objectIds: [] })
      await pass(20 * MINUTE)
      const open = { status: 'included', finality: 'included', certainty: 'likely', error: { code: 'PROMISE_NOT_SEEN' } }
      t.match(await list(), [{ ...open, ended_at: null, differences: [{ promised: '12', moved: '0' }] }])
      const told = [
        { type: 'transaction.included' },
        {
          type: 'transaction.amounts_differ',
          data: { status: 'included', error: open.error, differences: [{ promised: '12', moved: '0' }] },
        },
      ]
      t.match(await events(), told)
      t.equal((await events()).length, 2, 'once')
      script.moved = () => ({ moves: [{ kind: 'staked', asset: 'native', amount: 12n }], objectIds: [] })
      await pass(2 * MINUTE)
      t.match(await list(), [{ status: 'final', certainty: 'proven', error: null, differences: [] }])
      t.match(await events(), [...told, { type: 'transaction.final' }])
      t.equal((await events()).length, 3)
    },
    memory,
  ),
)

await t.test('what no node keeps of a transaction in a block is null and not empty, and nothing is compared with it', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const script = createScript()
      const { pass, events, list, store, broadcast } = await following(t, state, { script })
      await broadcast('a')
      const promised = JSON.stringify([{ kind: 'staked', asset: 'native', amount: '12' }])
      const { core } = await import('../../src/db/drizzle.ts')
      const { ask } = await import('../../src/db/work.ts')
      const { sql } = core()
      await store.run(() => ask(sql`update svc_transactions set promised = ${promised}`))
      t.match(await list(), [{ status: 'pending', moves: [], object_ids: [] }])
      script.transactions.set(hashOf('a'), inBlock('final', { receipt: null }))
      await pass(MINUTE)
      t.match(await list(), [{ status: 'final', moves: null, object_ids: null, differences: null }])
      const told = await events()
      t.match(told, [{ type: 'transaction.final', data: { moves: null, object_ids: null } }])
      t.equal(told.length, 1)
    },
    memory,
  ),
)

await t.test('a network that answers nothing keeps no other from being followed, and is caught up with', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { broadcast, pass, types, script, key, looksAt, metrics } = await following(t, state)
      const { value } = await key()
      const down = new Error('no endpoint answers')
      let hangUp = () => {}
      const hanging = new Promise<never>((_, reject) => {
        hangUp = () => reject(down)
      })
      hanging.catch(() => undefined)
      for (const name of ['x', 'y']) {
        script.transactions.set(hashOf(name), name === 'x' ? down : () => hanging)
        await broadcast(name, { 'x-api-key': value, 'x-network': '2' })
      }
      await broadcast('a', { 'x-api-key': value, 'x-network': '1' })
      script.transactions.set(hashOf('a'), inBlock('final'))
      // The look at y is under way as long as it likes: beats do not wait for each other.
      void pass(MINUTE)
      const seen = async () => ({ types: await types(), x: looksAt('x'), y: looksAt('y') })
      const last = await eventually('looks at each of both networks', seen, ({ types, x, y }) => types.length > 0 && x > 0 && y > 0)
      t.same(last.types, ['transaction.final'])
      // Counted when it is written.
      const counted = /^svc_followed_looks_total\{kind="transactions",protocol="paper",network="1",outcome="ok"\} (\d+)$/m
      const [, looks] = await eventually(
        'looks are counted',
        async () => counted.exec(await metrics.render()) ?? [],
        ({ length }) => length > 0,
      )
      t.equal(looks, '1')
      hangUp()
    },
    memory,
  ),
)

await t.test('what the database kept from being written is done when it is back', (t) =>
  onBoth(
    t,
    async (t, state) => {
      let away = false
      const gone = () => Promise.reject(Object.assign(new Error('away'), { statusCode: 503 }))
      const store: Store = {
        ...state,
        transact: (work, options) => (away ? gone() : state.transact(work, options)),
        run: (work, options) => (away ? gone() : state.run(work, options)),
      }
      const { broadcast, pass, types, script, log } = await following(t, store)
      await broadcast('a')
      script.transactions.set(hashOf('a'), () => {
        away = true
        return inBlock('final') as never
      })
      await pass(MINUTE)
      away = false
      t.same(await types(), [])
      script.transactions.set(hashOf('a'), inBlock('final'))
      await pass(3 * MINUTE)
      t.same(await types(), ['transaction.final'])
      t.ok(log.filter(({ msg }) => msg?.startsWith('nothing can be followed')).length <= 1, 'said once')
    },
    memory,
  ),
)
