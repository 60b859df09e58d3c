import { type Answer, type Answers, type Question, type Questions, readAmount } from '@svc/kit-evm'
import { sharedAbi, vaultAbi } from '../abi.ts'
import { deploymentOf, type VaultContext } from '../network.ts'
import { askHarvest, rememberedHarvest } from '../subgraph/harvest.ts'
import { answered, ask, askGroups, together } from './calls.ts'
import { type Harvest, updateState } from './harvest.ts'
import { type KeeperReport, usableHarvests } from './harvest-choice.ts'
import { servedKind, type VaultKind, vaultUnsupported } from './vault-kinds.ts'

/** Figures that are always read of a vault, in wei and shares. */
interface Totals {
  readonly totalAssets: bigint
  readonly totalShares: bigint
  /** The vault is two reports of the oracles behind or more: it takes no deposits before it was harvested. */
  readonly isHarvestRequired: boolean
}

/** The exit queue as vaults of version 5 tell it, in tickets and wei. */
interface QueueData {
  readonly unclaimedAssets: bigint
  readonly totalExitingTickets: bigint
  readonly totalExitingAssets: bigint
  readonly totalTickets: bigint
}

/** Part of the state that a harvest changes. */
interface StateAt<Own> {
  readonly totals: Totals
  /** Answers to the caller's questions to the vault. */
  readonly own: Own
  /** Null where it was not asked for, and in vaults of versions before 5. */
  readonly queue: QueueData | null
}

/** The vault as a transaction will find it: after the harvest, where there is one to be included. */
export interface VaultState<Own, Others> extends StateAt<Own> {
  readonly beforeHarvest: StateAt<Own>
  /** Answers to the caller's questions that a harvest does not change. */
  readonly others: Answers<Others>
  readonly kind: VaultKind
  readonly version: number
  /** Values to harvest with in the transaction: the oracles have reported more than the vault knows, and their values were found. */
  readonly harvest: Harvest | null
}

/** Questions that a caller asks in addition to what is always read. */
interface StateQuestions<Own, Others> {
  /** To the vault, which all have to be answered; asked of the state after a harvest, too. */
  readonly own: Questions<Own>
  /** Questions about whatever a harvest does not change; each may fail alone. */
  readonly others: Questions<Others>
  /** True if the exit queue is read, too. */
  readonly withQueue?: boolean
  /** True if the state after a harvest matters; where it does not, a round trip is saved. @default true */
  readonly afterHarvest?: boolean
}

/**
 * Reads the vault in one round trip: its present state, and its state after a harvest with the remembered values. One more round trip follows only when the oracles have
 * reported since.
 *
 * @throws 502 VAULT_UNSUPPORTED, VAULT_UNREADABLE
 */
export async function readVaultState<Own extends object, Others extends object>(
  ctx: VaultContext,
  questions: StateQuestions<Own, Others>,
): Promise<VaultState<Own, Others>> {
  const { vault } = ctx.network
  const { keeper } = deploymentOf(ctx.network)
  const remembered = rememberedHarvest(ctx)
  const latest = askHarvest(ctx)
  const at = (harvest: Harvest | null) => questionsAt(vault, questions, harvest)

  const answers = await askGroups<FirstAnswers<Own, Others>>(ctx, {
    identity: { vaultId: vaultAbi.question(vault, 'vaultId', []), version: vaultAbi.question(vault, 'version', [], readAmount) },
    report: {
      canHarvest: sharedAbi.question(keeper, 'canHarvest', [vault]),
      rewardsRoot: sharedAbi.question(keeper, 'rewardsRoot', []),
      prevRewardsRoot: sharedAbi.question(keeper, 'prevRewardsRoot', []),
    },
    // The calls of one multicall see what those before them did: what changes state comes last.
    others: questions.others,
    now: at(null),
    after: remembered ? at(remembered) : {},
  })
  const version = Number(answered(answers.identity.version))
  const kind = servedKind(answered(answers.identity.vaultId), version)
  if (typeof kind === 'string') throw vaultUnsupported(vault, kind)

  const beforeHarvest = { ...answered(answers.now.vault), queue: queueOf(answers.now.queue) }
  const state = { ...beforeHarvest, beforeHarvest, others: answers.others, kind, version }
  const status = {
    canHarvest: answered(answers.report.canHarvest),
    rewardsRoot: answered(answers.report.rewardsRoot),
    prevRewardsRoot: answered(answers.report.prevRewardsRoot),
    isRequired: beforeHarvest.totals.isHarvestRequired,
  }
  for (const harvest of await usableHarvests(ctx, status, remembered, latest)) {
    if (harvest !== remembered && questions.afterHarvest === false) return { ...state, harvest }
    const after = harvest === remembered ? answers.after : await ask<Partial<StateAnswers<Own>>>(ctx, at(harvest))
    if (after.vault?.ok && after.vault.value) return { ...state, ...after.vault.value, queue: queueOf(after.queue), harvest }
  }
  return { ...state, harvest: null }
}

/** Answers of the state before a harvest, or after it. */
interface StateAnswers<Own> {
  readonly vault: { readonly totals: Totals; readonly own: Own }
  readonly queue?: QueueData
}

interface FirstAnswers<Own, Others> {
  readonly identity: { readonly vaultId: string; readonly version: bigint }
  readonly report: KeeperReport
  readonly others: Others
  readonly now: StateAnswers<Own>
  /** With the values known from before; without such nothing is asked. */
  readonly after: Partial<StateAnswers<Own>>
}

function questionsAt<Own extends object>(
  vault: string,
  { own, withQueue }: StateQuestions<Own, unknown>,
  harvest: Harvest | null,
): Questions<StateAnswers<Own>> {
  const first = harvest ? [updateState(harvest)] : []
  const totals: Questions<Totals> = {
    totalAssets: vaultAbi.question(vault, 'totalAssets', [], readAmount),
    totalShares: vaultAbi.question(vault, 'totalShares', [], readAmount),
    isHarvestRequired: vaultAbi.question(vault, 'isStateUpdateRequired', []),
  }
  const state: Question<StateAnswers<Own>['vault']> = together<{ totals: Totals; own: Own }>(vault, { totals, own }, first)
  if (!withQueue) return { vault: state }
  const queue = together<{ queue: { data: QueueData } }>(
    vault,
    { queue: { data: vaultAbi.question(vault, 'getExitQueueData', []) } },
    first,
  )
  return { vault: state, queue: { ...queue, read: (answer) => queue.read(answer).queue.data } }
}

function queueOf(answer: Answer<QueueData | undefined> | undefined): QueueData | null {
  return answer?.ok ? (answer.value ?? null) : null
}
