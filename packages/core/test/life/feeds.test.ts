import type { Balance } from '@svc/contract'
import type { Stirring } from '@svc/contract/control'
import t, { type Test } from 'tap'
import type { Store } from '../../src/index.ts'
import { inMemory, onBoth } from '../support/databases.ts'
import { following } from './heart.ts'
import { createScript, NOTHING, type Script } from './living.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Intervals of the search: without a feed, and with one. */
const [OFTEN, RARELY] = [45 * SECOND, 10 * MINUTE]

/** A position of five, with a power that somebody else has over it, or with none. */
const held = (holder: string | null = null, height?: bigint): Balance => ({
  ...{ ...NOTHING, staked: 5n, objects: null },
  control: holder === null ? [] : [{ aspect: 'grant', holder, objectId: null, terms: null }],
  ...(height === undefined
    ? {}
    : {
        height,
        parts: [
          {
            ...{ validator: 'v1', isFormer: false, staked: 5n, activating: null, deactivating: null, withdrawing: null, rewards: null },
            share: { own: 5n, tokens: 5n, shares: 5n },
          },
        ],
      }),
})

/** A chain whose endpoints push, and what its index has. */
function pushingChain() {
  const script = createScript()
  const changes: Stirring[] = []
  script.listeners = []
  script.stirrings = (after) => ({ wallets: after === null ? [] : changes, height: 100n })
  const asked = (what: string) => script.asked.filter((each) => each.what === what).map(({ of }) => of)
  return { script, changes, asked, forget: () => void script.asked.splice(0) }
}

/** A service that watches so many wallets of such a chain, and listens. */
async function watching(t: Test, state: Store, wallets = 3, life: object = {}) {
  const { script, changes, asked, forget } = pushingChain()
  const limits = { key_per_minute: 100_000, address_per_minute: 100_000 }
  const served = await following(t, state, { script, config: { life, limits } })
  const addresses = Array.from({ length: wallets }, (_, index) => `p${String(index + 1).padStart(3, '0')}`)
  for (const address of addresses) {
    script.positions.set(address, held())
    await served.call('PUT', `/api/v1/watch/paper/${address}`)
  }
  await served.pass(2 * MINUTE, 2 * SECOND)
  const listener = () => script.listeners!.at(-1)!
  t.equal(script.listeners?.length, 1, 'the network with watched wallets is listened to, and no other')
  const steal = (address: string) => void script.positions.set(address, held('thief'))
  const gauge = async () => /svc_stirrings_pushed\{[^}]*\} (\d)/.exec(await served.metrics.render())?.[1]
  forget()
  return { ...served, script, addresses, changes, listener, asked, forget, steal, gauge }
}

t.test('a wallet that an endpoint says has stirred is read within seconds, and the network is searched rarely', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { listener, pass, steal, asked, types, forget } = await watching(t, state)
      listener().live()
      await pass(MINUTE, SECOND)
      t.equal(asked('stirrings').length, 1, 'once, for what happened before')
      forget()
      steal('p002')
      for (let count = 0; count < 100; count++) listener().stirred([{ wallet: 'p002' }, { wallet: 'p999' }])
      await pass(4 * SECOND, SECOND)
      t.same(asked('position'), [], 'hints of a burst are joined')
      await pass(3 * SECOND, SECOND)
      t.same(await types(), ['position.control_changed'])
      t.same(asked('position'), ['p002'], 'in one reading')
      await pass(HOUR, 10 * SECOND)
      t.equal(asked('stirrings').length, HOUR / RARELY)
      t.same(asked('position'), ['p002'])
    },
    { memory: true },
  ),
)

t.test('what an endpoint leaves out is found by the search, at its rarer interval', async (t) => {
  const { listener, pass, steal, changes, types, asked } = await watching(t, await inMemory(t))
  listener().live()
  await pass(MINUTE, SECOND)
  steal('p001')
  changes.push({ wallet: 'p001' })
  await pass(RARELY - MINUTE - SECOND, 10 * SECOND)
  t.same(await types(), [])
  await pass(MINUTE, SECOND)
  t.same(await types(), ['position.control_changed'])
  t.equal(asked('stirrings').length, 2)
})

