import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import type { Transaction } from '@mysten/sui/transactions'
import type { MovesAct, MovesEvent, MovesTest, WalletLife } from '@svc/conformance'
import type { MoveWallet } from '@svc/conformance/move'
import { exactNumber, formatAmount } from '@svc/contract'
import { operatorName } from '../sandbox/index.ts'
import type { Behind } from './chain.ts'

const SUI = 1_000_000_000n
/** Another validator than the operator's, with which a wallet may stake by itself. */
const ANOTHER = 'halley'

/** What moves for whoever stakes SUI, for conformance's group `moves`. The books are the pools of the sandbox's node itself. */
export function moves(chain: () => Behind): MovesTest {
  const act = (name: string, action: string, body: MovesAct['body']): MovesAct => ({ name, action, body })
  const event = (name: string, run: MovesEvent['run']): MovesEvent => ({ name, run })
  const some = (random: WalletLife['random']) => BigInt(1 + random(900)) * SUI + BigInt(random(10 ** 9))
  /** Positions as the balance lists them, at random. */
  const oneOf = async ({ player, random }: WalletLife, is: (status: string) => boolean) => {
    const all = ((await player.position()).objects ?? []).filter(({ status }) => is(status))
    const position = all[random(all.length)]
    if (!position) throw new RangeError('there is no such position')
    return { staked_sui_object_id: position.id }
  }
  /** What a wallet signs that the service does not craft. */
  const by = ({ player }: WalletLife, build: (tx: Transaction) => void) => {
    const { key } = player.wallet as MoveWallet
    return chain().run(Ed25519Keypair.fromSecretKey(key.export({ format: 'der', type: 'pkcs8' }).subarray(-32)), build)
  }
  return {
    acts: [
      act('stakes an exact amount', 'stake', async ({ random }) => ({ amount: exactNumber(formatAmount(some(random), 9)) })),
      act('stakes what a double reads', 'stake', async ({ random }) => ({ amount: Number(formatAmount(some(random), 9)) })),
      act('stakes the least', 'stake', async () => ({ amount: 1 })),
      act('withdraws a position that is not active', 'unstake', (life) => oneOf(life, (status) => status === 'activating')),
      act('withdraws a position', 'unstake', (life) => oneOf(life, (status) => status === 'active')),
    ],
    events: [
      event('an epoch passes', ({ player }) => player.advance({ epochs: 1 })),
      event('some epochs pass', ({ player, random }) => player.advance({ epochs: 2 + random(9) })),
      event('half a day passes', ({ player }) => player.advance({ seconds: 43_200 })),
      event('an epoch ends in safe mode', ({ operate }) => operate('safe-mode')),
      event('rewards change', ({ operate, random }) =>
        operate('reward', { validator: operatorName, amount: `${1 + random(9_000)}.000000001` }),
      ),
      event('commission changes', ({ operate, random }) => operate('commission', { validator: operatorName, bps: random(10_001) })),
      event('gas has another price', ({ operate, random }) => operate('gas-price', { price: 500 + random(1_000) })),
      event('somebody sends it a coin', ({ player }) => player.fund('3.000000001')),
      event('somebody sends it many coins', ({ operate, player }) =>
        operate('coins', { address: player.wallet.address, count: 5, each: '0.3' }),
      ),
      event('its address balance grows', ({ operate, player }) =>
        operate('address-balance', { address: player.wallet.address, amount: '1.5' }),
      ),
      event('it stakes with another validator', (life) =>
        by(life, (tx) => {
          const [coin] = tx.splitCoins(tx.gas, [some(life.random)])
          tx.moveCall({
            target: '0x3::sui_system::request_add_stake',
            arguments: [tx.object.system({ mutable: true }), coin!, tx.pure.address(chain().move.validator(ANOTHER).address)],
          })
        }),
      ),
      event('it splits a position', async (life) => {
        const { staked_sui_object_id: id } = await oneOf(life, () => true)
        await by(life, (tx) => tx.moveCall({ target: '0x3::staking_pool::split_staked_sui', arguments: [tx.object(id), tx.pure.u64(SUI)] }))
      }),
      event('it makes a position fungible', async (life) => {
        const { staked_sui_object_id: id } = await oneOf(life, (status) => status === 'active')
        await by(life, (tx) => {
          const [share] = tx.moveCall({
            target: '0x3::sui_system::convert_to_fungible_staked_sui',
            arguments: [tx.object.system({ mutable: true }), tx.object(id)],
          })
          tx.transferObjects([share!], life.player.wallet.address)
        })
      }),
    ],
    async book({ player: { wallet } }) {
      const pools = chain().move.node.state.pools.entries()
      // Coins of stakers in all pools: what waits, and what is active, less what has left already and is taken off with the epoch.
      const staked = pools.reduce((sum, [, { sui, pendingStake, pendingSuiWithdraw }]) => sum + sui + pendingStake - pendingSuiWithdraw, 0n)
      return { holds: { native: await chain().holds(wallet.address) }, staked, freed: -staked }
    },
    fee: (_life, txHash) => chain().gasOf(txHash),
    unused: {
      'create-validator': 'each is there for ever, and no move is of it',
      'deactivate-validator': 'it is for ever, and the journeys have it',
      'next-commission': 'it is the commission of an epoch later, and commissions are played',
      party: 'who may use an object is no move',
      'put-into': 'nor is it what it is kept in',
      conflict: 'a transaction that an object is locked by lands nowhere',
      status: 'what a node answers is no move',
      lag: 'what a node answers is no move',
      pages: 'what a node answers is no move',
      scan: 'what a node answers is no move',
      index: 'what a node answers is no move',
      proposers: 'what a node answers is no move',
      congest: 'a transaction that is put off lands nowhere',
    },
  }
}
