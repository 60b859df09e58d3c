import type { LedgerTest, WalletLife } from '@svc/conformance'
import { exactNumber, formatAmount } from '@svc/contract'
import type { EvmChain } from '@svc/sandbox-evm'
import { savings as abi, vaultAddress } from '#sandbox'

const WEI = 18
/** Somebody else at the vault. It has no key. */
const neighbour = '0x000000000000000000000000000000000005a7e5'

/** Everything that happens to savers, at random, and what they have by the vault itself: past the plugin, which is what is tested. */
export function ledger(chain: () => EvmChain): LedgerTest {
  const by = async (from: string, method: string, args: readonly unknown[], value = 0n) => {
    await chain().send({ from, to: vaultAddress, data: abi.encodeFunctionData(method, args), value })
  }
  const view = async (method: string, args: readonly unknown[]) =>
    BigInt(await chain().call({ to: vaultAddress, data: abi.encodeFunctionData(method, args) }))
  const own = ({ player }: WalletLife) => player.wallet.address
  /** An amount of which any digit may be set, in wei. */
  const some = ({ random }: WalletLife, most: number) =>
    BigInt(1 + random(most)) * 10n ** 18n + BigInt(random(10 ** 9)) * 10n ** 9n + BigInt(random(10 ** 9))
  /** A part of a sum. @throws RangeError where there is none: the step is left out */
  const part = ({ random }: WalletLife, of: bigint) => {
    if (of === 0n) throw new RangeError('there is nothing')
    return (of * BigInt(1 + random(60))) / 100n + 1n
  }
  const feesOf = createFees(chain)
  const exactly = (wei: bigint) => exactNumber(formatAmount(wei, WEI))
  return {
    async begin(life) {
      await chain().fund(neighbour, 10n ** 24n)
      await by(neighbour, 'deposit', [], 100n * 10n ** 18n)
      await life.player.act('deposit', { amount: exactly(some(life, 500)) })
    },
    steps: [
      { name: 'deposits', run: async (life) => void (await life.player.act('deposit', { amount: exactly(some(life, 500)) })) },
      { name: 'deposits by another front end', run: (life) => by(own(life), 'deposit', [], some(life, 200)) },
      {
        name: 'withdraws a part',
        run: async (life) =>
          void (await life.player.act('withdraw', { amount: exactly(part(life, await view('balanceOf', [own(life)]))) })),
      },
      {
        name: 'sells units by another front end',
        run: async (life) => by(own(life), 'redeem', [part(life, await view('unitsOf', [own(life)]))]),
      },
      { name: 'closes its savings', run: async ({ player }) => void (await player.act('close')) },
      { name: 'lets a day pass', run: async ({ player }) => void (await player.advance({ epochs: 1 })) },
      { name: 'is beside another saver', run: (life) => by(neighbour, 'deposit', [], some(life, 50)) },
    ],
    earned: ['revaluation'],
    async wealth(life) {
      const address = own(life)
      return (await chain().balance(address)) + (await view('balanceOf', [address])) + (await feesOf(address))
    },
    finalise: async ({ operate }) => void (await operate('mine', { blocks: 12 })),
  }
}

/** Makes the sum of the fees in wei that an address has paid since the chain began, by the chain's own receipts: each block is read once. */
function createFees(chain: () => EvmChain): (address: string) => Promise<bigint> {
  const sums = new Map<string, bigint>()
  let next = 0
  return async (address) => {
    const head = Number(await chain().rpc('eth_blockNumber', []))
    for (; next <= head; next++) {
      const receipts = (await chain().rpc('eth_getBlockReceipts', [`0x${next.toString(16)}`])) as readonly Record<string, string>[]
      for (const { from = '', gasUsed = '', effectiveGasPrice = '' } of receipts)
        sums.set(from.toLowerCase(), (sums.get(from.toLowerCase()) ?? 0n) + BigInt(gasUsed) * BigInt(effectiveGasPrice))
    }
    return sums.get(address.toLowerCase()) ?? 0n
  }
}
