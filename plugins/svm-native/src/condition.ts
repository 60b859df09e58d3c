import { type Condition, conditionOf, formatAmount } from '@svc/contract'
import { ifServed, type Term, termsOf } from '@svc/contract/control'
import { type AccountState, readAccounts } from '@svc/kit-svm'
import { requireVoteAccount } from './actions/checks.ts'
import { readLeastStake } from './chain/least-stake.ts'
import { STAKE_SPACE } from './chain/stake-account.ts'
import { idleness, readVoteAccount } from './chain/vote-accounts.ts'
import { readVoteState } from './chain/vote-state.ts'
import type { NativeContext } from './network.ts'

/** Commissions are in basis points: hundredths of a percent. */
const PERCENT_DECIMALS = 2

/** Reads the state of the operator's validator, the powers over it, and the chain's terms for a stake. @throws 502 VALIDATOR_UNKNOWN; 502, 503, 504 */
export async function condition(ctx: NativeContext): Promise<readonly Condition[]> {
  const { validator: id, decimals } = ctx.network
  const [vote, ofAccount, minimum, rent] = await Promise.all([
    readVoteAccount(ctx.client, id),
    readAccounts(ctx.client, [id], ([account = null]) => {
      requireVoteAccount(ctx, account)
      return termsOfAccount(account)
    }),
    ifServed(readLeastStake(ctx)),
    ctx.client.rent(STAKE_SPACE),
  ])
  const commissionPercent = vote?.commissionPercent ?? null
  const terms = [
    ...ofAccount,
    ...termsOf('rule', {
      minimum_delegation: minimum === undefined ? undefined : formatAmount(minimum, decimals),
      stake_account_rent: formatAmount(rent, decimals),
    }),
  ]
  return [conditionOf({ kind: 'validator', id, commissionPercent, terms }, idleness(vote))]
}

/** The voter is the one that was named last, which may be for an epoch to come. */
function termsOfAccount(account: AccountState | null): readonly Term[] {
  const state = account && readVoteState(account.data)
  if (state === null) return []
  const { withdrawer, voters, blockCommissionBps: bps } = state
  return [
    ...termsOf('power', { withdrawer, voter: voters.at(-1) }),
    ...termsOf('fee', { block_revenue_commission: bps === null ? undefined : formatAmount(BigInt(bps), PERCENT_DECIMALS) }),
  ]
}