t.test('while nothing is pushed the network is searched as often as without, and once more when it is pushed again', async (t) => {
  const { listener, pass, asked, forget, log, gauge } = await watching(t, await inMemory(t))
  t.equal(await gauge(), '0')
  listener().live()
  t.equal(await gauge(), '1')
  await pass(5 * MINUTE, SECOND)
  forget()
  listener().deaf('network closed')
  t.equal(await gauge(), '0')
  await pass(3 * OFTEN, SECOND)
  t.equal(asked('stirrings').length, 3, 'one at once, since the last one was long ago, and then at the usual interval')
  forget()
  listener().live()
  await pass(5 * MINUTE, SECOND)
  t.equal(asked('stirrings').length, 1)
  const said = log.filter(({ msg }) => /push/.test(msg))
  t.match(
    said.map(({ msg, reason }) => [msg, reason]),
    [
      [/^an endpoint pushes/, undefined],
      [/pushed no more/, 'network closed'],
      [/^an endpoint pushes/, undefined],
    ],
  )
})

t.test('a search that was part of what there is is gone on with, and one that fails covers nothing', async (t) => {
  const { listener, pass, asked, script } = await watching(t, await inMemory(t))
  script.stirrings = () => ({ wallets: [], height: 100n, isPart: true })
  listener().live()
  await pass(4 * OFTEN, SECOND)
  t.equal(asked('stirrings').length, 4)
  script.stirrings = () => {
    throw new Error('the endpoint does not answer')
  }
  await pass(2 * OFTEN, SECOND)
  const { length } = asked('stirrings')
  script.stirrings = () => ({ wallets: [], height: 100n })
  await pass(5 * MINUTE, SECOND)
  t.equal(asked('stirrings').length, length + 1)
})

t.test('a hint without a wallet brings the search forward, and no lie makes it more frequent than without', async (t) => {
  const { listener, pass, asked, forget, steal, changes, types } = await watching(t, await inMemory(t))
  listener().live()
  await pass(5 * MINUTE, SECOND)
  forget()
  steal('p003')
  changes.push({ wallet: 'p003' })
  listener().stirred(null)
  await pass(2 * SECOND, SECOND)
  t.same(await types(), ['position.control_changed'])
  forget()
  for (let second = 0; second < 600; second++) {
    listener().stirred(null)
    if (second % 60 === 0) listener().live()
    await pass(SECOND, SECOND)
  }
  t.ok(asked('stirrings').length <= 600 / 45 + 1, `${asked('stirrings').length} searches in ten minutes`)
})

t.test('of a burst that is larger than is kept the search tells', async (t) => {
  const { listener, pass, asked, forget } = await watching(t, await inMemory(t))
  listener().live()
  await pass(5 * MINUTE, SECOND)
  forget()
  listener().stirred(Array.from({ length: 10_000 }, (_, index) => ({ wallet: `q${index}` })))
  await pass(10 * SECOND, SECOND)
  t.same(asked('stirrings'), [])
  listener().stirred(Array.from({ length: 10_001 }, (_, index) => ({ wallet: `q${index}` })))
  await pass(10 * SECOND, SECOND)
  t.equal(asked('stirrings').length, 1)
})

t.test('invented stirrings cost readings up to the budget, and tell nothing', async (t) => {
  const { listener, pass, asked, types, addresses, call } = await watching(t, await inMemory(t), 40, { sweeps_per_day: 12 })
  listener().live()
  for (let minute = 0; minute < 60; minute++) {
    listener().stirred(addresses.map((wallet) => ({ wallet })))
    listener().stirred(Array.from({ length: 11_000 }, (_, index) => ({ wallet: `p9${index}\u0000'` })))
    await pass(MINUTE, 5 * SECOND)
  }
  t.same(await types(), [])
  const count = asked('position').length
  t.ok(count >= 12 && count <= 12 + 4, `${count} readings`)
  t.equal((await call('GET', '/api/v1/health')).statusCode, 200)
})

