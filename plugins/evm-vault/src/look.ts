import { freshHarvest, type Harvest, knownHarvest, updateState } from './harvest.ts'
import { type Kind, kindOf, obstacle, unsupported } from './kinds.ts'
import { chainOf, type VaultContext } from './network.ts'
import { type Answers, answered, ask, ofShared, ofVault, type Question, type Questions, together } from './questions.ts'

/** Of the vault, always. Wei and shares. */
interface Totals {
  readonly totalAssets: bigint
  readonly totalShares: bigint
  /** The vault is two oracle updates behind or more: it takes no deposits before it was harvested. */
  readonly required: boolean
}

/** What is asked of the vault: `vault` every version has, `maybe` some lack. Both are asked of the state after a harvest, too. */
interface Asked<V extends object, M extends object, B extends object> {
  readonly vault: Questions<V>
  readonly maybe?: Questions<M>
  /** Of whatever a harvest does not change; each may fail alone. */
  readonly beside?: Questions<B>
}

/** The vault as a transaction will find it. */
export interface View<V extends object, M extends object, B extends object> {
  /** After the harvest, where there is one to be included. */
  readonly vault: V & Totals
  readonly maybe: M | null
  /** The same before any harvest. */
  readonly before: { readonly vault: V & Totals; readonly maybe: M | null }
  readonly beside: Answers<B>
  readonly kind: Kind
  readonly version: number
  /** Values to harvest with in the transaction: the oracles have reported more than the vault knows, and their word is at hand. */
  readonly harvest: Harvest | null
}

interface Situation {
  readonly canHarvest: boolean
  readonly rewardsRoot: string
  readonly prevRewardsRoot: string
  readonly required: boolean
}

/**
 * Reads the vault in one round trip: as it is, and as it will be after a harvest with the values known from before. Only when the oracles
 * have reported since, one more round trip follows.
 *
 * @param simulate false when the state after a harvest does not matter, which saves that round trip
 * @throws 500 VAULT_UNSUPPORTED; 502 VAULT_UNREADABLE
 */
export async function look<V extends object, M extends object = object, B extends object = object>(
  ctx: VaultContext,
  asked: Asked<V, M, B>,
  { simulate = true } = {},
): Promise<View<V, M, B>> {
  const { network } = ctx
  const { keeper } = chainOf(network)
  const vault = { ...totals, ...asked.vault } as Questions<V & Totals>
  const known = knownHarvest(ctx)
  const fresh = freshHarvest(ctx)

  const answers = await ask<First<V & Totals, M>>(ctx, {
    vaultId: ofVault<string>('vaultId'),
    version: ofVault<bigint>('version'),
    canHarvest: ofShared<boolean>(keeper, 'canHarvest', [network.vault]),
    rewardsRoot: ofShared<string>(keeper, 'rewardsRoot'),
    prevRewardsRoot: ofShared<string>(keeper, 'prevRewardsRoot'),
    // The calls of one multicall see what those before them did: what changes state comes last.
    ...(asked.beside as object),
    ...states(vault, asked.maybe, null),
    ...(known ? states(vault, asked.maybe, known) : {}),
  } as never)
  const version = Number(answered(answers.version))
  const hindrance = obstacle(answered(answers.vaultId), version)
  if (hindrance) throw unsupported(network.vault, hindrance)

  const before = { vault: answered(answers.vault), maybe: orNull(answers.maybe) }
  const view = { before, beside: answers as unknown as Answers<B>, kind: kindOf(answered(answers.vaultId))!, version }
  const situation: Situation = {
    canHarvest: answered(answers.canHarvest),
    rewardsRoot: answered(answers.rewardsRoot),
    prevRewardsRoot: answered(answers.prevRewardsRoot),
    required: before.vault.required,
  }
  if (helps(known, situation) && answers.vaultAfter?.ok)
    return { ...view, vault: answers.vaultAfter.value, maybe: orNull(answers.maybeAfter), harvest: known }
  const harvest = situation.canHarvest ? await fresh : null
  if (!helps(harvest, situation)) return { ...view, ...before, harvest: null }
  if (!simulate) return { ...view, ...before, harvest }
  const again = await ask<Partial<First<V & Totals, M>>>(ctx, states(vault, asked.maybe, harvest) as never)
  if (!again.vaultAfter?.ok) return { ...view, ...before, harvest: null }
  return { ...view, vault: again.vaultAfter.value as V & Totals, maybe: orNull(again.maybeAfter as never), harvest }
}

interface First<V, M> {
  readonly vaultId: string
  readonly version: bigint
  readonly canHarvest: boolean
  readonly rewardsRoot: string
  readonly prevRewardsRoot: string
  readonly vault: V
  readonly maybe: M
  readonly vaultAfter: V
  readonly maybeAfter: M
}

const totals: Questions<Totals> = {
  totalAssets: ofVault('totalAssets'),
  totalShares: ofVault('totalShares'),
  required: ofVault('isStateUpdateRequired'),
}

/** The questions to the vault, of its state now or after a harvest. */
function states<V extends object, M extends object>(
  vault: Questions<V>,
  maybe: Questions<M> | undefined,
  harvest: Harvest | null,
): Readonly<Record<string, Question<object>>> {
  const first = harvest ? [updateState(harvest)] : []
  const end = harvest ? 'After' : ''
  return { [`vault${end}`]: together(vault, first), ...(maybe ? { [`maybe${end}`]: together(maybe, first) } : {}) }
}

/** Whether a harvest with these values does something: the Keeper takes the latest root, and the one before for a vault that is behind that. */
function helps(harvest: Harvest | null, { canHarvest, rewardsRoot, prevRewardsRoot, required }: Situation): harvest is Harvest {
  if (!harvest || !canHarvest) return false
  return harvest.rewardsRoot === rewardsRoot || (required && harvest.rewardsRoot === prevRewardsRoot)
}

function orNull<T>(answer: { readonly ok: boolean; readonly value?: T } | undefined): T | null {
  return answer?.ok ? (answer.value as T) : null
}
