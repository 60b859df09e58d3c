import type { Obstacle } from '@svc/contract'
import { readVoteAccounts, type SvmClient, type VoteAccount } from '@svc/kit-svm'

/** Reads one vote account; undefined when the node lists no such one. @throws 502, 503, 504 */
export async function readVoteAccount(client: SvmClient, address: string): Promise<VoteAccount | undefined> {
  return readVoteAccounts(client, ([vote]) => vote, address)
}

/**
 * Returns the reason why stake with a validator earns nothing. By this one rule stake is refused, the state shown, and the rate shown as 0.
 *
 * @param vote undefined when the node lists no such vote account: it does not vote, and has no stake
 * @returns null when it earns
 */
export function idleness(vote: Pick<VoteAccount, 'delinquent' | 'commissionPercent'> | undefined): Obstacle | null {
  if (!vote || vote.delinquent) return idle('is delinquent: it does not vote, so that stake with it earns nothing')
  return vote.commissionPercent >= 100 ? idle('takes a commission of 100 %, so that stake with it earns nothing') : null
}

function idle(reason: string): Obstacle {
  return { state: 'inactive', reason }
}