t.test('an endpoint that was asked too early is asked once more, and no further where it has the height', async (t) => {
  const { listener, pass, asked, types, script } = await watching(t, await inMemory(t))
  listener().live()
  script.positions.set('p001', held(null, 110n))
  script.positions.set('p002', held(null, 109n))
  script.positions.set('p003', held(null, 109n))
  listener().stirred([
    { wallet: 'p001', height: 110n },
    { wallet: 'p002', height: 110n },
    { wallet: 'p002', height: 108n },
    { wallet: 'p003', height: 999_999_999n },
  ])
  await pass(10 * SECOND, SECOND)
  t.same(asked('position').toSorted(), ['p001', 'p002', 'p003'])
  script.positions.set('p002', held('thief', 110n))
  await pass(OFTEN, SECOND)
  t.same(asked('position').toSorted(), ['p001', 'p002', 'p002', 'p003', 'p003'])
  t.same(await types(), ['position.control_changed'])
  await pass(5 * MINUTE, SECOND)
  t.equal(asked('position').length, 5, 'a height that never comes is waited for once')
})

t.test('without an index the endpoint is listened to all the same', async (t) => {
  const { listener, pass, asked, types, script, steal } = await watching(t, await inMemory(t))
  script.stirrings = () => null
  listener().live()
  await pass(HOUR, 30 * SECOND)
  t.ok(asked('stirrings').length <= 2, 'the index is asked for each hour')
  steal('p001')
  listener().stirred([{ wallet: 'p001', height: 7n }])
  await pass(7 * SECOND, SECOND)
  t.same(await types(), ['position.control_changed'])
})

t.test('it ends with the last wallet that is watched, and with the service; what comes later is not heard', async (t) => {
  const { listener, pass, asked, call, script, app, addresses, gauge, forget } = await watching(t, await inMemory(t))
  const first = listener()
  first.live()
  for (const address of addresses) await call('DELETE', `/api/v1/watch/paper/${address}`)
  await pass(MINUTE, SECOND)
  t.ok(first.isEnded)
  t.equal(await gauge(), undefined)
  await call('PUT', '/api/v1/watch/paper/p001')
  await pass(MINUTE, SECOND)
  const second = listener()
  t.notOk(second.isEnded)
  t.equal(script.listeners?.length, 2)
  await pass(MINUTE, SECOND)
  forget()
  first.live()
  first.stirred([{ wallet: 'p001' }])
  t.equal(await gauge(), '0')
  await pass(20 * SECOND, SECOND)
  t.same(asked('position'), [])
  await app.close()
  t.ok(second.isEnded)
  second.stirred(null)
  second.deaf('network closed')
})

t.test('of several replicas the one with the lease listens, and another takes over', (t) =>
  onBoth(t, async (t, state, { open }) => {
    const { script } = pushingChain()
    const other: Script = { ...script, listeners: [] }
    const one = await following(t, state, { script })
    script.positions.set('p001', held())
    await one.call('PUT', '/api/v1/watch/paper/p001')
    await one.pass(10 * SECOND, SECOND)
    const two = await following(t, await open(), { script: other })
    const both = async (ms: number) => {
      for (let left = ms; left > 0; left -= SECOND) {
        for (const { clock } of [one, two]) clock.now = new Date(clock.now.getTime() + SECOND)
        await Promise.all([one.beat(), two.beat()])
      }
    }
    two.clock.now = one.clock.now
    await both(2 * MINUTE)
    t.same([script.listeners?.length, other.listeners?.length], [1, 0])
    // The first one stands still, and its lease is over.
    two.clock.now = new Date(two.clock.now.getTime() + 31 * SECOND)
    await two.pass(2 * MINUTE, SECOND)
    t.equal(other.listeners?.length, 1)
    t.notOk(script.listeners?.[0]?.isEnded)
    one.clock.now = two.clock.now
    await both(15 * SECOND)
    t.ok(script.listeners?.[0]?.isEnded, 'the first one finds that another has it')
    other.listeners?.[0]?.live()
    script.positions.set('p001', held('thief'))
    other.listeners?.[0]?.stirred([{ wallet: 'p001' }])
    await both(8 * SECOND)
    t.same(await one.types(), ['position.control_changed'])
  }),
)
