import type { MovesAct, MovesEvent, MovesTest } from '@svc/conformance'
import { evmEvents, evmFee, someWei, stakedWei, written } from '@svc/testing/evm-moves'
import { Interface } from 'ethers'
import { control, deposit, reward, totalAssets, vaultAbi, vaultAddress } from '../sandbox/index.ts'
import type { Behind } from './chain.ts'

const MON = 10n ** 18n
const vault = new Interface(vaultAbi)

/** What moves for a holder of the pool's shares, for conformance's group `moves`. The books are the vault's own, read past every kit. */
export function moves(chain: () => Behind): MovesTest {
  const act = (name: string, action: string, body: MovesAct['body']): MovesAct => ({ name, action, body })
  const event = (name: string, run: MovesEvent['run']): MovesEvent => ({ name, run })
  const view = async (method: string, args: readonly unknown[]): Promise<bigint> =>
    vault.decodeFunctionResult(method, await chain().evm.call({ to: vaultAddress, data: vault.encodeFunctionData(method, args) }))[0]
  const by = (from: string, method: string, args: readonly unknown[]) =>
    chain().evm.send({ from, to: vaultAddress, data: vault.encodeFunctionData(method, args) })
  /** Only one request can be open. */
  const unlessOpen =
    (body: MovesAct['body']): MovesAct['body'] =>
    async (life) => {
      if ((await view('ownerRequestId', [life.player.wallet.address])) !== 0n) throw new RangeError('a request is open')
      return body(life)
    }
  return {
    acts: [
      act('delegates an exact amount', 'delegate', async ({ random }) => ({ amount: written.exactly(someWei(random, 900, 100)) })),
      act('delegates what a double reads', 'delegate', async ({ random }) => ({ amount: written.byDouble(someWei(random, 900, 100)) })),
      act(
        'undelegates a part',
        'undelegate',
        unlessOpen(async (life) => ({ amount: written.exactly(((await stakedWei(life)) * BigInt(1 + life.random(99))) / 100n) })),
      ),
      act(
        'undelegates all',
        'undelegate',
        unlessOpen(async (life) => ({ amount: written.exactly(await stakedWei(life)) })),
      ),
      act(
        'undelegates all by a double',
        'undelegate',
        unlessOpen(async (life) => ({ amount: written.byDouble(await stakedWei(life)) })),
      ),
      act(
        'undelegates all but a gwei',
        'undelegate',
        unlessOpen(async (life) => ({ amount: written.exactly((await stakedWei(life)) - 10n ** 9n) })),
      ),
      act('withdraws', 'withdraw', async ({ player }) => {
        const ready = (await player.position()).objects?.find(({ status }) => status === 'withdrawable')
        if (!ready) throw new RangeError('no request is due')
        return { request_id: Number(ready.id) }
      }),
    ],
    events: [
      ...evmEvents(() => chain().evm),
      event('an epoch passes', ({ player }) => player.advance({ epochs: 1 })),
      event('some epochs pass', ({ player, random }) => player.advance({ epochs: 2 + random(3) })),
      event('half a day passes', ({ player }) => player.advance({ seconds: 43_200 })),
      event('rewards are paid', ({ random }) => chain().drive(reward(someWei(random, 5_000)))),
      event('a validator is slashed', async ({ random }) => {
        const assets = await totalAssets(chain().evm)
        await chain().drive(control('setTotalAssets', assets - (assets * BigInt(random(100))) / 10_000n))
      }),
      event('the fees change', ({ random }) => chain().drive(control('setFees', random(3_000), random(100)))),
      event('another delegates', async ({ player, random }) => {
        const { address } = player.newcomer().wallet
        await chain().evm.fund(address, 1_000n * MON)
        await deposit(chain().evm, address, someWei(random, 900))
      }),
      event('shares come from somebody else', async ({ player, random }) => {
        const { address } = player.newcomer().wallet
        await chain().evm.fund(address, 1_000n * MON)
        await chain().evm.send({
          from: address,
          to: vaultAddress,
          data: vault.encodeFunctionData('depositMON', [player.wallet.address, 0]),
          value: someWei(random, 900),
        })
      }),
      event('it asks for shares back by another front end', async ({ player, random }) => {
        const { address } = player.wallet
        const shares = await view('balanceOf', [address])
        await by(address, 'requestRedeem', [(shares * BigInt(1 + random(9))) / 10n, address, address])
      }),
    ],
    async book({ player: { wallet } }) {
      return {
        holds: {
          native: await chain().evm.balance(wallet.address),
          [vaultAddress.toLowerCase()]: await view('balanceOf', [wallet.address]),
        },
        staked: await view('totalAssets', []),
        // A request fixes what its shares are worth, in the vault's own record alone: no event has it.
        freed: null,
      }
    },
    fee: (_life, txHash) => evmFee(chain().evm, txHash),
  }
}
