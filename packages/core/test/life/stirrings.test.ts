import type { Balance } from '@svc/contract'
import type { Stirring } from '@svc/contract/control'
import { eventually } from '@svc/testing/eventually'
import t, { type Test } from 'tap'
import type { Store } from '../../src/index.ts'
import { inMemory, onBoth } from '../support/databases.ts'
import { following } from './heart.ts'
import { createScript, NOTHING } from './living.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const BLOCK = 6 * SECOND

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
            validator: 'v1',
            isFormer: false,
            ...{ staked: 5n, activating: null, deactivating: null, withdrawing: null, rewards: null },
            share: { own: 5n, tokens: 5n, shares: 5n },
          },
        ],
      }),
})

/** A service that watches so many wallets of a chain with blocks of six seconds, whose index it may search. */
async function watching(t: Test, state: Store, wallets: number, life: object = {}) {
  const script = createScript()
  const began = { at: 0 }
  const heightAt = () => BigInt(Math.floor((served.clock.now.getTime() - began.at) / BLOCK)) + 100n
  /** Changes that the chain's index has. */
  const changes: Stirring[] = []
  const chain = {
    index: (after: bigint | null) => ({
      wallets: after === null ? [] : changes.filter(({ height = 0n }) => height > after),
      height: heightAt(),
    }),
  }
  const truth = chain.index
  script.stirrings = (after) => chain.index(after)
  const limits = { key_per_minute: 100_000, address_per_minute: 100_000 }
  const served = await following(t, state, { script, config: { life, limits } })
  began.at = served.clock.now.getTime()
  const addresses = Array.from({ length: wallets }, (_, index) => `p${String(index + 1).padStart(3, '0')}`)
  for (const address of addresses) {
    script.positions.set(address, held())
    await served.call('PUT', `/api/v1/watch/paper/${address}`)
  }
  await served.pass(2 * MINUTE, 2 * SECOND)
  const asked = (what: string) => script.asked.filter((each) => each.what === what).map(({ of }) => of)
  const forget = () => script.asked.splice(0)
  t.same(asked('position').toSorted(), addresses)
  forget()
  /** Somebody changes the power over a wallet, without the service. */
  const steal = (address: string) => {
    script.positions.set(address, held('thief'))
    changes.push({ wallet: address, height: heightAt() })
  }
  return { ...served, script, addresses, chain, truth, changes, heightAt, asked, forget, steal }
}

// Three hundred wallets with sweeps for 7.5 of them a day are as ten thousand with the 250 of the default: forty days.
const SCALED = { sweeps_per_day: 8 }

t.test('a change from elsewhere is told within a minute of its block, where the chain has an index, whichever wallet it is', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { pass, steal, asked, events, clock, forget } = await watching(t, state, 300, SCALED)
      for (const victim of ['p001', 'p137', 'p300']) {
        forget()
        const at = clock.now.getTime()
        steal(victim)
        await pass(MINUTE, SECOND)
        const told = (await events()).filter(({ subject }) => subject.endsWith(victim))
        t.same(
          told.map(({ type }) => type),
          ['position.control_changed'],
          victim,
        )
        t.ok(new Date(told[0]?.time ?? 0).getTime() - at <= MINUTE, 'within a minute')
        t.ok(asked('stirrings').length <= 2, 'by a search or two')
        t.ok(asked('position').length <= 2, 'and no reading but that, and a regular one')
        await pass(3 * MINUTE, SECOND)
      }
      t.equal((await events()).length, 3, 'each once')
    },
    { memory: true },
  ),
)

t.test(
  'without an index nothing is found sooner than by regular readings, nothing false is told, and the node is asked again after an hour',
  async (t) => {
    const { pass, steal, asked, events, chain, truth, forget } = await watching(t, await inMemory(t), 300, SCALED)
    chain.index = () => null as never
    await pass(2 * MINUTE, SECOND)
    forget()
    steal('p137')
    await pass(3 * HOUR, MINUTE)
    t.equal(asked('stirrings').length, 3)
    t.same(await events(), [])
    chain.index = truth
    await pass(HOUR + 2 * MINUTE, 30 * SECOND)
    t.same(
      (await events()).map(({ type }) => type),
      ['position.control_changed'],
      'a node with an index tells what was missed since it was searched last',
    )
  },
)

t.test('a search that fails is made again after doubled pauses, and from where the last one has ended', async (t) => {
  const { pass, steal, asked, events, chain, truth, forget } = await watching(t, await inMemory(t), 3)
  chain.index = () => {
    throw new Error('the endpoint does not answer')
  }
  await pass(MINUTE, SECOND)
  forget()
  steal('p002')
  await pass(15 * MINUTE, SECOND)
  const searches = asked('stirrings')
  t.ok(searches.length >= 2 && searches.length <= 5, `${searches.length} searches in a quarter of an hour`)
  t.equal(new Set(searches).size, 1)
  chain.index = truth
  await pass(20 * MINUTE, SECOND)
  t.equal((await events()).length, 1)
})

