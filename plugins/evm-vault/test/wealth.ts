import type { LedgerStep, LedgerTest, WalletLife } from '@svc/conformance'
import { paidFees, someWei, written } from '@svc/testing/evm-moves'
import { claimDelay, operator, vaultContract, type World } from '../sandbox/index.ts'
import { exitsOf } from '../sandbox/subgraph-entities.ts'
import { payQueue, reportMore } from './support.ts'

const ETH = 10n ** 18n
/** Somebody else, without a key that is needed here, and an address that only ever receives. */
const stranger = '0x00000000000000000000000000000000005714a9'
const taker = '0x0000000000000000000000000000000000007a4e'
/** What the stranger begins with, in wei. */
const PURSE = 10n ** 24n
const FEE_RECIPIENT = '0x000000000000000000000000000000000000Fee5'
const TOKEN = 'EthErc20Vault'
/** Lives that began: every second vault has a token for its shares. */
let lives = 0

/** What an address has in the queue, in wei, by the engine's own word on each of its exits. */
export async function exitsWorth(world: World, address: string): Promise<bigint> {
  const open = (await exitsOf(world, address, 0)).filter(({ isClaimed }) => !isClaimed)
  const worths = open.map(async ({ positionTicket, timestamp, exitQueueIndex }) => {
    const args = [address, BigInt(positionTicket), BigInt(timestamp), BigInt.asUintN(256, BigInt(exitQueueIndex ?? -1))]
    const [left, , assets] = await world.read<readonly [bigint, bigint, bigint]>('calculateExitedAssets', args)
    return assets + (await world.read<bigint>('convertToAssets', [left]))
  })
  return (await Promise.all(worths)).reduce((sum, worth) => sum + worth, 0n)
}

