import { startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { observe } from '@svc/sandbox'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const observed = observe(scenario)
const stage = await startStage({ plugin, scenario: observed.scenario, family: evmFamily })
t.teardown(() => stage.close())
const nobody = async () => []
const search = (after: bigint | null) => stage.protocol.stirrings!.search(stage.direct, after, nobody)

t.test('who takes stake from the validator is found in the logs of the contract, once, and who stakes is not', async (t) => {
  const [leaver, stayer] = [await stage.player(), await stage.player()]
  await leaver.act('delegate', { amount: 100 })
  await leaver.advance({ epochs: 2 })
  const before = await search(null)
  t.same(before?.wallets, [])
  await stayer.act('delegate', { amount: 100 })
  await leaver.act('undelegate', { amount: 40, withdrawId: 0 })
  await stage.world.operate('mine', { blocks: 12 })
  const found = await search(before?.height ?? null)
  t.same(found?.wallets, [{ wallet: leaver.wallet.address }])
  t.ok((found?.height ?? 0n) > (before?.height ?? 0n))
  t.same((await search(found?.height ?? null))?.wallets, [])
  await leaver.advance({ epochs: 8 })
  await leaver.act('withdraw', { withdrawId: 0 })
  await stage.world.operate('mine', { blocks: 12 })
  t.same((await search(found?.height ?? null))?.wallets, [{ wallet: leaver.wallet.address }])
})

t.test('stake with another validator is nobody’s business here, and that with a former one is', async (t) => {
  const player = await stage.player()
  await player.act('delegate', { amount: 100 })
  await player.advance({ epochs: 2 })
  const before = await search(null)
  await player.act('undelegate', { amount: 40, withdrawId: 0 })
  await stage.world.operate('mine', { blocks: 12 })
  const withSettings = (settings: object) =>
    stage.protocol.stirrings!.search(
      { ...stage.direct, network: { ...(stage.direct.network as object), ...settings } } as never,
      before?.height ?? null,
      nobody,
    )
  t.same((await withSettings({ validator_id: 99 }))?.wallets, [])
  t.same((await withSettings({ validator_id: 99, former_validators: [12] }))?.wallets, [{ wallet: player.wallet.address }])
})

t.test('after a pause it goes on in ranges of blocks that the endpoint serves, some at a time', async (t) => {
  const before = await search(null)
  await stage.world.operate('mine', { blocks: 60 })
  const network = { ...(stage.direct.network as object), log_blocks: 3 }
  let after = before?.height ?? 0n
  const heights: bigint[] = []
  const end = (await search(after))?.height ?? 0n
  while (after < end) {
    after = (await stage.protocol.stirrings!.search({ ...stage.direct, network } as never, after, nobody))?.height ?? end
    heights.push(after)
  }
  t.equal(heights[0], (before?.height ?? 0n) + 30n)
  t.ok(after >= end)
})

t.test('of a wallet that is watched, another code is found by the reading of all codes each half an hour', async (t) => {
  const [{ wallet: victim }, { wallet: other }] = [await stage.player(), await stage.player()]
  const clock = { now: new Date() }
  const ctx = { ...stage.direct, memo: {}, now: () => clock.now } as never
  const later = async () => {
    clock.now = new Date(clock.now.getTime() + 1_800_000)
    const found = await stage.protocol.stirrings!.search(ctx, null, async () => [victim.address, other.address])
    return found?.wallets
  }
  t.same(await later(), [], 'the first reading remembers')
  await observed.chain().setCode(victim.address, `0xef0100${'77'.repeat(20)}`)
  t.same(await later(), [{ wallet: victim.address }])
  t.same(await later(), [])
  await observed.chain().setCode(victim.address, '0x')
  t.same(await later(), [{ wallet: victim.address }], 'also when it is taken away')
})
