import { startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { Interface } from 'ethers'
import t from 'tap'
import { scenario, vaultAbi, vaultAddress } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'

const { scenario: observed, chain } = onChain(scenario)
const stage = await startStage({ plugin, scenario: observed, family: evmFamily })
t.teardown(() => stage.close())

const MON = 10n ** 18n
const vault = new Interface(vaultAbi)
const by = (from: string, method: string, args: readonly unknown[], value = 0n) =>
  chain().evm.send({ from, to: vaultAddress, data: vault.encodeFunctionData(method, args), value })
const settle = () => stage.world.operate('mine', { blocks: 12 })
const nobody = async () => []
const search = (after: bigint | null) => stage.protocol.stirrings!.search(stage.direct, after, nobody)

t.test('whose shares leave is found in the logs of the vault; who buys or is given some is not', async (t) => {
  const [{ wallet: leaver }, { wallet: seller }, { wallet: other }] = [await stage.player(), await stage.player(), await stage.player()]
  for (const { address } of [leaver, seller]) await by(address, 'depositMON', [address, 0], 100n * MON)
  await settle()
  const before = (await search(null))?.height ?? null
  await by(other.address, 'depositMON', [other.address, 0], 100n * MON)
  await by(leaver.address, 'requestRedeem', [10n * MON, leaver.address, leaver.address])
  await by(seller.address, 'transfer', [other.address, 10n * MON])
  await settle()
  const found = await search(before)
  const watched = [leaver, seller, other].map(({ address }) => address)
  t.same(
    found?.wallets.map(({ wallet }) => wallet).filter((wallet) => watched.includes(wallet)),
    [leaver.address, seller.address],
  )
  t.same((await search(found?.height ?? null))?.wallets, [])
})
