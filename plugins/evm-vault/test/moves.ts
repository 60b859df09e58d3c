import type { MovesAct, MovesEvent, MovesTest, WalletLife } from '@svc/conformance'
import { evmEvents, evmFee, someWei, stakedWei, written } from '@svc/testing/evm-moves'
import { operator, type World } from '../sandbox/index.ts'
import { reportMore } from './support.ts'

const ETH = 10n ** 18n

/** What moves for whoever has staked with a vault, for conformance's group `moves`. The books are the vault's own shares and coins, read past every kit. */
export function moves(world: () => World): MovesTest {
  const act = (name: string, action: string, body: MovesAct['body']): MovesAct => ({ name, action, body })
  const event = (name: string, run: MovesEvent['run']): MovesEvent => ({ name, run })
  const sharesOf = ({ player }: Pick<WalletLife, 'player'>) => world().read<bigint>('getShares', [player.wallet.address])
  const rewarded = () => world().report?.reward ?? 0n
  return {
    acts: [
      act('stakes an exact amount', 'stake', async ({ random }) => ({ amount: written.exactly(someWei(random, 90)) })),
      act('stakes what a double reads', 'stake', async ({ random }) => ({ amount: written.byDouble(someWei(random, 90)) })),
      act('stakes a wei', 'stake', async () => ({ amount: written.exactly(1n) })),
      act('unstakes a part', 'unstake', async (life) => ({
        amount: written.exactly(((await stakedWei(life)) * BigInt(1 + life.random(99))) / 100n),
      })),
      act('unstakes a few wei', 'unstake', async (life) => ({ amount: written.exactly(BigInt(2 + life.random(9))) })),
      act('unstakes all', 'unstake', async (life) => ({ amount: written.exactly(await stakedWei(life)) })),
      act('unstakes all by a double', 'unstake', async (life) => ({ amount: written.byDouble(await stakedWei(life)) })),
      act('unstakes all but a gwei', 'unstake', async (life) => ({ amount: written.exactly((await stakedWei(life)) - 10n ** 9n) })),
      act('withdraws', 'withdraw', async ({ player }) => {
        if ((await player.position()).withdrawing === '0') throw new RangeError('there is nothing to withdraw')
        return {}
      }),
    ],
    events: [
      ...evmEvents(() => world().chain),
      event('the oracles report', ({ player }) => player.advance({ epochs: 1 })),
      event('the oracles report twice', ({ player }) => player.advance({ epochs: 2 })),
      event('two days pass', ({ player }) => player.advance({ seconds: 172_800 })),
      event('a report waits that nobody has harvested', ({ random }) =>
        reportMore(world(), BigInt(1 + random(5)) * ETH + BigInt(random(1_000))),
      ),
      event('a report of slashed validators waits', ({ random }) =>
        world().publish(rewarded() - BigInt(1 + random(20)) * ETH - BigInt(random(1_000))),
      ),
      event('somebody harvests', () => world().harvest()),
      event('the fee changes', ({ random }) => world().control('vault', 'setFeePercent', random(3_000))),
      event('another stakes', async ({ player, random }) => {
        const { address } = player.newcomer().wallet
        await world().chain.fund(address, 100n * ETH)
        await world().act(address, 'deposit', [address, operator], someWei(random, 90))
      }),
      event('it leaves by another front end', async (life) => {
        const shares = await sharesOf(life)
        const { address } = life.player.wallet
        await world().act(address, 'enterExitQueue', [(shares * BigInt(1 + life.random(9))) / 10n, address])
      }),
    ],
    async book(life) {
      const { address } = life.player.wallet
      const { chain, vault } = world()
      return {
        holds: { native: await chain.balance(address), [vault.toLowerCase()]: await sharesOf(life) },
        // Coins come to the vault with a deposit alone, and it has no room where they would come back.
        staked: await chain.balance(vault),
        // What shares in the queue are worth is known when they are claimed.
        freed: null,
      }
    },
    fee: (_life, txHash) => evmFee(world().chain, txHash),
  }
}
