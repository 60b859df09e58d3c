import { compounded } from '@svc/contract'
import type { CreditRow } from '@svc/kit-svm'

/** Seconds of a Julian year, as the network's own tools annualise. */
const YEAR_SECONDS = 365.25 * 86_400
/** A validator's credits cannot exceed the cluster's mean by more than this; what does is a wrong reading. */
const MOST_PERFORMANCE = 1.5

/** A validator's weight in the distribution of rewards. */
export interface Voter {
  readonly stake: number
  readonly credits: readonly CreditRow[]
}

/**
 * Computes a validator's vote credits in an epoch relative to the mean of the cluster, weighted by stake: rewards are paid by stake times credits.
 *
 * @returns 1 when either is unknown
 */
export function performanceOf(own: Voter, all: readonly Voter[], epoch: number): number {
  const earned = ({ credits }: Voter) => {
    const row = credits.find(([of]) => of === epoch)
    return row === undefined ? undefined : row[1] - row[2]
  }
  const mine = earned(own)
  const stake = all.reduce((sum, voter) => sum + voter.stake, 0)
  const weighted = all.reduce((sum, voter) => sum + voter.stake * (earned(voter) ?? 0), 0)
  if (mine === undefined || !(weighted > 0)) return 1
  return Math.min(mine / (weighted / stake), MOST_PERFORMANCE)
}

/**
 * Computes the annual rate that inflation pays a delegator, without compounding.
 *
 * @param of.inflation the validators' part of inflation, as a fraction of the supply
 * @param of.supply,of.staked in the same unit
 * @param of.commission the validator's, as a fraction
 * @returns percent; 0 when nothing is staked
 */
export function annualRate(of: { inflation: number; supply: number; staked: number; commission: number; performance: number }): number {
  if (of.staked === 0) return 0
  return ((100 * of.inflation * of.supply) / of.staked) * (1 - of.commission) * of.performance
}

/** Computes the annual yield of a rate that is compounded once an epoch, as the chain does. @returns percent */
export function annualYield(ratePercent: number, epochSeconds: number): number {
  return compounded(ratePercent, YEAR_SECONDS / epochSeconds)
}
