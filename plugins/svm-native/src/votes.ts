import { lamportsOf, type SvmClient } from '@svc/kit-svm'
import { listOf, malformed, measureOf, memberOf } from './answers.ts'
import type { CreditRow, Voter } from './yield.ts'

/** A vote account as `getVoteAccounts` answers it. */
export interface VoteAccount extends Voter {
  readonly address: string
  /** Lamports that count in this epoch. */
  readonly activatedStake: bigint
  /** Percent of the rewards from inflation that the validator keeps. */
  readonly commissionPercent: number
  /** Votes so far behind the cluster that it earns nothing. */
  readonly delinquent: boolean
}

/**
 * Vote accounts of the cluster.
 *
 * @param only just this one; without it, all that have stake
 * @throws 502 UPSTREAM_ERROR when the answer has another form, and the kit's refusals
 * @see https://solana.com/docs/rpc/http/getvoteaccounts (read 2026-11-21)
 */
export async function readVoteAccounts({ rpc }: SvmClient, only?: string): Promise<readonly VoteAccount[]> {
  const options = { commitment: 'confirmed', ...(only === undefined ? {} : { votePubkey: only, keepUnstakedDelinquents: true }) }
  const answer = await rpc<unknown>('getVoteAccounts', [options])
  const rows = (name: string, delinquent: boolean) => listOf(memberOf(answer, name)).map((row) => voteAccountOf(row, delinquent))
  return [...rows('current', false), ...rows('delinquent', true)]
}

function voteAccountOf(row: unknown, delinquent: boolean): VoteAccount {
  const address = memberOf(row, 'votePubkey')
  if (typeof address !== 'string') throw malformed()
  const activatedStake = lamportsOf(memberOf(row, 'activatedStake'))
  return {
    address,
    activatedStake,
    stake: Number(activatedStake),
    commissionPercent: commissionOf(row),
    credits: listOf(memberOf(row, 'epochCredits')).map(creditRowOf),
    delinquent,
  }
}

/** Newer nodes answer basis points beside the whole percents, which cut what lies between. */
function commissionOf(row: unknown): number {
  const { inflationRewardsCommissionBps: bps, commission } = row as { inflationRewardsCommissionBps?: unknown; commission?: unknown }
  return bps === undefined || bps === null ? measureOf(commission) : measureOf(bps) / 100
}

function creditRowOf(row: unknown): CreditRow {
  const [epoch, credits, previous] = listOf(row)
  return [measureOf(epoch), measureOf(credits), measureOf(previous)]
}
