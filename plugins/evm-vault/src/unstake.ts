import { Amount, atMost, formatAmount, unprocessable } from '@svc/contract'
import { call, EvmAddress, encodeCall } from '@svc/kit-evm'
import { explain, vaultAbi } from './abi.ts'
import { type Harvest, updateState } from './harvest.ts'
import { look, type View } from './look.ts'
import { chainOf, defineAction, type VaultContext, type VaultNetwork } from './network.ts'
import { type ExitBooks, promisedShares } from './promised-exit.ts'
import { promisedHarvest } from './promises.ts'
import { type Answer, answered, ofShared, ofVault } from './questions.ts'
import { assetsOf, type Debt, mostUnstakable, sharesFor } from './shares.ts'
import { hasIndexer, outdated } from './stake.ts'

/** What an exit is crafted from. */
interface Exiting {
  readonly shares: bigint
  /** Done before the exit, in the same call. */
  readonly harvest: Harvest | null
  /** What the promise is computed from, anew. */
  readonly books: ExitBooks
  /** A vault of version 1 without validators has no queue: it pays at once, by another call. */
  readonly redeems: boolean
}

interface Own {
  readonly shares: bigint
  /** The vault's own word for the amount in shares. */
  readonly quoted: bigint
}

/** What an exit is limited by, beside the vault's own state. */
interface Limits {
  readonly debt: bigint
  readonly ltv: bigint
  readonly ltvV1: bigint
  readonly growth: bigint
  readonly osAssets: bigint
  readonly osShares: bigint
  readonly collateralized: boolean
}

const EXIT = 'enterExitQueue(uint256 shares, address receiver)'

/** Puts stake into the exit queue. An amount a trifle above the most that can leave means all of it. */
export const unstake = defineAction({
  summary: 'Unstake through the exit queue',
  description:
    'The amount enters the vault’s exit queue; once it is processed and mature, `withdraw` pays it out. The most that can be unstaked is the ' +
    'stake less what keeps minted osToken covered; an amount above it by less than the precision of a JSON number means all of it. What is ' +
    'paid in the end follows the price of shares when the queue is processed. A vault without validators pays at once.',
  body: { address: EvmAddress, amount: Amount() },
  invalidBody: 422,
  async read(ctx, { address, amount }): Promise<Exiting> {
    const { keeper, os_token_config, os_token_config_v1, os_token_controller } = chainOf(ctx.network)
    const view = await look<Own, object, Limits>(ctx, {
      vault: { shares: ofVault('getShares', [address]), quoted: ofVault('convertToShares', [amount]) },
      beside: {
        debt: ofVault('osTokenPositions', [address]),
        ltv: ofShared(os_token_config, 'getConfig', [ctx.network.vault], ([config]) => config.ltvPercent),
        ltvV1: ofShared(os_token_config_v1, 'ltvPercent'),
        growth: ofShared(os_token_controller, 'avgRewardPerSecond'),
        osAssets: ofShared(os_token_controller, 'totalAssets'),
        osShares: ofShared(os_token_controller, 'totalShares'),
        collateralized: ofShared(keeper, 'isCollateralized', [ctx.network.vault]),
      },
    })
    const debt = debtOf(view)
    const shares = sharesToExit(ctx, address, amount, view, debt)
    if (view.before.vault.required && debt.shares > 0n && !view.harvest) throw outdated(ctx.network.vault, hasIndexer(ctx))
    const { totalAssets, totalShares, shares: owned } = view.vault
    const books = { owned, totalAssets, totalShares, minted: mintedOf(view, debt) }
    return { shares, harvest: view.harvest, books, redeems: isFirst(view) && !answered(view.beside.collateralized) }
  },
  craft: (network, { address }, facts) => ({
    from: address,
    to: network.vault,
    data: dataOf(address, facts),
    explain,
    refusedStatus: 422,
  }),
  effects: (network, { address, amount }, facts) => {
    const shares = promisedShares(amount, facts.books, network.os_token_reserve_seconds)
    return { signers: [address], calls: [promiseOf(network, address, shares, facts)] }
  },
})

/** Shares for an amount. @throws 422 INSUFFICIENT_STAKE, AMOUNT_DUST */
function sharesToExit(ctx: VaultContext, address: string, wanted: bigint, { vault }: View<Own, object, Limits>, debt: Debt): bigint {
  const staked = assetsOf(vault.shares, vault)
  const most = mostUnstakable(staked, debt, ctx.network.os_token_reserve_seconds)
  const amount = atMost(wanted, most, 18)
  if (amount === null) {
    const locked = most < staked ? `; the rest of its stake of ${formatAmount(staked, 18)} covers minted osToken` : ''
    throw unprocessable(
      'INSUFFICIENT_STAKE',
      `${formatAmount(wanted, 18)} is more than ${address} can unstake, which is ${formatAmount(most, 18)}${locked}.`,
    )
  }
  // Converted back from assets, one share of the whole could stay behind.
  const shares = amount === staked ? vault.shares : amount === wanted ? vault.quoted : sharesFor(amount, vault)
  if (shares === 0n)
    throw unprocessable('AMOUNT_DUST', `${formatAmount(wanted, 18)} is less than one share of the vault is worth; unstake more.`)
  return shares
}

/** The debt as the chain tells it, for the promise, which works out its worth anew. */
function mintedOf({ beside }: View<Own, object, Limits>, { shares: owed, ltv, growth }: Debt): ExitBooks['minted'] {
  return owed === 0n ? null : { owed, allAssets: answered(beside.osAssets), allShares: answered(beside.osShares), ltv, growth }
}

/** @throws 502 VAULT_UNREADABLE when the vault has osToken and says nothing about it */
function debtOf({ kind, version, beside }: View<Own, object, Limits>): Debt {
  const shares = kind.withoutOsToken ? 0n : answered(beside.debt)
  if (shares === 0n) return { shares, assets: 0n, ltv: 0n, growth: 0n }
  const total = answered(beside.osShares)
  return {
    shares,
    assets: total === 0n ? shares : (shares * answered(beside.osAssets)) / total,
    ltv: ltvOf(version, beside.ltv, beside.ltvV1),
    growth: answered(beside.growth),
  }
}

/** Version 1 counts in ten thousandths, later ones in parts of 1e18. */
function ltvOf(version: number, ltv: Answer<bigint>, ltvV1: Answer<bigint>): bigint {
  return version === 1 ? answered(ltvV1) * 10n ** 14n : answered(ltv)
}

/** Version 1 proper; the kind without osToken numbers its versions separately, and its first one has a queue like the later ones. */
function isFirst({ kind, version }: View<Own, object, Limits>): boolean {
  return version === 1 && !kind.withoutOsToken
}

function dataOf(address: string, { shares, harvest, redeems }: Exiting): string {
  const exit = vaultAbi.encodeFunctionData(redeems ? 'redeem' : 'enterExitQueue', [shares, address])
  return harvest ? vaultAbi.encodeFunctionData('multicall', [[updateState(harvest), exit]]) : exit
}

function promiseOf(network: VaultNetwork, receiver: string, shares: bigint, { harvest, redeems }: Exiting) {
  if (redeems && !harvest) return call(network.vault, 'redeem(uint256 shares, address receiver)', { shares, receiver })
  if (!harvest) return call(network.vault, EXIT, { shares, receiver })
  return call(network.vault, 'multicall(bytes[] calls)', { calls: [promisedHarvest(harvest), encodeCall(EXIT, { shares, receiver })] })
}
