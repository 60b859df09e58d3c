import type { Player } from '@svc/conformance'
import t from 'tap'
import { claimDelay } from '../sandbox/index.ts'
import { callsOf, ether, payQueue, refuses, reportMore, staked, startObserved, sum, wei, withoutSubgraph } from './support.ts'

const { stage, world } = await startObserved()
t.teardown(() => stage.close())
t.afterEach(() => stage.upstream.interfere(null))
const { chain } = world

/** The exits of a player by the vault's own word, at the indexes it names. */
async function ownWord(player: Player, ticket: string, timestamp: bigint) {
  const index = await world.read<bigint>('getExitQueueIndex', [BigInt(ticket)])
  return world.read<readonly bigint[]>('calculateExitedAssets', [
    player.wallet.address,
    BigInt(ticket),
    timestamp,
    BigInt.asUintN(256, index),
  ])
}
const eth = 10n ** 18n

t.test(
  'a balance takes one round trip of three calls without exits, and one more to ask the vault what each of them is worth',
  async (t) => {
    const player = await stage.player()
    await staked(player, 10)
    await player.position()
    const without = await stage.upstream.measure(() => player.position())
    t.same(without.usage, { waves: 1, calls: 3 })
    await player.act('unstake', { amount: 1 })
    await player.position()
    const withOne = await stage.upstream.measure(() => player.position())
    t.same(withOne.usage, { waves: 2, calls: 4 })
    t.equal(withOne.result.objects?.length, 1)
  },
)

t.test('a vault that does not confirm the queue is asked for each exit, at the price of two round trips', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await player.act('unstake', { amount: 1 })
  await player.act('unstake', { amount: 2 })
  await player.advance({ epochs: 3 })
  await player.position()
  const five = await stage.upstream.measure(() => player.craft('withdraw'))
  t.equal(five.usage.waves, 2)
  await world.control('vault', 'setVersion', 4, 86_400)
  t.teardown(() => world.control('vault', 'setVersion', 5, claimDelay))
  const { result, usage } = await stage.upstream.measure(() => player.craft('withdraw'))
  t.equal(usage.waves, 4, 'version 4 tells less')
  t.same(callsOf(result), callsOf(five.result), 'and the claims are the same')
  const [first] = (await player.position()).objects!
  const [left, exited] = await ownWord(player, first!.id, callsOf(result)[0]!.args.timestamp as bigint)
  t.ok(left === 0n && exited! > 0n)
  await player.act('withdraw')
})

t.test(
  'a vault of version 2 is served to its end: the value is fixed at the request, and paid with a harvest of what is due',
  async (t) => {
    const player = await stage.player()
    await staked(player, 10)
    await player.act('unstake', { amount: 1 })
    await world.control('vault', 'setVersion', 2, 86_400)
    t.teardown(() => world.control('vault', 'setVersion', 5, claimDelay))
    await payQueue(world, 100n * eth)
    await player.act('unstake', { amount: 3 })
    await player.act('unstake', { amount: 2 })
    const waiting = await player.position()
    t.equal(waiting.objects?.length, 3)
    t.ok(wei('6') - wei(waiting.deactivating) < 10n ** 15n, `the exits' worth: ${waiting.deactivating}`)
    await reportMore(world, 10n ** 20n)
    const [old, ...fixed] = (await player.position()).objects!
    t.same(
      fixed.map(({ amount }) => amount),
      waiting.objects!.slice(1).map(({ amount }) => amount),
      'rewards after the request are not theirs',
    )
    await refuses(t, player, 'withdraw', {}, 'WITHDRAWAL_NOT_READY')
    await chain.moveTime(86_400)
    await chain.mine()
    const ready = await player.position()
    t.same(
      ready.objects!.map(({ id, status }) => [id, status]),
      [old!, ...fixed].map(({ id }) => [id, 'withdrawable']),
    )
    const crafted = await player.craft('withdraw')
    t.match(
      callsOf(crafted).map(({ name, args }) => [name, args.exitQueueIndex]),
      [
        ['updateState', undefined],
        ['claimExitedAssets', await world.read('getExitQueueIndex', [BigInt(old!.id)])],
        ['claimExitedAssets', 0n],
        ['claimExitedAssets', 0n],
      ],
      'only checkpoints have an index',
    )
    const before = await chain.balance(world.vault)
    await player.act('withdraw')
    t.equal(ether(before - (await chain.balance(world.vault))), ready.withdrawing, 'to the wei')
    t.same((await player.position()).objects, [])
  },
)

t.test('exits of version 2 outlive an upgrade, in part too', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await world.control('vault', 'setVersion', 2, 86_400)
  await player.act('unstake', { amount: 4 })
  await world.control('vault', 'sweep')
  await chain.fund(world.vault, eth)
  await chain.moveTime(86_400)
  await chain.mine()
  const partly = await player.position()
  t.ok(wei('1') - wei(partly.withdrawing) < 3n, partly.withdrawing!)
  t.ok(wei('3') - wei(partly.deactivating) < 10n, partly.deactivating!)
  await player.act('withdraw')
  const rest = await player.position()
  t.equal(sum(partly.withdrawing, rest.deactivating), sum(partly.withdrawing, partly.deactivating), 'the rest is worth what it was')
  await world.control('vault', 'setVersion', 5, claimDelay)
  t.same((await player.position()).deactivating, rest.deactivating, 'the vault of version 5 keeps the same for it')
  await payQueue(world, 10n * eth)
  const ready = await player.position()
  t.match(ready, { withdrawing: rest.deactivating, objects: [{ status: 'withdrawable' }] })
  await player.act('withdraw')
  t.same((await player.position()).objects, [])
})

t.test('a vault of version 2 behind the oracles takes exits with the harvest only', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await world.control('vault', 'setVersion', 2, 86_400)
  t.teardown(() => world.control('vault', 'setVersion', 5, claimDelay))
  for (let reports = 0; reports < 2; reports++) await reportMore(world)
  t.same(
    callsOf(await player.craft('unstake', { amount: 1 })).map(({ name }) => name),
    ['updateState', 'enterExitQueue'],
  )
  await player.act('unstake', { amount: 1 })
  for (let reports = 0; reports < 2; reports++) await reportMore(world)
  withoutSubgraph(stage)
  await refuses(t, player, 'unstake', { amount: 1 }, 'HARVEST_UNAVAILABLE', 422)
  stage.upstream.interfere(null)
  await world.harvest()
})
