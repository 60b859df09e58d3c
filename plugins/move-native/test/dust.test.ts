import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import type { Transaction } from '@mysten/sui/transactions'
import { type Player, startStage } from '@svc/conformance'
import { type MoveWallet, moveFamily } from '@svc/conformance/move'
import t from 'tap'
import { operatorName, scenarios } from '../sandbox/index.ts'
import { AT_ONCE, fewAtOnce } from '../src/chain/at-once.ts'
import { MOST_OBJECTS } from '../src/digests.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'

const SUI = 1_000_000_000n

const { scenario, chain } = onChain(scenarios[1]!)
const stage = await startStage({ plugin, scenario, family: { ...moveFamily, otherChainId: 'mainnet' } })
t.teardown(() => stage.close())
const { upstream, protocol } = stage

const keyOf = (player: Player) =>
  Ed25519Keypair.fromSecretKey((player.wallet as MoveWallet).key.export({ format: 'der', type: 'pkcs8' }).subarray(-32))
const byItself = (player: Player, build: (tx: Transaction) => void, made = 'StakedSui') => chain().run(keyOf(player), build, made)

const stakes = (player: Player, amount: bigint) =>
  byItself(player, (tx) => {
    const [coin] = tx.splitCoins(tx.gas, [amount])
    const args = [tx.object.system({ mutable: true }), coin!, tx.pure.address(chain().move.validator(operatorName).address)]
    tx.moveCall({ target: '0x3::sui_system::request_add_stake', arguments: args })
  })

/** Makes a share of a stake that is active, and keeps it. */
async function makesFungible(player: Player, stake: string): Promise<string> {
  const [share] = await byItself(
    player,
    (tx) => {
      const args = [tx.object.system({ mutable: true }), tx.object(stake)]
      const [made] = tx.moveCall({ target: '0x3::sui_system::convert_to_fungible_staked_sui', arguments: args })
      tx.transferObjects([made!], player.wallet.address)
    },
    'FungibleStakedSui',
  )
  return share!
}

/** Gives shares of a single token each to somebody who did not ask for them, in one transaction: nodes take a thousand commands and two thousand new objects. */
async function givesDust(from: Player, share: string, to: string, count: number): Promise<void> {
  await byItself(from, (tx) => {
    const parts = Array.from({ length: count }, () => {
      const [part] = tx.moveCall({ target: '0x3::staking_pool::split_fungible_staked_sui', arguments: [tx.object(share), tx.pure.u64(1)] })
      return part!
    })
    tx.transferObjects(parts, to)
  })
}

t.test('what strangers give keeps no wallet from its stakes, and no other wallet from its digest', async (t) => {
  const [player, other, stranger] = [await stage.player(), await stage.player(), await stage.player()]
  const { address } = player.wallet
  const [own] = await stakes(player, 7n * SUI)
  const [another] = await stakes(other, 3n * SUI)
  const [theirs] = await stakes(stranger, SUI)
  await player.advance({ epochs: 2 })
  const share = await makesFungible(stranger, theirs!)
  const fresh = () => ({ ...stage.connect(), now: () => new Date() })
  const alone = await protocol.balance(fresh(), address)
  t.match(alone.digest, /./)

  const count = MOST_OBJECTS + 50
  await givesDust(stranger, share, address, count)
  const { result: balance, usage } = await upstream.measure(() => protocol.balance(fresh(), address))
  t.equal(balance.objects!.length, count + 1)
  t.equal(balance.objects!.find(({ id }) => id === own)?.amount, 7n * SUI, 'its own stake is among them')
  t.equal(balance.digest, undefined, 'no digest is told of so many')
  t.ok(usage.calls <= count / 50 + 12, `${usage.calls} calls`)

  const positions = [
    { address, objects: balance.objects!.map(({ id }) => id) },
    { address: other.wallet.address, objects: [another!] },
  ]
  const round = await upstream.measure(() => protocol.digests!(fresh(), positions))
  t.same([...round.result.keys()], [other.wallet.address], 'the wallet is read whole, and the other one told')
  t.ok(round.usage.calls < 10, `${round.usage.calls} calls, none for what was given`)

  await player.act('unstake', { staked_sui_object_id: own })
  t.notOk((await protocol.balance(fresh(), address)).objects!.some(({ id }) => id === own))
})

t.test('calls for what thousands hold are under way a few at a time', async (t) => {
  let [now, most] = [0, 0]
  const items = Array.from({ length: 5 * AT_ONCE + 3 }, (_, index) => index)
  const doubled = await fewAtOnce(items, async (item) => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(resolve))
    now--
    return 2 * item
  })
  t.same(
    doubled,
    items.map((item) => 2 * item),
  )
  t.equal(most, AT_ONCE)
})