t.test('an endpoint that says that all have stirred has as much read as the budget allows, and nothing told', async (t) => {
  const { pass, asked, events, chain, addresses, heightAt } = await watching(t, await inMemory(t), 100, { sweeps_per_day: 12 })
  chain.index = () => ({ wallets: addresses.map((wallet) => ({ wallet })), height: heightAt() })
  await pass(2 * DAY, 30 * SECOND)
  const read = asked('position').length
  t.ok(
    read <= 12 + 2 * 12 + 2 * 12 + 2,
    `${read} readings in two days: a day's worth at once, a day's worth each day, and as many regular ones`,
  )
  t.ok(read >= 12 + 2 * 12, `${read} readings`)
  t.same(await events(), [])
})

t.test('what searches have found rightly uses nothing of their budget up', async (t) => {
  const { pass, events, steal, addresses } = await watching(t, await inMemory(t), 40, { sweeps_per_day: 5 })
  for (const address of addresses) {
    steal(address)
    await pass(MINUTE, SECOND)
  }
  t.equal((await events()).length, 40, 'each in its minute')
})

t.test('the height of the last search outlasts a restart', async (t) => {
  const state = await inMemory(t)
  const first = await watching(t, state, 2)
  await first.pass(5 * MINUTE, SECOND)
  const last = first.heightAt()
  await first.app.close()
  const script = createScript()
  const heights: (bigint | null)[] = []
  script.stirrings = (after) => {
    heights.push(after)
    return { wallets: [], height: after ?? 0n }
  }
  const second = await following(t, state, { script })
  second.clock.now = new Date(first.clock.now.getTime() + 2 * MINUTE)
  await second.pass(MINUTE, SECOND)
  const [from] = heights
  t.ok(typeof from === 'bigint' && from > last - 20n && from <= last, `it goes on from ${from}, which was the head a minute before ${last}`)
})

t.test('a position that was read at the height of the change, or above it, is not read again', async (t) => {
  const { pass, asked, changes, script, heightAt, forget } = await watching(t, await inMemory(t), 3)
  const height = heightAt()
  for (const address of ['p001', 'p002']) {
    script.positions.set(address, held(null, height + 30n))
    changes.push({ wallet: address, height })
  }
  await pass(MINUTE, SECOND)
  t.same(asked('position').toSorted(), ['p001', 'p002'])
  forget()
  script.positions.set('p002', held(null, height + 40n))
  changes.push({ wallet: 'p001', height: height + 30n }, { wallet: 'p002', height: height + 31n })
  await pass(2 * MINUTE, SECOND)
  t.same(asked('position'), ['p002'], 'one that was read before the change is read once')
})

t.test('a network without watched wallets is not searched, and whoever is not watched is not read', async (t) => {
  const { pass, asked, changes, heightAt, call, forget } = await watching(t, await inMemory(t), 2)
  changes.push({ wallet: 'p999', height: heightAt() })
  await call('DELETE', '/api/v1/watch/paper/p002')
  changes.push({ wallet: 'p002', height: heightAt() })
  await pass(2 * MINUTE, SECOND)
  t.same(asked('position'), [])
  t.ok(asked('stirrings').length > 0)
  await call('DELETE', '/api/v1/watch/paper/p001')
  await pass(MINUTE, SECOND)
  forget()
  await pass(10 * MINUTE, SECOND)
  t.same(asked('stirrings'), [])
})

t.test('a reading that was under way when the change was found is made again', async (t) => {
  const { pass, beat, clock, events, script, changes, heightAt, asked, forget } = await watching(t, await inMemory(t), 1)
  const endpoint = Promise.withResolvers<void>()
  script.reading = () => endpoint.promise
  changes.push({ wallet: 'p001', height: heightAt() })
  forget()
  clock.now = new Date(clock.now.getTime() + 46 * SECOND)
  await beat()
  clock.now = new Date(clock.now.getTime() + SECOND)
  const first = beat()
  await eventually('the position is asked for', () => asked('position').length === 1)
  script.reading = async () => {}
  script.positions.set('p001', held('thief'))
  clock.now = new Date(clock.now.getTime() + 46 * SECOND)
  changes.push({ wallet: 'p001', height: heightAt() })
  await beat()
  endpoint.resolve()
  await first
  await pass(5 * SECOND, SECOND)
  t.equal((await events()).length, 1)
  t.equal(asked('position').length, 2)
})
