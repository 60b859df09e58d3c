import { type Condition, conditionOf } from '@svc/contract'
import { readAccounts } from '@svc/kit-svm'
import { requireVoteAccount } from './actions/checks.ts'
import { idleness, readVoteAccount } from './chain/vote-accounts.ts'
import type { NativeContext } from './network.ts'

/** The state of the operator's validator. @throws 502 VALIDATOR_UNKNOWN; 502, 503, 504 */
export async function condition(ctx: NativeContext): Promise<readonly Condition[]> {
  const { validator: id } = ctx.network
  const [vote] = await Promise.all([
    readVoteAccount(ctx.client, id),
    readAccounts(ctx.client, [id], ([account]) => requireVoteAccount(ctx, account ?? null)),
  ])
  return [conditionOf({ kind: 'validator', id, commissionPercent: vote?.commissionPercent ?? null }, idleness(vote))]
}
