import type { LedgerStep, LedgerTest, WalletLife } from '@svc/conformance'
import { paidFees, someWei, written } from '@svc/testing/evm-moves'
import { Interface } from 'ethers'
import { control, requestIdOf, rewardsFee, totalAssets, vaultAbi, vaultAddress } from '../sandbox/index.ts'
import type { Behind } from './chain.ts'

const vault = new Interface(vaultAbi)
/** Somebody else, without a key that is needed here. */
const stranger = '0x00000000000000000000000000000000005714a9'
/** What the stranger begins with. */
const PURSE = 10n ** 27n

/** Everything that happens to holders of gMON, at random, and what they have by the vault itself. */
export function ledger(chain: () => Behind): LedgerTest {
  /** Wei that went to others, less what came from them, by wallet. */
  const elsewhere = new Map<string, bigint>()
  const left = ({ player: { wallet } }: WalletLife, amount: bigint) =>
    void elsewhere.set(wallet.address, (elsewhere.get(wallet.address) ?? 0n) + amount)
  const view = async (method: string, args: readonly unknown[]) =>
    vault.decodeFunctionResult(method, await chain().evm.call({ to: vaultAddress, data: vault.encodeFunctionData(method, args) }))[0]
  const by = (from: string, method: string, args: readonly unknown[], value = 0n) =>
    chain().evm.send({ from, to: vaultAddress, data: vault.encodeFunctionData(method, args), value })
  const step = (name: string, run: LedgerStep['run']): LedgerStep => ({ name, run })
  const own = ({ player: { wallet } }: WalletLife) => wallet.address
  /** A part of the shares of an address. @throws RangeError where there are none */
  const part = async ({ random }: WalletLife, owner: string): Promise<bigint> => {
    const shares: bigint = await view('balanceOf', [owner])
    if (shares === 0n) throw new RangeError('there are no shares')
    return (shares * BigInt(1 + random(60))) / 100n + 1n
  }
  /** What an open request is to be paid. @throws RangeError where there is none */
  const owed = async (owner: string, controller = owner) => {
    const id = await requestIdOf(chain().evm, owner)
    const { assets } = await view('pendingRedeemRequestData', [id, controller])
    if (assets === 0n) throw new RangeError('there is no request')
    return { id, assets: assets as bigint }
  }
  /** Gives shares away, worth what the vault says of them then. */
  const give = async (life: WalletLife, from: string, to: string) => {
    const shares = await part(life, from)
    await by(from, 'transfer', [to, shares])
    const worth = await chain().worth(shares)
    left(life, from === own(life) ? worth : -worth)
  }
  return {
    async begin(life) {
      await chain().evm.fund(stranger, PURSE)
      await by(stranger, 'depositMON', [stranger, 0], 5_000n * 10n ** 18n)
      await life.player.act('delegate', { amount: written.exactly(someWei(life.random, 900)) })
    },
    steps: [
      step('delegates', async ({ player, random }) => {
        await player.act('delegate', { amount: written.exactly(someWei(random, 900)) })
      }),
      step('deposits by another front end', async (life) => {
        await by(own(life), 'depositMON', [own(life), 7], someWei(life.random, 500))
      }),
      step('is given a deposit', async (life) => {
        const value = someWei(life.random, 100)
        await by(stranger, 'depositMON', [own(life), 0], value)
        left(life, -value)
      }),
      step('deposits for somebody else', async (life) => {
        const value = someWei(life.random, 5)
        await by(own(life), 'depositMON', [stranger, 0], value)
        left(life, value)
      }),
      step('requests a part back', async (life) => {
        await life.player.act('undelegate', { amount: written.exactly((await chain().worth(await part(life, own(life)))) - 1n) })
      }),
      step('requests a part back by another front end', async (life) => {
        await by(own(life), 'requestRedeem', [await part(life, own(life)), own(life), own(life)])
      }),
      step('lets its operator request a part back', async (life) => {
        await by(own(life), 'setOperator', [stranger, true])
        await by(stranger, 'requestRedeem', [await part(life, own(life)), own(life), own(life)])
      }),
      step('makes a request that somebody else controls', async (life) => {
        await by(own(life), 'requestRedeem', [await part(life, own(life)), stranger, own(life)])
        left(life, (await owed(own(life), stranger)).assets)
      }),
      step('sees that request paid to whoever controls it', async (life) => {
        const { id } = await owed(own(life), stranger)
        await life.player.advance({ epochs: 3 })
        await by(stranger, 'redeemMON', [id, stranger, stranger])
      }),
      step('waits for its request, and withdraws', async ({ player }) => {
        await player.advance({ epochs: 3 })
        await player.act('withdraw', { request_id: await requestIdOf(chain().evm, player.wallet.address) })
      }),
      step('withdraws by another front end', async (life) => {
        const { id } = await owed(own(life))
        await life.player.advance({ epochs: 3 })
        await by(own(life), 'redeemMON', [id, own(life), own(life)])
      }),
      step('has its request paid to somebody else', async (life) => {
        const { id } = await owed(own(life))
        await life.player.advance({ epochs: 3 })
        const before = await chain().evm.balance(stranger)
        await by(own(life), 'redeemMON', [id, own(life), stranger])
        left(life, (await chain().evm.balance(stranger)) - before)
      }),
      step('gives shares away', (life) => give(life, own(life), stranger)),
      step('is given shares', (life) => give(life, stranger, own(life))),
      step('sends shares to itself', async (life) => void (await by(own(life), 'transfer', [own(life), await part(life, own(life))]))),
      step('lets an epoch pass', async ({ player }) => void (await player.advance({ epochs: 1 }))),
      step('sees the pool lose a part', async ({ random }) => {
        const assets = await totalAssets(chain().evm)
        await chain().drive(control('setTotalAssets', assets - (assets * BigInt(random(200))) / 10_000n))
      }),
      step('sees another fee of withdrawals', ({ random }) => chain().drive(control('setFees', rewardsFee, random(30)))),
    ],
    earned: ['reward', 'revaluation', 'fee'],
    async wealth(life) {
      const address = own(life)
      const id = await requestIdOf(chain().evm, address)
      const { assets } = await view('pendingRedeemRequestData', [id, address])
      return (
        (await chain().evm.balance(address)) +
        (await chain().worth(await view('balanceOf', [address]))) +
        assets +
        (await paidFees(life.rpcUrl, address)) +
        (elsewhere.get(address) ?? 0n)
      )
    },
    finalise: async ({ operate }) => void (await operate('mine', { blocks: 12 })),
  }
}