/** What happens to a depositor of a vault, for conformance's group `ledger`: wealth is read past every kit. */
export function ledger(world: () => World): LedgerTest {
  /** What went to others, less what came from them, in wei. */
  const elsewhere = new Map<string, bigint>()
  const left = ({ player: { wallet } }: WalletLife, wei: bigint) =>
    elsewhere.set(wallet.address, (elsewhere.get(wallet.address) ?? 0n) + wei)
  const step = (name: string, run: LedgerStep['run']): LedgerStep => ({ name, run })
  const own = ({ player: { wallet } }: WalletLife) => wallet.address
  const sharesOf = (owner: string) => world().read<bigint>('getShares', [owner])
  const worthOf = (shares: bigint) => world().read<bigint>('convertToAssets', [shares])
  const rewarded = () => world().report?.reward ?? 0n
  /** A part of the shares of an address. @throws RangeError where there are none */
  const part = async ({ random }: WalletLife, owner: string): Promise<bigint> => {
    const shares = await sharesOf(owner)
    if (shares === 0n) throw new RangeError('there are no shares')
    return (shares * BigInt(1 + random(60))) / 100n + 1n
  }
  const queueWorth = async () => {
    const [queued] = await world().read<readonly [bigint, ...bigint[]]>('getExitQueueData')
    return worthOf(queued)
  }
  /** Enough ETH in the vault for what is paid at once. */
  const fundFor = async (wei: bigint) => world().chain.fund(world().vault, wei + (await queueWorth()))
  const caughtUp = async () => {
    if (await world().read<boolean>('isStateUpdateRequired')) await world().harvest()
  }
  /** Puts shares into the queue, which are worth what the vault says of them then. */
  const enter = async (life: WalletLife, from: string, to: string) => {
    const shares = await part(life, from)
    await world().act(from, 'enterExitQueue', [shares, to])
    return worthOf(shares)
  }
  const give = async (life: WalletLife, from: string, to: string) => {
    const shares = await part(life, from)
    await world().act(from, 'transfer', [to, shares])
    return worthOf(shares)
  }
  const redeem = async (life: WalletLife, to: string) => {
    const shares = await part(life, own(life))
    await fundFor(2n * (await worthOf(shares)))
    await world().control('keeper', 'uncollateralize', world().vault)
    try {
      await world().act(own(life), 'enterExitQueue', [shares, to])
    } finally {
      await world().control('keeper', 'collateralize', world().vault)
    }
  }
  /** Shares are taken for osToken that another gives up. @param percent of the shares that is owed */
  const take = async (life: WalletLife, method: 'redeemOsToken' | 'liquidateOsToken', percent: bigint, to: string) => {
    const worth = await worthOf(await sharesOf(own(life)))
    if (worth === 0n) throw new RangeError('there are no shares')
    await caughtUp()
    await fundFor(2n * worth)
    const debt = await world().readShared<bigint>('os_token_controller', 'convertToShares', [(worth * percent) / 100n])
    await world().control('os_token_config', 'setTakers', stranger, stranger)
    await world().control('vault', 'setOsTokenPosition', own(life), debt)
    try {
      await world().act(stranger, method, [debt / BigInt(2 + life.random(5)), own(life), to])
    } finally {
      await world().control('vault', 'setOsTokenPosition', own(life), 0n)
    }
  }
  /** What an address got by what was done. */
  const gained = async (address: string, run: () => Promise<void>) => {
    const before = await world().chain.balance(address)
    await run()
    return (await world().chain.balance(address)) - before
  }
  const claimable = async (address: string) => {
    const exits = (await exitsOf(world(), address, 0)).filter(({ isClaimable }) => isClaimable)
    if (exits.length === 0) throw new RangeError('nothing can be claimed')
    return exits
  }
  return {
    async begin(life) {
      await world().control('vault', 'setKind', lives++ % 2 === 1 ? TOKEN : 'EthVault')
      await caughtUp()
      await world().chain.fund(stranger, PURSE)
      await world().act(stranger, 'deposit', [stranger, operator], 5_000n * ETH)
      await life.player.act('stake', { amount: written.exactly(someWei(life.random, 900)) })
    },
    steps: [
      step('stakes', async ({ player, random }) => void (await player.act('stake', { amount: written.exactly(someWei(random, 90)) }))),
      step('deposits by another front end', async (life) => {
        await world().act(own(life), 'deposit', [own(life), stranger], someWei(life.random, 50))
      }),
      step('sends coins to the vault, which is a deposit', async (life) => {
        await world().chain.send({ from: own(life), to: world().vault, value: someWei(life.random, 5) })
      }),
      step('is given a deposit', async (life) => {
        const value = someWei(life.random, 100)
        await world().act(stranger, 'deposit', [own(life), operator], value)
        left(life, -value)
      }),
      step('deposits for somebody else', async (life) => {
        const value = someWei(life.random, 5)
        await world().act(own(life), 'deposit', [stranger, operator], value)
        left(life, value)
      }),
      step('unstakes a part', async (life) => {
        const shares = await part(life, own(life))
        await life.player.act('unstake', { amount: written.exactly((await worthOf(shares)) - 1n) })
      }),
      step('leaves by another front end', async (life) => void (await enter(life, own(life), own(life)))),
      step('leaves with two exits in a block', async (life) => {
        await world().act(own(life), 'multicall', [
          await Promise.all([7n, 11n].map(async (divisor) => exitCall((await sharesOf(own(life))) / divisor, own(life)))),
        ])
      }),
      step('leaves with a share', async (life) => void (await world().act(own(life), 'enterExitQueue', [1n, own(life)]))),
      step('leaves for somebody else', async (life) => void left(life, await enter(life, own(life), stranger))),
      step('is given an exit', async (life) => void left(life, -(await enter(life, stranger, own(life))))),
      step('is paid at once by a vault without validators', (life) => redeem(life, own(life))),
      step('has somebody else paid at once', async (life) => void left(life, await gained(taker, () => redeem(life, taker)))),
      step('withdraws', async ({ player }) => void (await player.act('withdraw'))),
      step('waits, and withdraws', async ({ player }) => {
        await player.advance({ epochs: 2 })
        await player.act('withdraw')
      }),
      step('waits, and claims an exit by another front end', async (life) => {
        await life.player.advance({ epochs: 2 })
        const [exit] = await claimable(own(life))
        await world().act(own(life), 'claimExitedAssets', [exit?.positionTicket, exit?.timestamp, exit?.exitQueueIndex])
      }),
      step('leaves, sees a part of the queue paid, and claims it', async (life) => {
        await caughtUp()
        await enter(life, own(life), own(life))
        await world().control('vault', 'sweep')
        await payQueue(world(), ((await queueWorth()) * BigInt(1 + life.random(99))) / 100n)
        await world().chain.moveTime(claimDelay)
        for (const { positionTicket, timestamp, exitQueueIndex } of await claimable(own(life)))
          await world().act(own(life), 'claimExitedAssets', [positionTicket, timestamp, exitQueueIndex])
      }),
      step('sees a part of the queue paid', async ({ random }) => {
        await world().control('vault', 'sweep')
        await payQueue(world(), ((await queueWorth()) * BigInt(1 + random(99))) / 100n)
      }),
      step('lets the oracles report', async ({ player }) => void (await player.advance({ epochs: 1 }))),
      step('sees a report that nobody harvests', ({ random }) => reportMore(world(), BigInt(1 + random(5)) * ETH + BigInt(random(1_000)))),
      step('sees validators slashed', async ({ random }) => {
        await world().publish(rewarded() - BigInt(1 + random(200)) * ETH - BigInt(random(1_000)))
        await world().harvest()
      }),
      step('gets the fee of a harvest', async (life) => {
        await world().control('vault', 'setFeeRecipient', own(life))
        try {
          await reportMore(world(), BigInt(1 + life.random(9)) * ETH)
          await world().harvest()
        } finally {
          await world().control('vault', 'setFeeRecipient', FEE_RECIPIENT)
        }
      }),
      step('has shares taken for its osToken', async (life) => {
        left(life, await gained(taker, () => take(life, 'redeemOsToken', 40n, taker)))
      }),
      step('is liquidated', async (life) => void left(life, await gained(taker, () => take(life, 'liquidateOsToken', 95n, taker)))),
      step('has the worth of shares back for osToken', (life) => take(life, 'redeemOsToken', 20n, own(life))),
      step('gives shares away', async (life) => void left(life, await give(life, own(life), stranger))),
      step('gives shares to the vault', async (life) => void left(life, await give(life, own(life), world().vault))),
      step('is given shares', async (life) => void left(life, -(await give(life, stranger, own(life))))),
      step('sends shares to itself', async (life) => void (await give(life, own(life), own(life)))),
    ],
    earned: ['reward', 'revaluation'],
    async wealth(life) {
      const address = own(life)
      return (
        (await world().chain.balance(address)) +
        (await worthOf(await sharesOf(address))) +
        (await exitsWorth(world(), address)) +
        (await paidFees(life.rpcUrl, address)) +
        (elsewhere.get(address) ?? 0n)
      )
    },
    finalise: async ({ operate }) => void (await operate('mine', { blocks: 12 })),
  }

  function exitCall(shares: bigint, receiver: string): string {
    return vaultContract.abi.encodeFunctionData('enterExitQueue', [shares, receiver])
  }
}
