import type { Balance, KnownPosition, StakedObject } from '@svc/contract'
import t, { type Test } from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { untilRound } from '../../src/life/digest-round.ts'
import { inMemory, onBoth } from '../support/databases.ts'
import { following } from './heart.ts'
import { createScript, hashOf, inBlock, NOTHING } from './living.ts'

const { sql } = core()
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const PLACE = { protocol: 'paper', network: '1' }

const delegation = (status: StakedObject['status']): StakedObject => ({
  ...{ id: '1', type: 'delegation', status, amount: 5n, rewards: null, validator: 'v1' },
  ...{ activationEpoch: null, withdrawableEpoch: null, withdrawableAt: null },
})
const holding = (status: StakedObject['status'], digest?: string): Balance => ({
  ...{ ...NOTHING, staked: 5n, objects: [delegation(status)] },
  ...(digest === undefined ? {} : { digest }),
})

/** A service that has read so many wallets, whose positions the script has with a digest each. */
async function watching(t: Test, state: Store, wallets: number, life: object = {}, digestMinutes: number | null = null) {
  const script = createScript()
  script.digestMinutes = digestMinutes
  const truth = (address: string) => {
    const said = script.positions.get(address)
    return typeof said === 'object' && !(said instanceof Error) ? said.digest : undefined
  }
  /** What the chain says of them: the truth, until a test says otherwise. */
  const chain = {
    tells: (positions: readonly KnownPosition[]): ReadonlyMap<string, string> =>
      new Map(positions.flatMap(({ address }) => (truth(address) === undefined ? [] : [[address, truth(address) ?? '']]))),
  }
  script.digests = (positions) => chain.tells(positions)
  const served = await following(t, state, { script, config: { life } })
  const addresses = Array.from({ length: wallets }, (_, index) => `p${String(index + 1).padStart(3, '0')}`)
  for (const address of addresses) {
    script.positions.set(address, holding('activating', `${address} at first`))
    await served.call('PUT', `/api/v1/watch/paper/${address}`)
  }
  await served.pass(MINUTE)
  const asked = (what: string) => script.asked.filter((each) => each.what === what).map(({ of }) => of)
  const forget = () => script.asked.splice(0)
  t.same(asked('position').toSorted(), addresses)
  forget()
  return { ...served, addresses, chain, asked, forget }
}

await t.test('digests are compared once a day together, and a position is read whole when its digest is another one', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, pass, asked, forget, addresses, types, call, broadcast } = await watching(t, state, 12)
      await pass(DAY, HOUR)
      t.same(
        asked('digests').map((all) => all.split(' ').toSorted()),
        [addresses],
        'all of them in one call',
      )
      t.same(asked('position'), [])
      await pass(3 * DAY, HOUR)
      t.equal(asked('digests').length, 4)
      t.same(asked('position'), [], 'time alone has nothing read whole')
      forget()
      script.positions.set('p007', holding('active', 'p007 after a transaction from elsewhere'))
      await pass(DAY + HOUR, HOUR)
      t.same(asked('position'), ['p007'])
      t.same(await types(), ['position.active'])
      await pass(2 * DAY, HOUR)
      t.same(asked('position'), ['p007'], 'once')
      t.ok(asked('digests').length <= 4)

      forget()
      script.positions.set('p001', holding('active', 'p001 after its own transaction'))
      script.transactions.set(hashOf('a'), inBlock('final'))
      await broadcast('a')
      await pass(MINUTE)
      await pass(2 * DAY, HOUR)
      t.same(asked('position'), ['p001'], 'what was read when it was due is not read again for its digest')

      forget()
      await call('DELETE', '/api/v1/watch/paper/p002')
      await pass(DAY, HOUR)
      t.notOk(asked('digests').join(' ').includes('p002'), 'nobody asks for one that was given up')
    },
    { memory: true },
  ),
)

await t.test('where the protocol says so, digests are compared more often, all of them together each time', async (t) => {
  const { script, pass, asked, addresses, types } = await watching(t, await inMemory(t), 5, {}, 30)
  await pass(DAY, 5 * MINUTE)
  t.same(new Set(asked('digests').map((all) => all.split(' ').toSorted().join(' '))), new Set([addresses.join(' ')]))
  t.ok(asked('digests').length >= 47 && asked('digests').length <= 49, `${asked('digests').length} rounds in a day`)
  script.positions.set('p003', holding('active', 'p003 after a transaction from elsewhere'))
  await pass(40 * MINUTE, MINUTE)
  t.same(await types(), ['position.active'])
})

await t.test('a chain that says that all digests are others has as much read as the budget allows, and nothing forged told', async (t) => {
  const { chain, pass, asked, events } = await watching(t, await inMemory(t), 40, { sweeps_per_day: 6 })
  let lies = 0
  chain.tells = (positions) => new Map(positions.map(({ address }) => [address, `a lie ${lies++}`]))
  await pass(5 * DAY, HOUR)
  t.ok(lies > 40)
  const read = asked('position')
  t.ok(read.length >= 24 && read.length <= 36, `${read.length} readings in five days`)
  t.ok(new Set(read).size >= 24, 'each in its turn')
  t.same(await events(), [])
})

