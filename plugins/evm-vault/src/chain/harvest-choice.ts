import type { VaultContext } from '../network.ts'
import type { AnswerInTime } from '../subgraph/deadline.ts'
import { rememberHarvest } from '../subgraph/harvest.ts'
import type { Harvest } from './harvest.ts'

/** Report of the Keeper on a vault. */
export interface KeeperReport {
  /** The oracles have reported more than the vault knows. */
  readonly canHarvest: boolean
  /** Root of the latest report, and of the one before. */
  readonly rewardsRoot: string
  readonly prevRewardsRoot: string
}

/** Facts that decide on whether and how a vault is harvested. */
interface HarvestStatus extends KeeperReport {
  /** The vault is two reports behind or more. */
  readonly isRequired: boolean
}

/**
 * Lists the values to harvest with, best first. Those of the latest report are waited for; the remembered ones of the report before are used only where those do not come,
 * since they expire a report earlier.
 */
export async function usableHarvests(
  ctx: VaultContext,
  status: HarvestStatus,
  remembered: Harvest | null,
  answer: AnswerInTime<Harvest>,
): Promise<readonly Harvest[]> {
  const isCurrent = remembered?.rewardsRoot === status.rewardsRoot
  if (!status.canHarvest || isCurrent) return isCurrent && isUsable(remembered, status) ? [remembered] : []
  const latest = await answer(status.isRequired)
  if (latest && (latest.rewardsRoot === status.rewardsRoot || !isUsable(remembered, status))) rememberHarvest(ctx, latest)
  const both = latest?.rewardsRoot === remembered?.rewardsRoot ? [remembered] : [latest, remembered]
  return both.filter((harvest) => isUsable(harvest, status))
}

/** Tells whether a harvest with these values does something: the Keeper takes the latest root, and the one before for a vault that is behind that. */
function isUsable(harvest: Harvest | null, { canHarvest, rewardsRoot, prevRewardsRoot, isRequired }: HarvestStatus): harvest is Harvest {
  if (!harvest || !canHarvest) return false
  return harvest.rewardsRoot === rewardsRoot || (isRequired && harvest.rewardsRoot === prevRewardsRoot)
}
