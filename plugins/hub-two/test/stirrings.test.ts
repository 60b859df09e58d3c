import { startStage } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const chain = { prefix: 'celestia', denom: 'utia', algorithm: 'secp256k1', chainId: 'celestia', lookup: 'tx_status' } as const
const family = cosmosFamily({ ...chain, results: false })
const stage = await startStage({ plugin, scenario, family })
t.teardown(() => stage.close())
const search = (after: bigint | null) => stage.protocol.stirrings!.search(stage.direct, after, async () => [])

t.test('a node of Celestia has no index unless it is switched on; with one, who leaves is found though rewards are parked', async (t) => {
  const [leaver, stayer] = [await stage.player(), await stage.player()]
  for (const player of [leaver, stayer]) await player.act('stake', { amount: 100 })
  const start = (await search(null))?.height ?? 0n
  t.equal(await search(start), null)
  await stage.world.operate('keep', { index: true })
  await stayer.act('stake', { amount: 1 })
  await leaver.act('unstake', { amount: 40 })
  const found = await search(start + 10n)
  t.same(
    found?.wallets.map(({ wallet }) => wallet),
    [leaver.wallet.address],
  )
})
