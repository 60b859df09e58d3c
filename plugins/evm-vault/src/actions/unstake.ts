import { Amount, atMost, elsewhereText, heldElsewhere, meansAll, tokensText } from '@svc/contract'
import * as intent from '@svc/intent-evm-vault'
import { EvmAddress, readAmount } from '@svc/kit-evm'
import { vaultAbi } from '../abi.ts'
import { answered } from '../chain/calls.ts'
import { askExitLimits, debtOf, type ExitLimits, hasQueue } from '../chain/exit-limits.ts'
import { type Harvest, updateState } from '../chain/harvest.ts'
import { fixesExitValues } from '../chain/vault-kinds.ts'
import { readVaultState, type VaultState } from '../chain/vault-state.ts'
import { badGateway, unprocessable } from '../codes.ts'
import { Choice, contextOf, defineAction, MEMBER, type VaultContext, vaultOf } from '../network.ts'
import { explain } from '../refusals.ts'
import { assetsOf, type Debt, mostUnstakable, sharesFor } from '../shares.ts'
import { hasSubgraph } from '../subgraph/query.ts'
import { elsewhere } from './elsewhere.ts'
import { harvestUnavailable } from './harvest-unavailable.ts'

/** Facts from which an exit is crafted. */
interface ExitFacts {
  readonly shares: bigint
  /** Books from which the promise is computed, anew. */
  readonly books: intent.ExitBooks
  readonly way: ExitWay
}

/** A vault of version 1 without validators has no queue: it pays at once, by another call, and it has nothing to harvest. */
type ExitWay =
  | { readonly redeems: true }
  | { readonly redeems: false /** Done before the exit, in the same call. */; readonly harvest: Harvest | null }

interface OwnerShares {
  readonly shares: bigint
  /** Amount of the exit in shares, as the vault itself converts it. */
  readonly quoted: bigint
}

type ExitState = VaultState<OwnerShares, ExitLimits>

/** Puts stake into the exit queue. An amount above the most that can leave, by less than the precision of a JSON number, means all of it, and so does what a double reads of it. */
export const unstake = defineAction({
  summary: 'Unstake through the exit queue',
  description:
    'The amount enters the vault’s exit queue; once it is processed and mature, `withdraw` pays it out. The most that can be unstaked is the ' +
    'stake less what keeps minted osToken covered; an amount above it by less than the precision of a JSON number means all of it, and so does what a double reads of it. What is ' +
    'paid in the end follows the price of shares when the queue is processed. A vault without validators pays at once.',
  body: { address: EvmAddress, amount: Amount(), vault: Choice },
  invalidBody: 422,
  async read(own, { address, amount, vault: choice }): Promise<ExitFacts> {
    const ctx = contextOf(own, vaultOf(own.network, choice))
    const { vault } = ctx.network
    const state = await readVaultState<OwnerShares, ExitLimits>(ctx, {
      own: {
        shares: vaultAbi.question(vault, 'getShares', [address], readAmount),
        quoted: vaultAbi.question(vault, 'convertToShares', [amount]),
      },
      others: askExitLimits(ctx.network, address),
    })
    const debt = debtOf(state)
    const shares = sharesToExit(ctx, amount, state, debt)
    if (shares === null) throw await insufficient(own, { address, vault, amount }, state, debt)
    const needsHarvest = state.beforeHarvest.totals.isHarvestRequired && (debt.shares > 0n || fixesExitValues(state))
    if (needsHarvest && !state.harvest) throw harvestUnavailable(vault, hasSubgraph(ctx))
    const { totalAssets, totalShares } = state.totals
    const books = { owned: state.own.shares, totalAssets, totalShares, minted: mintedOf(state, debt) }
    return { shares, books, way: wayOf(state) }
  },
  craft: (network, { address, vault }, facts) => ({
    from: address,
    to: vaultOf(network, vault),
    data: dataOf(address, facts),
    explain,
    refusedStatus: 422,
  }),
  effects: (network, input, { books, way }) => {
    const harvest = way.redeems ? null : way.harvest
    return intent.unstake.effects(network, input, { shares: books, way: way.redeems ? 'redeem' : 'queue', harvest })
  },
})

/** Shares for an amount. @returns null where it is more than can leave @throws 422 AMOUNT_DUST; 502 VAULT_UNREADABLE when the vault converts otherwise than its totals do */
function sharesToExit(ctx: VaultContext, units: bigint, { own, totals }: ExitState, debt: Debt): bigint | null {
  const staked = assetsOf(own.shares, totals)
  const most = mostUnstakable(staked, debt, ctx.network.os_token_reserve_seconds)
  const amount = meansAll(units, most, 18) ? most : atMost(units, most, 18)
  if (amount === null) return null
  // Both were read of one state, so that only an answer that is no vault's tells two prices.
  if (amount === units && own.quoted !== sharesFor(units, totals))
    throw badGateway('VAULT_UNREADABLE', 'The vault could not be read: its price is another than that of its assets and shares; try again.')
  // Converted back from assets, one share of the whole could stay behind.
  const shares = amount === staked ? own.shares : amount === units ? own.quoted : sharesFor(amount, totals)
  if (shares === 0n)
    throw unprocessable('AMOUNT_DUST', `${tokensText(units, ctx.network)} is less than one share of the vault is worth; unstake more.`)
  return shares
}

/** The refusal of more than can leave a vault: it says what is in another one of the operator's, in a round trip more where there is another. */
async function insufficient(
  ctx: VaultContext,
  { address, vault, amount }: { readonly address: string; readonly vault: string; readonly amount: bigint },
  { own, totals }: ExitState,
  debt: Debt,
) {
  const staked = assetsOf(own.shares, totals)
  const most = mostUnstakable(staked, debt, ctx.network.os_token_reserve_seconds)
  const others = await elsewhere(ctx, vault, address, (part) => part.staked)
  if (staked === 0n && others.length > 0)
    return heldElsewhere(`${address} has nothing staked in the vault ${vault}.`, others, 'is staked', MEMBER)
  const locked = most < staked ? `; the rest of its stake of ${tokensText(staked, ctx.network)} covers minted osToken` : ''
  const where = others.length === 0 ? '' : ` ${elsewhereText(others, 'is staked', MEMBER)}`
  return unprocessable(
    'INSUFFICIENT_STAKE',
    `${tokensText(amount, ctx.network)} is more than ${address} can unstake, which is ${tokensText(most, ctx.network)}${locked}.${where}`,
  )
}

/** The debt as the chain tells it, for the promise, which works out its worth anew. */
function mintedOf({ others }: ExitState, { shares: owed, ltv, growth }: Debt): intent.ExitBooks['minted'] {
  return owed === 0n ? null : { owed, allAssets: answered(others.osAssets), allShares: answered(others.osShares), ltv, growth }
}

/** @throws 502 VAULT_UNREADABLE when the chain says that a vault without validators has rewards */
function wayOf(state: ExitState): ExitWay {
  const { harvest } = state
  if (hasQueue(state)) return { redeems: false, harvest }
  if (harvest)
    throw badGateway('VAULT_UNREADABLE', 'The vault could not be read: it has no validators, and rewards of theirs to harvest; try again.')
  return { redeems: true }
}

function dataOf(address: string, { shares, way }: ExitFacts): string {
  const exit = vaultAbi.encodeFunctionData(way.redeems ? 'redeem' : 'enterExitQueue', [shares, address])
  return !way.redeems && way.harvest ? vaultAbi.encodeFunctionData('multicall', [[updateState(way.harvest), exit]]) : exit
}