await t.test('a change that the chain hides is found by whole readings, a few a day', async (t) => {
  const { script, chain, addresses, pass, asked, types } = await watching(t, await inMemory(t), 6, { rereads_per_day: 1 })
  const old = chain.tells(addresses.map((address) => ({ address, objects: [] })))
  chain.tells = () => old
  for (const address of addresses) script.positions.set(address, holding('active', `${address} now`))
  await pass(29 * DAY, 6 * HOUR)
  t.same(asked('position'), [])
  // Not to the hour of the third: a wallet is read up to three hours later, by its id.
  await pass(3 * DAY - 6 * HOUR, 6 * HOUR)
  // One that was read is read again when its digest is told as it was before: how often by then is a matter of its id.
  const { size } = new Set(asked('position'))
  t.ok(size >= 2 && size <= 4, `${size} after a month, by their budget`)
  await pass(7 * DAY, 6 * HOUR)
  t.same([...new Set(asked('position'))].toSorted(), addresses)
  t.same(await types(), Array(6).fill('position.active'))
})

await t.test('a digest that is not told is not the same: it is asked for again, and then the position is read whole', async (t) => {
  const { script, chain, addresses, pass, asked, forget, types } = await watching(t, await inMemory(t), 3)
  const truth = chain.tells
  script.positions.set('p002', holding('active', 'p002 now'))
  chain.tells = (positions) => new Map([...truth(positions)].filter(([address]) => address !== 'p002'))
  await pass(DAY, 10 * MINUTE)
  t.same([...new Set(asked('position'))], ['p002'], 'one alone that is left out')
  t.same(await types(), ['position.active'])
  const again = asked('digests').filter((all) => all === 'p002').length
  t.ok(again >= 7 && again <= 10, `it was asked for ${again} times more`)

  forget()
  chain.tells = () => {
    throw new Error('the endpoint does not serve this')
  }
  await pass(DAY, 10 * MINUTE)
  t.same([...new Set(asked('position'))].toSorted(), addresses, 'all of them, where the whole call fails')
  chain.tells = truth
  await pass(DAY, HOUR)
  forget()
  await pass(2 * DAY, HOUR)
  t.same(asked('position'), [], 'and none when it is told again')
  chain.tells = () => new Map(addresses.map((address) => [address, null as unknown as string]))
  await pass(DAY, 10 * MINUTE)
  t.same([...new Set(asked('position'))].toSorted(), addresses, 'what is no text is none')
})

await t.test('a digest that is not told is asked for after one minute, two, four and eight', async (t) => {
  const state = await inMemory(t)
  const { chain, pass, asked, clock } = await watching(t, state, 1)
  chain.tells = () => new Map()
  await state.transact(({ now }) => ask(sql`update svc_watches set compare_at = ${now} returning id`), { now: () => clock.now })
  const minutes: number[] = []
  for (let minute = 1; minute <= 18; minute++) {
    const before = asked('digests').length
    await pass(MINUTE, MINUTE)
    if (asked('digests').length > before) minutes.push(minute)
  }
  t.same(minutes, [1, 2, 4, 8, 16])
})

await t.test('a position whose reading tells no digest is swept as one of a protocol without', async (t) => {
  const { script, pass, asked } = await watching(t, await inMemory(t), 2)
  script.positions.set('p001', holding('activating'))
  await pass(4 * DAY, HOUR)
  const read = asked('position')
  t.ok(read.length >= 2 && read.length <= 4 && read.every((each) => each === 'p001'), read.join(' '))
})

await t.test('a protocol whose endpoints cease to tell digests is swept as one without, within the same budget', async (t) => {
  const { script, chain, addresses, pass, asked, forget } = await watching(t, await inMemory(t), 40, { sweeps_per_day: 6 })
  chain.tells = () => new Map()
  for (const address of addresses) script.positions.set(address, holding('activating'))
  await pass(3 * DAY, 10 * MINUTE)
  const first = asked('position').length
  t.ok(first >= 6 && first <= 3 * 6 + 6, `${first} readings in three days`)
  const times = asked('digests')
    .flatMap((all) => all.split(' '))
    .filter((address) => address === 'p001').length
  t.ok(times <= 9, `a wallet was asked for ${times} times`)
  forget()
  await pass(5 * DAY, HOUR)
  t.same(asked('digests'), [], 'and then nobody asks')
  const read = asked('position')
  t.ok(read.length >= 24 && read.length <= 36, `${read.length} readings in five days`)
  t.ok(new Set(read).size >= 24, 'each in its turn')
})

await t.test('who asks for digests is told what the last whole reading found', async (t) => {
  const { chain, pass } = await watching(t, await inMemory(t), 2)
  const seen: KnownPosition[] = []
  const truth = chain.tells
  chain.tells = (positions) => {
    seen.push(...positions)
    return truth(positions)
  }
  await pass(DAY, HOUR)
  t.same(
    seen.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    [
      { address: 'p001', objects: ['1'] },
      { address: 'p002', objects: ['1'] },
    ],
  )
})

t.test('rounds of a network come once a day at one time, and those of others at others', async (t) => {
  const at = Date.parse('2026-11-21T12:00:00Z')
  const next = at + untilRound(PLACE, new Date(at))
  for (const later of [1, HOUR, next - at - 1]) t.equal(at + later + untilRound(PLACE, new Date(at + later)), next)
  t.equal(untilRound(PLACE, new Date(next)), DAY)
  t.not((next - untilRound({ protocol: 'paper', network: '2' }, new Date(at))) % DAY, at % DAY)
})
