import { membersOf } from '@svc/contract'
import { listOf, measureOf, memberOf, textOf } from './answers.ts'
import { lamportsOf } from './lamports.ts'
import { malformed, type Rpc } from './rpc.ts'

/** One epoch of a validator's vote credits, as `getVoteAccounts` answers it: epoch, credits after it, credits before it. */
export type CreditRow = readonly [epoch: number, credits: number, previous: number]

/** A vote account as `getVoteAccounts` answers it. */
export interface VoteAccount {
  readonly address: string
  /** Lamports that count in this epoch. */
  readonly activatedStake: bigint
  /** Percent of the rewards from inflation that the validator keeps. */
  readonly commissionPercent: number
  readonly credits: readonly CreditRow[]
  /** Votes so far behind the cluster that it earns nothing. */
  readonly delinquent: boolean
}

/**
 * Reads the vote accounts of the cluster.
 *
 * @param read makes of them what is wanted, while another endpoint can still be asked
 * @param only just this one; without it, all that have stake
 * @throws 502 when the answer has another form, or other accounts than the one asked for; 502, 503, 504, and what else `read` throws
 * @see https://solana.com/docs/rpc/http/getvoteaccounts (read 2026-11-21)
 */
export async function readVoteAccounts<T>(
  { rpc }: { readonly rpc: Rpc },
  read: (accounts: readonly VoteAccount[]) => T,
  only?: string,
): Promise<T> {
  const options = { commitment: 'confirmed', ...(only === undefined ? {} : { votePubkey: only, keepUnstakedDelinquents: true }) }
  return rpc('getVoteAccounts', [options], (answer) => {
    const rows = (name: string, delinquent: boolean) => listOf(memberOf(answer, name)).map((row) => voteAccountOf(row, delinquent))
    const match = [...rows('current', false), ...rows('delinquent', true)]
    // A node that was asked for one and answers others says nothing of that one: neither how it votes, nor that there is none.
    if (only !== undefined && (match.length > 1 || match.some(({ address }) => address !== only))) throw malformed(answer)
    return read(match)
  })
}

function voteAccountOf(row: unknown, delinquent: boolean): VoteAccount {
  return {
    address: textOf(memberOf(row, 'votePubkey')),
    activatedStake: lamportsOf(memberOf(row, 'activatedStake')),
    commissionPercent: commissionOf(row),
    credits: listOf(memberOf(row, 'epochCredits')).map(creditRowOf),
    delinquent,
  }
}

/** Newer nodes answer basis points beside the whole percents, which cut what lies between. */
function commissionOf(row: unknown): number {
  const { inflationRewardsCommissionBps: bps, commission } = membersOf(row)
  return bps === undefined || bps === null ? measureOf(commission, { most: 100 }) : measureOf(bps, { most: 10_000 }) / 100
}

function creditRowOf(row: unknown): CreditRow {
  const [epoch, credits, previous] = listOf(row)
  return [measureOf(epoch), measureOf(credits), measureOf(previous)]
}
